"""Memory of the whole sandbox: read from its control group, or watched here where the machine gives none."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .main import Supervisor
    from .processes import Listed

_LOOK_EVERY_S = 0.2


class MemoryGuard:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._group = supervisor.settings.group
        self._task: asyncio.Task[None] | None = None
        self._kills = 0

    def used(self, listed: list[Listed]) -> int:
        measured = self._group.memory_bytes()
        return measured if measured is not None else sum(_private_bytes(entry.pid) for entry in listed)

    def kills(self) -> int:
        """How many processes were ended for want of memory, by the kernel or by this guard."""
        return self._group.oom_kills() + self._kills

    def wake(self) -> None:
        if self._task is None and not self._group.limits_memory:
            self._task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Without a control group each process has a limit of its own; this bounds their sum."""
        try:
            while self._supervisor.is_working:
                sizes = {entry.pid: _private_bytes(entry.pid) for entry in self._supervisor.processes.snapshot()}
                sizes.pop(os.getpid(), None)
                if sum(sizes.values()) > int(self._supervisor.settings.limits["memoryBytes"]):
                    self._kills += 1
                    os.kill(max(sizes, key=lambda pid: sizes[pid]), signal.SIGKILL)
                await asyncio.sleep(_LOOK_EVERY_S)
        finally:
            self._task = None


def _private_bytes(pid: int) -> int:
    """What ending the process would free: pages shared with the zygote do not count, files in memory do."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            lines = file.read().splitlines()
    except OSError:
        return 0
    mapped = sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))
    return mapped + _memory_files(pid)


def _memory_files(pid: int) -> int:
    """Files made by memfd_create, which need no mapping to take up memory."""
    found: dict[int, int] = {}
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{pid}/fd/{name}").startswith("/memfd:"):
                    facts = os.stat(f"/proc/{pid}/fd/{name}")
                    found[facts.st_ino] = facts.st_blocks * 512
    return sum(found.values())
