"""The snapshot file: a header, the values, an index with their checksums, and a trailer that finds the index.

    magic, version | value bytes ... | index (JSON) | index offset, index length, index CRC, end mark

A file that was cut or changed anywhere is recognised before anything in it is used.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

_HEADER = b"ATOLLSNAP" + (1).to_bytes(3, "big")
_TRAILER = struct.Struct(">QQI12s")
_END = b"ATOLLSNAPEND"
_CHUNK_BYTES = 1024 * 1024


class SnapshotInvalid(Exception):
    """The file is no snapshot, or not a whole one. Its text says why."""


class SnapshotFile:
    """Written under a temporary name; `commit` puts it in its place in one step."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._temporary = f"{path}.part"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        self.fd = os.open(self._temporary, flags, 0o600)
        self.start = len(_HEADER)
        try:
            write_all(self.fd, _HEADER)
        except OSError:
            self.close()
            raise

    def rewind(self, offset: int) -> None:
        """Everything from here on is thrown away."""
        os.ftruncate(self.fd, offset)
        os.lseek(self.fd, offset, os.SEEK_SET)

    def commit(self, end_of_values: int, index: dict[str, Any]) -> int:
        """Returns the size of the file. Each of the index's `values` has its `offset`, `length` and `crc`."""
        self.rewind(end_of_values)
        packed = json.dumps(index, separators=(",", ":")).encode()
        write_all(self.fd, packed + _TRAILER.pack(end_of_values, len(packed), zlib.crc32(packed), _END))
        os.fsync(self.fd)
        os.replace(self._temporary, self.path)
        self._temporary = ""
        _sync_folder(os.path.dirname(self.path) or ".")
        return end_of_values + len(packed) + _TRAILER.size

    def close(self) -> None:
        """Before `commit` this leaves no trace, and an earlier snapshot as it was."""
        os.close(self.fd)
        if self._temporary:
            with contextlib.suppress(OSError):
                os.unlink(self._temporary)


@contextlib.contextmanager
def open_verified(path: str) -> Iterator[tuple[BinaryIO, dict[str, Any]]]:
    """The file and its index, with every byte checked. Raises SnapshotInvalid, or FileNotFoundError."""
    try:
        # Non-blocking: opening a FIFO would otherwise wait for ever.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SnapshotInvalid(f"it cannot be opened: {error.strerror}") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise SnapshotInvalid("it is not a regular file")
    with open(fd, "rb", buffering=0) as file:
        try:
            index = _read_index(file)
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise SnapshotInvalid(f"it cannot be read: {type(error).__name__}: {error}") from error
        yield file, index


def write_all(fd: int, data: bytes | memoryview) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view[: 1 << 30]) :]


def read_exactly(file: Any, into: bytearray) -> bytearray:
    view = memoryview(into)
    while view:
        if not (count := file.readinto(view)):
            raise EOFError("the snapshot ended too early")
        view = view[count:]
    return into


def _read_index(file: BinaryIO) -> dict[str, Any]:
    size = file.seek(0, os.SEEK_END)
    if size < len(_HEADER) + _TRAILER.size:
        raise SnapshotInvalid("it is too short to be a snapshot")
    file.seek(0)
    if read_exactly(file, bytearray(len(_HEADER))) != _HEADER:
        raise SnapshotInvalid("it is not a snapshot of this version")
    file.seek(size - _TRAILER.size)
    offset, length, crc, end = _TRAILER.unpack(read_exactly(file, bytearray(_TRAILER.size)))
    if end != _END or offset + length + _TRAILER.size != size:
        raise SnapshotInvalid("it has been cut or changed: its end is missing")
    file.seek(offset)
    packed = read_exactly(file, bytearray(length))
    if zlib.crc32(packed) != crc:
        raise SnapshotInvalid("it has been cut or changed: its index does not match its checksum")
    index: dict[str, Any] = json.loads(packed)
    position = len(_HEADER)
    for value in index["values"]:
        if value["offset"] != position or _checksum(file, position, value["length"]) != value["crc"]:
            raise SnapshotInvalid(
                f"it has been cut or changed: {value['label']!r} does not match its checksum"
            )
        position += value["length"]
    if position != offset:
        raise SnapshotInvalid("it has been cut or changed: it holds bytes that belong to nothing")
    return index


def _checksum(file: Any, offset: int, length: int) -> int:
    file.seek(offset)
    crc, chunk = 0, bytearray(min(length, _CHUNK_BYTES))
    while length:
        view = memoryview(chunk)[:length]
        if not (count := file.readinto(view)):
            return -1
        crc = zlib.crc32(view[:count], crc)
        length -= count
    return crc


def _sync_folder(path: str) -> None:
    with contextlib.suppress(OSError):
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
