"""A snapshot file as a pickler sees it: what is written is counted, checked and limited."""

from __future__ import annotations

import zlib
from pickle import PickleBuffer
from typing import Any

from .snapshot_file import write_all

_SMALL_BUFFER_BYTES = 16 * 1024


class TooLarge(Exception):
    pass


class DiskFailed(Exception):
    pass


class CappedOutput:
    """Large buffers are kept aside and follow the pickle, without a copy."""

    def __init__(self, fd: int, max_bytes: int) -> None:
        self.size = self.crc = 0
        self._fd = fd
        self._room = max_bytes
        self._buffers: list[memoryview] = []

    def write(self, data: Any) -> int:
        with memoryview(data) as view:
            self._reserve(view.nbytes)
            self._put(view)
            return view.nbytes

    def take_buffer(self, buffer: PickleBuffer) -> bool:
        """True leaves it in the pickle."""
        raw = buffer.raw()
        if raw.nbytes < _SMALL_BUFFER_BYTES:
            return True
        self._reserve(raw.nbytes)
        self._buffers.append(raw)
        return False

    def write_buffers(self) -> list[int]:
        """Returns their sizes."""
        for raw in self._buffers:
            self._put(raw)
        return [raw.nbytes for raw in self._buffers]

    def _reserve(self, count: int) -> None:
        self._room -= count
        if self._room < 0:
            raise TooLarge

    def _put(self, view: memoryview) -> None:
        try:
            write_all(self._fd, view)
        except OSError as error:
            raise DiskFailed(error.strerror) from error
        self.size += view.nbytes
        self.crc = zlib.crc32(view, self.crc)
