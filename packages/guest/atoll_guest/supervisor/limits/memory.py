"""Memory of the whole sandbox: read from its control group, or watched here where the machine gives none."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING

from ...isolation.cgroup import OwnKernel, socket_limit
from .stray_memory import Segment, detached_segments, held_in_sockets, remove_segment, waiting_in_sockets

if TYPE_CHECKING:
    from ..main import Supervisor
    from ..commands.processes import Listed

_LOOK_EVERY_S = 0.2
_HAND_BACK_S = 1.0


class MemoryGuard:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._group = supervisor.settings.group
        self._task: asyncio.Task[None] | None = None
        self._kills = 0
        self._patient_until = 0.0

    def used(self, listed: list[Listed]) -> int:
        measured = self._group.memory_bytes()
        return measured if measured is not None else sum(_private_bytes(entry.pid) for entry in listed)

    def kills(self) -> int:
        """How many processes were ended for want of memory, by the kernel or by this guard."""
        return self._group.oom_kills() + self._kills

    def wake(self) -> None:
        if self._task is None and not (self._group.limits_memory and self._group.limits_sockets):
            self._task = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Bounds what no control group does, also of what a run left: the sum of all processes, or what waits in sockets."""
        try:
            while self._end_one_too_many() or self._supervisor.is_working or self._supervisor.processes.has_leftovers():
                await asyncio.sleep(_LOOK_EVERY_S)
        finally:
            self._task = None

    def _end_one_too_many(self) -> bool:
        """False when all is within the limits."""
        listed = [entry for entry in self._supervisor.processes.snapshot() if entry.pid != os.getpid()]
        limits = self._supervisor.settings.limits
        if self._group.limits_memory:
            return self._end_one_with_full_sockets(listed)
        if isinstance(self._group, OwnKernel) and len(listed) > int(limits["processes"]):
            for pid in sorted(entry.pid for entry in listed)[int(limits["processes"]) :]:
                _kill(pid)
            return True
        sizes = {entry.pid: _private_bytes(entry.pid) or entry.resident_bytes for entry in listed}
        measured = self._group.memory_bytes()
        segments: list[Segment] = []
        if measured is None and self._supervisor.settings.is_isolated:
            segments = detached_segments()
            waiting = waiting_in_sockets()
            for pid in sizes:
                sizes[pid] += held_in_sockets(pid, waiting)
            if sizes:  # Whoever listens for them could take them in.
                sizes[max(sizes, key=lambda pid: sizes[pid])] += waiting.get(0, 0)
        strays = sum(segment.bytes for segment in segments)
        if (sum(sizes.values()) + strays if measured is None else measured) <= int(limits["memoryBytes"]):
            return False
        if strays > int(limits["memoryBytes"]) // 2 or not sizes:
            # No process's end would give them back.
            for segment in segments:
                remove_segment(segment)
            return bool(segments)
        # A kernel of its own takes a while to have the memory back: until then nobody else has to go.
        if time.monotonic() >= self._patient_until:
            self._kills += 1
            self._patient_until = time.monotonic() + (0 if measured is None else _HAND_BACK_S)
            _kill(max(sizes, key=lambda pid: sizes[pid]))
        return True

    def _end_one_with_full_sockets(self, listed: list[Listed]) -> bool:
        """False when what waits in sockets is within the limit."""
        waiting = waiting_in_sockets()
        if not listed or sum(waiting.values()) <= socket_limit(self._supervisor.settings.limits):
            return False
        self._kills += 1
        _kill(max((entry.pid for entry in listed), key=lambda pid: held_in_sockets(pid, waiting)))
        return True


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


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
