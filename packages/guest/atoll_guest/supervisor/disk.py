"""Keeps a sandbox within its disk limit.

The host's file system has no quota for a folder, so this watches: it measures when the free space of the file system
has dropped by enough to matter, stops what is running when the limit is passed, and from then on has every write
refused until files are removed, also those of processes that a run has left behind. A writer can overshoot by what it
writes between two looks.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import time
from typing import TYPE_CHECKING

from . import reaper
from .errors import GuestError

if TYPE_CHECKING:
    from .main import Supervisor

_LOOK_EVERY_S = 0.02
_IDLE_LOOK_EVERY_S = 1.0  # Nothing is known to run, but a thread of a kernel may.
# Between two measurements, whatever the free space says: others free some and hide what is written here.
_MEASURE_EVERY_S = 0.1
_MEASURE_IDLE_EVERY_S = 10.0
_MEASURE_COSTLY_EVERY_S = 2.0


class DiskGuard:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._used = 0
        self._free_then = 0
        self._measured_at = 0.0
        self._cost_s = 0.0
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._is_full = False

    @property
    def _limit(self) -> int:
        return int(self._supervisor.settings.limits["diskBytes"])

    @property
    def _roots(self) -> list[str]:
        paths = self._supervisor.settings.paths
        return [paths["workspace"], paths["session"], paths["outputs"]]

    def wake(self) -> None:
        """From the first run on: closely for as long as anything runs, else now and then."""
        self._woken.set()
        if self._task is None and self._supervisor.settings.id:
            self._task = asyncio.create_task(self._watch())

    def measure(self) -> int:
        # In processor time: on a busy machine most of a look is waiting, which is no reason to look less often.
        start = time.thread_time()
        self._free_then = self._free()
        self._used = self._sum()
        self._measured_at = time.monotonic()
        self._cost_s = time.thread_time() - start
        self._set_full(self._used > self._limit)
        return self._used

    def notices(self, stopped_by: str | None) -> list[str]:
        """For the reader of a result. What cannot be written fails with another message, or with none."""
        limit = _show_size(self._limit)
        if stopped_by == "disk":
            return [f"Stopped: the sandbox's disk limit of {limit} is reached (diskBytes)."]
        if self._is_full and self.measure() > self._limit:
            return [f"The disk limit of {limit} is reached (diskBytes): nothing can be written until files are removed."]
        return []

    def check_room(self, size: int) -> None:
        """Before the supervisor itself writes."""
        if (self._is_full or self._used + size > self._limit) and self.measure() + size > self._limit:
            limit = _show_size(self._limit)
            raise GuestError("disk_full", f"the sandbox's disk limit of {limit} is reached (limits.diskBytes)")
        self._used += size

    async def _watch(self) -> None:
        while True:
            is_idle = False
            # Without a descriptor left, say, one look fails: the next may not.
            with contextlib.suppress(OSError):
                is_idle = self._look()
            if not is_idle:
                await asyncio.sleep(_LOOK_EVERY_S)
            else:
                self._woken.clear()
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._woken.wait(), _IDLE_LOOK_EVERY_S)

    def _look(self) -> bool:
        """Whether the next one can wait."""
        is_working = self._supervisor.is_working
        is_idle = not (is_working or self._supervisor.processes.has_leftovers())
        if self._is_due(is_idle) and self.measure() > self._limit and not is_working:
            self._end_holders()
        return is_idle

    def _is_due(self, is_idle: bool) -> bool:
        """Measuring takes a hundredth of the time; a tenth when space is going, half once the limit may be passed."""
        waited, cost = time.monotonic() - self._measured_at, self._cost_s
        left = max(self._limit - self._used, 0)
        dropped = self._free_then - self._free()
        # Once full, nothing is written; what is to be seen is that there is room again.
        is_pressing = dropped < 0 if self._is_full else dropped > left // 4
        if is_pressing:
            return waited > cost * (1 if dropped > left else 10)
        every = _MEASURE_IDLE_EVERY_S if is_idle and not self._is_full else _MEASURE_EVERY_S
        return waited > max(every, cost * 10, min(cost * 100, _MEASURE_COSTLY_EVERY_S))

    def _sum(self) -> int:
        listed = self._supervisor.processes.snapshot()
        deleted = {ino: size for entry in listed for ino, size in _deleted_files(entry.pid, self._roots).items()}
        return sum(_size(root) for root in self._roots) + sum(deleted.values())

    def _end_holders(self) -> None:
        """A file that was deleted while open can be removed by no one: its space comes back with its holder's end."""
        for entry in self._supervisor.processes.snapshot():
            if entry.pid != os.getpid() and _deleted_files(entry.pid, self._roots):
                reaper.kill_tree(entry.pid)

    def _free(self) -> int:
        facts = os.statvfs(self._roots[0])
        return facts.f_bfree * facts.f_frsize

    def _set_full(self, is_full: bool) -> None:
        """What runs is stopped. From then on the kernel's own file-size limit refuses every write; what frees space works."""
        was_full, self._is_full = self._is_full, is_full
        if not (was_full or is_full):
            return
        # Again while it is full: who was being forked at the time may have kept the old limit.
        for entry in self._supervisor.processes.snapshot():
            with contextlib.suppress(OSError):
                soft, hard = resource.prlimit(entry.pid, resource.RLIMIT_FSIZE)
                if soft != (wanted := 0 if is_full else hard):
                    resource.prlimit(entry.pid, resource.RLIMIT_FSIZE, (wanted, hard))
        if is_full and not was_full:
            self._supervisor.stop_all("disk")


def _show_size(size: int) -> str:
    return f"{size // (1024 * 1024)} MiB" if size >= 1024 * 1024 else f"{size // 1024} KiB"


def _size(root: str) -> int:
    total, folders = 0, [root]
    while folders:
        with contextlib.suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
    return total


def _deleted_files(pid: int, roots: list[str]) -> dict[int, int]:
    """Inode → size. Files without a name take up space for as long as a process has them open."""
    disks = {os.stat(root).st_dev for root in roots}
    found: dict[int, int] = {}
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                facts = os.stat(f"/proc/{pid}/fd/{name}")
                if facts.st_nlink == 0 and facts.st_dev in disks:
                    found[facts.st_ino] = facts.st_blocks * 512
    return found
