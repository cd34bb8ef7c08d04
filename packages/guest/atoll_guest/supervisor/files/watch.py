"""Changes below a folder, by inotify."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import re
import struct
from collections.abc import Callable, Iterator

from ..errors import from_os_error

# A file that `files.write` has not finished; it appears under its own name when it is whole.
PARTIAL = re.compile(rb"\.[0-9a-f]{16}\.partial")

_libc = ctypes.CDLL(None, use_errno=True)
_EVENT = struct.Struct("iIII")
_CLOSE_WRITE, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x8, 0x40, 0x80, 0x100, 0x200
_MODIFY, _ONLYDIR, _DONT_FOLLOW, _IS_FOLDER = 0x2, 0x01000000, 0x02000000, 0x40000000
_WATCHED = _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _MODIFY
_BELOW = _WATCHED | _ONLYDIR | _DONT_FOLLOW
_NONBLOCK_CLOEXEC = os.O_NONBLOCK | os.O_CLOEXEC


@contextlib.contextmanager
def watch(path: str, notify: Callable[[str, str], None]) -> Iterator[None]:
    """Calls `notify(kind, path)` with created, changed or removed, from the moment the block is entered."""
    descriptor = _libc.inotify_init1(_NONBLOCK_CLOEXEC)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "inotify is not available here")
    watcher = _Watcher(descriptor, notify)
    loop = asyncio.get_running_loop()
    try:
        watcher.add_root(path)
        loop.add_reader(descriptor, watcher.read)
        yield
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


class _Watcher:
    def __init__(self, descriptor: int, notify: Callable[[str, str], None]) -> None:
        self._descriptor = descriptor
        self._notify = notify
        self._folders: dict[int, str] = {}

    def add_root(self, folder: str) -> None:
        if not self._add(folder, _WATCHED | _ONLYDIR, is_new=False):
            raise from_os_error(OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), folder))

    def _add(self, folder: str, flags: int, is_new: bool) -> bool:
        """With all that is in it; without recursion, since user code may nest folders without end."""
        is_added, left = False, [(folder, flags)]
        while left:
            path, wanted = left.pop()
            number = _libc.inotify_add_watch(self._descriptor, os.fsencode(path), wanted)
            if number < 0:
                continue
            is_added = is_added or path == folder
            self._folders[number] = path
            with contextlib.suppress(OSError), os.scandir(path) as entries:
                for entry in entries:
                    if is_new:
                        self._notify("created", entry.path)  # Made before the watch was in place.
                    if entry.is_dir(follow_symlinks=False):
                        left.append((entry.path, _BELOW))
        return is_added

    def read(self) -> None:
        try:
            data = os.read(self._descriptor, 1 << 16)
        except BlockingIOError:
            return
        at = 0
        while at < len(data):
            number, mask, _, size = _EVENT.unpack_from(data, at)
            name = data[at + _EVENT.size : at + _EVENT.size + size].rstrip(b"\0")
            at += _EVENT.size + size
            if number in self._folders and name and not PARTIAL.fullmatch(name):
                self._report(os.path.join(self._folders[number], os.fsdecode(name)), mask)

    def _report(self, path: str, mask: int) -> None:
        is_folder = bool(mask & _IS_FOLDER)
        if mask & (_CREATE | _MOVED_TO):
            self._notify("created", path)
            if is_folder:
                self._add(path, _BELOW, is_new=True)
        elif mask & (_DELETE | _MOVED_FROM):
            self._notify("removed", path)
        elif mask & (_CLOSE_WRITE | _MODIFY) and not is_folder:
            self._notify("changed", path)
