"""Keeps a sandbox within its disk limit.

Where the file system keeps a quota for the sandbox (`zygote/projects.py`), nothing gets past its bytes and inodes, and
this is the second line, for names without an inode of their own. Elsewhere this watch is all there is: it measures when
the free space of the file system has dropped by enough to matter, stops what is running when the limit is passed, and from then on has every write
refused until files are removed, also those of processes that a run has left behind. A process that lets itself write
again may write no more for good, and what makes the sandbox grow all the same is killed. A writer can overshoot by what
it writes between two looks.

Every name counts as a block at least: empty files, links and folders use up a file system too.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from .. import reaper
from ..errors import GuestError
from ..notices import Notice, notice
from ..worker import is_worker

if TYPE_CHECKING:
    from ..main import Supervisor

_LOOK_EVERY_S = 0.02
_IDLE_LOOK_EVERY_S = 1.0  # Nothing is known to run, but a thread of a kernel may.
# Between two measurements, whatever the free space says: others free some and hide what is written here.
_MEASURE_EVERY_S = 0.1
_MEASURE_IDLE_EVERY_S = 10.0
_MEASURE_COSTLY_EVERY_S = 2.0
_FULL_LOOK_EVERY_S = 0.1
_NAME_BYTES = 4096
# What may still appear after everything was stopped: the last writes of what was running.
_LAST_WRITES_BYTES = 4 * 1024 * 1024
# So little room is none to who writes: XFS refuses a write as a whole that does not fit as a whole.
_NO_ROOM_BYTES = 1024 * 1024


class DiskGuard:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._used = 0
        self._names = 0
        self._free_then = 0
        self._measured_at = 0.0
        self._cost_s = 0.0
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._is_full = False
        # While it is full: processes whose writes are refused, those that may never write again, and growth so far.
        self._refused: set[int] = set()
        self._barred: set[int] = set()
        self._grown_from = 0
        self._growths = 0

    @property
    def _limit(self) -> int:
        return int(self._supervisor.settings.limits["diskBytes"])

    @property
    def _roots(self) -> list[str]:
        paths = self._supervisor.settings.paths
        work = [paths["work"]] if "work" in paths else []
        return [paths["workspace"], paths["session"], paths["outputs"], *work]

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
        self._set_full(self._is_passed())
        if self._is_full and self._used > self._grown_from + _LAST_WRITES_BYTES:
            self._end_growth()
        return self._used

    def notices(self, stopped_by: str | None, was_refused: bool = False) -> list[Notice]:
        """For the reader of a result. What cannot be written fails with another message, or with none."""
        limit = _show_size(self._limit)
        if stopped_by == "disk":
            return [notice("disk_stopped", limit=limit)]
        if self._is_full:
            self.measure()
        if self._is_full:
            return [notice("disk_full", limit=limit)]
        is_enforced = self._supervisor.settings.is_disk_enforced
        if is_enforced and (room := self._room(was_refused)) is not None:
            return [notice("disk_nearly_full", limit=limit, left=_show_size(room))]
        if any(context.pid in self._barred for context in self._supervisor.contexts.all()):
            return [notice("disk_kernel_barred", limit=limit)]
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
                    every = _FULL_LOOK_EVERY_S if self._is_full else _IDLE_LOOK_EVERY_S
                    await asyncio.wait_for(self._woken.wait(), every)

    def _look(self) -> bool:
        """Whether the next one can wait."""
        is_working = self._supervisor.is_working
        is_idle = not (self._supervisor.processes.has_leftovers() or is_working)
        self._supervisor.settings.group.pulse.beat(self._supervisor.busy_since())
        if self._is_due(is_idle):
            self.measure()
            if not is_working and self._is_short():
                self._end_holders()
        if self._is_full:
            self._refuse_writes()
        return is_idle

    def _is_due(self, is_idle: bool) -> bool:
        """Measuring takes a hundredth of the time; a tenth when space is going, half once the limit may be passed."""
        waited, cost = time.monotonic() - self._measured_at, self._cost_s
        left = max(self._limit - self._used, 0)
        dropped = self._free_then - self._free()
        if self._is_full:
            # What is to be seen is that there is room again, or that it grows all the same.
            return waited > max(_MEASURE_EVERY_S, cost * (10 if is_idle else 2))
        if dropped > left // 4:
            return waited > cost * (1 if dropped > left else 10)
        every = _MEASURE_IDLE_EVERY_S if is_idle else _MEASURE_EVERY_S
        return waited > max(every, cost * 10, min(cost * 100, _MEASURE_COSTLY_EVERY_S))

    def _sum(self) -> int:
        listed = self._supervisor.processes.snapshot()
        deleted = {ino: size for entry in listed for ino, size in _deleted_files(entry.pid, self._roots).items()}
        sizes, names = zip(*(_size(root) for root in self._roots))
        self._names = sum(names)
        return sum(sizes) + sum(deleted.values())

    def _end_holders(self) -> None:
        """A file that was deleted while open can be removed by no one: its space comes back with its holder's end."""
        for entry in self._supervisor.processes.snapshot():
            if entry.pid != os.getpid() and _deleted_files(entry.pid, self._roots):
                reaper.kill_tree(entry.pid)

    def _is_passed(self) -> bool:
        """A quota bounds bytes and inodes, each by itself: then only names without an inode can be too many."""
        is_enforced = self._supervisor.settings.is_disk_enforced
        return (self._names * _NAME_BYTES if is_enforced else self._used) > self._limit

    def _is_short(self) -> bool:
        is_enforced = self._supervisor.settings.is_disk_enforced
        return self._is_passed() or (is_enforced and self._room(was_refused=False) is not None)

    def _room(self, was_refused: bool) -> int | None:
        """What the quota leaves, where that is next to nothing or a write was refused for want of it."""
        # Of a folder with a quota this tells of the quota, not of the file system.
        facts = os.statvfs(self._roots[0])
        room = facts.f_bfree * facts.f_frsize if facts.f_ffree else 0
        return room if was_refused or room < min(_NO_ROOM_BYTES, self._limit // 16) else None

    def _free(self) -> int:
        facts = os.statvfs(self._roots[0])
        return facts.f_bfree * facts.f_frsize

    def _set_full(self, is_full: bool) -> None:
        """What runs is stopped. From then on the kernel's own file-size limit refuses every write; what frees space works."""
        was_full, self._is_full = self._is_full, is_full
        if is_full and not was_full:
            self._grown_from, self._growths = self._used, 0
            self._refuse_writes()
            self._supervisor.stop_all("disk")
            if self._names * _NAME_BYTES > self._used // 2:  # To make names no write is needed that could be refused.
                self._kill_leftovers()
        elif was_full and not is_full:
            self._refused.clear()
            for pid, hard in self._file_limits(lambda soft, hard: soft != hard):
                _limit_files(pid, hard, hard)

    def _refuse_writes(self) -> None:
        """At every look: who was being forked may have kept the old limit. Who raised its own has had its chance."""
        for pid, hard in self._file_limits(lambda soft, _: soft != 0):
            if pid in self._refused and pid != os.getpid():
                self._barred.add(pid)
                _limit_files(pid, 0, 0)
            else:
                self._refused.add(pid)
                _limit_files(pid, 0, hard)

    def _end_growth(self) -> None:
        """Names need no write, and a mapped file grows without one: first what runs beside the kernels goes, then they."""
        self._grown_from, self._growths = self._used, self._growths + 1
        self._supervisor.stop_all("disk")
        for context in self._supervisor.contexts.all():
            self._barred.add(context.pid)
            _limit_files(context.pid, 0, 0)
            if self._growths > 1:
                reaper.kill_tree(context.pid)
        self._kill_leftovers()

    def _kill_leftovers(self) -> None:
        spared = {os.getpid(), *(context.pid for context in self._supervisor.contexts.all())}
        for entry in self._supervisor.processes.snapshot():
            if entry.pid not in spared and not is_worker(entry.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(entry.pid, signal.SIGKILL)

    def _file_limits(self, fits: Callable[[int, int], bool]) -> list[tuple[int, int]]:
        """(pid, hard limit) of processes with such limits, this one included."""
        found = []
        for entry in self._supervisor.processes.snapshot():
            with contextlib.suppress(OSError):
                soft, hard = resource.prlimit(entry.pid, resource.RLIMIT_FSIZE)
                if fits(soft, hard):
                    found.append((entry.pid, hard))
        return found


def _show_size(size: int) -> str:
    return f"{size // (1024 * 1024)} MiB" if size >= 1024 * 1024 else f"{size // 1024} KiB"


def _limit_files(pid: int, soft: int, hard: int) -> None:
    with contextlib.suppress(OSError):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))


def _size(root: str) -> tuple[int, int]:
    """Bytes, and how many names there are."""
    total, names, folders = 0, 0, [root]
    while folders:
        with contextlib.suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                names += 1
                with contextlib.suppress(OSError):
                    total += max(entry.stat(follow_symlinks=False).st_blocks * 512, _NAME_BYTES)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
    return total, names


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
