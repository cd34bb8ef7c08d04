"""A project of the file system for each sandbox: its files together get no more bytes and inodes than its disk limit.

Belongs to the process of root outside of the jail. The folders are the jail's, which may be hostile: only a sandbox's
folder in the store is ever touched, no link is followed, and nobody in the jail can change a project, since the kernel
lets only the host's own user namespace do that.

A sandbox's folder itself has the project but does not hand it on: what is renamed into it (a socket, a note of ours)
may come from another project. The folders that code can write to hand it on to all that is made in them.
Imports nothing of the package, as the launcher.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import time
from collections.abc import Iterator
from random import SystemRandom

import quota_calls
from quota_calls import Quota

WRITABLE = ("workspace", "session", "outputs", "work")
# One process of root at a time looks for a number that is free and takes it, whichever installation it is of.
_LOCK = "/run/atoll-projects.lock"
_SWEEP_EVERY_S = 10.0
_MOST_TRIES = 4096
_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")
_LEAST_BYTES, _MOST_BYTES = 64 * 1024, 1 << 60
_LEAST_INODES = 256
_BYTES_PER_INODE = 4096  # As the watch counts names.
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


def can_limit(sandboxes: str) -> bool:
    """Not where the folder is of a project already: its files are counted there, and are not ours to take away."""
    try:
        folder = os.open(sandboxes, _FOLDER)
        try:
            with _locked():
                pass
            return quota_calls.project_of(folder) == (0, False) and quota_calls.is_enforced(folder)
        finally:
            os.close(folder)
    except OSError:
        return False


class Projects:
    def __init__(self, sandboxes: str, parked: str, owner: int, first: int, count: int) -> None:
        """`parked` is the folder in `sandboxes` for those without a name yet; the numbers are `count` from `first` on."""
        self._sandboxes = os.open(sandboxes, _FOLDER)
        self._device = os.fstat(self._sandboxes).st_dev
        self._parked = parked
        self._owner = owner
        self._first, self._count = first, count
        self._next = SystemRandom().randrange(count)
        self._limited = set(self._list_limited())
        self._swept_at = 0.0

    def limit(self, kind: str, name: str, size: int) -> None:
        """Of a folder that is `parked`, or a `named` one. Sooner or later all it holds counts, also what was there before."""
        if not (_NAME.fullmatch(name) and kind in ("parked", "named") and _LEAST_BYTES <= size <= _MOST_BYTES):
            raise ValueError("no folder of a sandbox, or no size")
        with self._open(kind, name) as folder:
            project = self._claim(folder)
            quota_calls.write_quota(folder, limits_of(project, size))
            self._limited.add(project)
            for inner in WRITABLE:
                with contextlib.suppress(FileNotFoundError):
                    self._give(os.open(inner, _FOLDER, dir_fd=folder), project)

    def sweep(self, every_s: float = _SWEEP_EVERY_S) -> None:
        """Takes the limit from projects without a file: their sandboxes are removed, their numbers free."""
        if time.monotonic() - self._swept_at < every_s:
            return
        # Quotas may have been turned off meanwhile.
        with contextlib.suppress(OSError), _locked():
            for project in list(self._limited):
                if quota_calls.read_quota(self._sandboxes, project).used_inodes == 0:
                    quota_calls.write_quota(self._sandboxes, Quota(project))
                    self._limited.discard(project)
        self._swept_at = time.monotonic()

    @contextlib.contextmanager
    def _open(self, kind: str, name: str) -> Iterator[int]:
        place = os.open(self._parked, _FOLDER, dir_fd=self._sandboxes) if kind == "parked" else os.dup(self._sandboxes)
        try:
            folder = os.open(name, _FOLDER, dir_fd=place)
        finally:
            os.close(place)
        try:
            facts = os.fstat(folder)
            if (facts.st_dev, facts.st_uid) != (self._device, self._owner):
                raise PermissionError(errno.EPERM, "not a folder of a sandbox")
            yield folder
        finally:
            os.close(folder)

    def _claim(self, folder: int) -> int:
        """The folder's own number, which it keeps for as long as it exists; a new one is one that no file has."""
        project, _ = quota_calls.project_of(folder)
        if self._first <= project < self._first + self._count:
            return project
        with _locked():
            for _ in range(_MOST_TRIES):
                project = self._first + self._next
                self._next = (self._next + 1) % self._count
                if quota_calls.read_quota(folder, project).used_inodes == 0:
                    quota_calls.set_project(folder, project, is_inherited=False)
                    return project
        raise OSError(errno.EAGAIN, "no project id is free")

    def _give(self, top: int, project: int) -> None:
        """What is below comes first: a folder that has the project has it in whole. Closes `top`."""
        ways: list[tuple[int, Iterator[os.DirEntry[str]]]] = []
        self._enter(top, project, ways)
        try:
            while ways:
                folder, entries = ways[-1]
                if (entry := next(entries, None)) is None:
                    quota_calls.set_project(folder, project, is_inherited=True)
                    os.close(ways.pop()[0])
                    continue
                # It may be gone by now, or another thing.
                with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                    if entry.is_dir(follow_symlinks=False):
                        self._enter(os.open(entry.name, _FOLDER, dir_fd=folder), project, ways)
                    elif entry.is_file(follow_symlinks=False):
                        self._give_file(os.open(entry.name, _FILE, dir_fd=folder), project)
        finally:
            for folder, _ in ways:
                os.close(folder)

    def _enter(self, folder: int, project: int, ways: list[tuple[int, Iterator[os.DirEntry[str]]]]) -> None:
        """Unless it has the project already: who was interrupted in a large tree goes on where it was."""
        if quota_calls.project_of(folder) == (project, True):
            os.close(folder)
        else:
            ways.append((folder, os.scandir(folder)))

    def _give_file(self, file: int, project: int) -> None:
        try:
            quota_calls.set_project(file, project, is_inherited=False)
        finally:
            os.close(file)

    def _list_limited(self) -> Iterator[int]:
        found = quota_calls.next_quota(self._sandboxes, self._first)
        while found is not None and found.project < self._first + self._count:
            yield found.project
            found = quota_calls.next_quota(self._sandboxes, found.project + 1)


def limits_of(project: int, size: int) -> Quota:
    return Quota(project, hard_kib=size // 1024, hard_inodes=max(size // _BYTES_PER_INODE, _LEAST_INODES))


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    lock = os.open(_LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
