"""Content of files on its way: in chunks, under a handle that the connection owns.

A written file gets its name only when it is whole; a connection that ends takes its unfinished files with it.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..connection import Call, Connection
from ..errors import GuestError, from_os_error
from .file_stat import describe, open_regular

if TYPE_CHECKING:
    from ..main import Supervisor

_CHUNK_BYTES = 1 << 18
_MAX_HANDLES = 64


@dataclass
class Handle:
    descriptor: int
    owner: Connection
    temporary: str | None = None
    target: str = ""
    mode: int | None = None

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
        if self.temporary is not None:
            os.unlink(self.temporary)
            self.temporary = None


class Transfers:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._handles: dict[int, Handle] = {}
        self._serial = 0

    def methods(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes]]]]:
        return {
            "files.open": self._open,
            "files.chunk": self._chunk,
            "files.create": self._create,
            "files.put": self._put,
            "files.commit": self._commit,
            "files.close": self._close,
        }

    async def _open(self, call: Call) -> tuple[Any, bytes]:
        """Replies with the first chunk; a handle follows only when there is more to read."""
        path, offset, length = self._supervisor.resolve(call.params["path"]), call.params["offset"], call.params.get("length")
        descriptor, facts = open_regular(path)
        try:
            # Files of the kernel's own, as in /proc, have no size before they are read.
            size = facts["sizeBytes"] or _CHUNK_BYTES
            end = size if length is None else min(offset + length, size)
            first = os.pread(descriptor, max(0, min(_CHUNK_BYTES, end - offset)), offset)
            end = end if facts["sizeBytes"] else offset + len(first)
        except BaseException:
            os.close(descriptor)
            raise
        reply = {"stat": facts, "end": end}
        if offset + len(first) >= end or not first:
            os.close(descriptor)
            return reply, first
        return {**reply, "handle": self._keep(Handle(descriptor, call.connection))}, first

    async def _chunk(self, call: Call) -> tuple[Any, bytes]:
        handle = self._handle(call)
        return None, os.pread(handle.descriptor, min(call.params["length"], _CHUNK_BYTES), call.params["offset"])

    async def _create(self, call: Call) -> tuple[Any, bytes]:
        """A body and `isWhole` write a small file in one step."""
        path, append = self._supervisor.resolve(call.params["path"]), call.params.get("append", False)
        self._supervisor.disk.check_room(len(call.body))
        make_parents(path)
        mode = call.params.get("mode")
        if append:
            handle = Handle(_open_for_append(path, mode), call.connection, target=path, mode=mode)
        else:
            _refuse_special(path)
            temporary = os.path.join(os.path.dirname(path), f".{secrets.token_hex(8)}.partial")
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            handle = Handle(os.open(temporary, flags, 0o644), call.connection, temporary, path, mode)
        try:
            _write_all(handle.descriptor, call.body)
            if call.params["isWhole"]:
                return _finish(handle), b""
        except BaseException:
            handle.close()
            raise
        return {"handle": self._keep(handle)}, b""

    async def _put(self, call: Call) -> tuple[Any, bytes]:
        self._supervisor.disk.check_room(len(call.body))
        _write_all(self._handle(call).descriptor, call.body)
        return None, b""

    async def _commit(self, call: Call) -> tuple[Any, bytes]:
        handle = self._handle(call)
        self._handles.pop(call.params["handle"])
        try:
            return _finish(handle), b""
        finally:
            handle.close()

    async def _close(self, call: Call) -> tuple[Any, bytes]:
        if handle := self._handles.pop(call.params["handle"], None):
            handle.close()
        return None, b""

    def _keep(self, handle: Handle) -> int:
        if len(self._handles) >= _MAX_HANDLES:
            handle.close()
            raise GuestError("busy", f"{_MAX_HANDLES} files are being transferred already")
        self._serial += 1
        serial = self._serial
        self._handles[serial] = handle
        handle.owner.closers.append(lambda: self._drop(serial))
        return serial

    def _drop(self, serial: int) -> None:
        if handle := self._handles.pop(serial, None):
            handle.close()

    def _handle(self, call: Call) -> Handle:
        handle = self._handles.get(call.params["handle"])
        if handle is None or handle.owner is not call.connection:
            raise GuestError("not_found", "this transfer has ended")
        return handle


def make_parents(path: str) -> None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except FileExistsError as error:
        raise GuestError("not_a_folder", f"not a folder: {error.filename}") from error


def _finish(handle: Handle) -> dict[str, Any]:
    if handle.temporary is not None:
        mode = handle.mode if handle.mode is not None else _existing_mode(handle.target)
        if mode is not None:
            os.fchmod(handle.descriptor, mode)
        try:
            os.replace(handle.temporary, handle.target)
        except OSError as error:
            raise from_os_error(error, handle.target) from error
        handle.temporary = None
    facts = describe(handle.target, os.fstat(handle.descriptor))
    handle.close()
    return facts


def _existing_mode(path: str) -> int | None:
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except OSError:
        return None


def _refuse_special(path: str) -> None:
    """A rename would silently replace a FIFO or device, and fail late on a folder."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
        raise GuestError("not_a_file", f"not a regular file: {path}")


def _open_for_append(path: str, mode: int | None) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o644 if mode is None else mode)
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_dev == os.stat("/proc").st_dev:
        os.close(descriptor)
        raise GuestError("not_a_file", f"not a regular file: {path}")
    return descriptor


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
