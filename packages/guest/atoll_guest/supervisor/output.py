"""Reading what a process writes, without ever holding more than a cap of it."""

from __future__ import annotations

import array
import asyncio
import fcntl
import os
import termios
from collections.abc import Callable

from .notices import Notice, notice

_CHUNK_BYTES = 1 << 16


class Pump:
    """Feeds a sink with what arrives on a descriptor. While paused, the writer is held up by the full pipe."""

    def __init__(self, descriptor: int, sink: Callable[[bytes], None], on_end: Callable[[], None] | None = None) -> None:
        self._descriptor = descriptor
        self._sink = sink
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self.is_open = True
        os.set_blocking(descriptor, False)
        self._loop.add_reader(descriptor, self._read)

    def drain(self) -> None:
        """What has been written by now, and no more: a writer that never stops cannot hold us here."""
        if self.is_open:
            size = array.array("i", [0])
            fcntl.ioctl(self._descriptor, termios.FIONREAD, size)
            left = size[0]
            while left > 0 and self.is_open:
                left -= self._read(min(left, _CHUNK_BYTES)) or left

    def pause(self) -> None:
        if self.is_open:
            self._loop.remove_reader(self._descriptor)

    def resume(self) -> None:
        if self.is_open:
            self._loop.add_reader(self._descriptor, self._read)

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            if self._on_end:
                self._on_end()

    def _read(self, size: int = _CHUNK_BYTES) -> int:
        try:
            chunk = os.read(self._descriptor, size)
        except BlockingIOError:
            return 0
        except OSError:
            chunk = b""  # The other end of a terminal is gone.
        if chunk:
            self._sink(chunk)
        else:
            self.close()
        return len(chunk)


class Head:
    """Passes on the first `limit` bytes and remembers that there were more."""

    def __init__(self, limit: int, sink: Callable[[bytes], None]) -> None:
        self.limit = limit
        self._left = limit
        self._sink = sink
        self.is_cut = False

    def feed(self, chunk: bytes) -> None:
        if self.is_cut:
            return
        if len(chunk) > self._left:
            self.is_cut = True
            chunk = _whole_characters(chunk[: self._left])
        self._left -= len(chunk)
        if chunk:
            self._sink(chunk)


class Tail:
    """Keeps the last `limit` bytes under their offsets in the whole stream."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = bytearray()
        self.end = 0

    def feed(self, chunk: bytes) -> None:
        self._bytes += chunk
        self.end += len(chunk)
        if len(self._bytes) > 2 * self._limit:
            del self._bytes[: len(self._bytes) - self._limit]

    def since(self, offset: int) -> tuple[int, bytes]:
        kept = self._bytes[-self._limit :] if self._limit else b""
        start = max(offset, self.end - len(kept))
        return start, bytes(kept[len(kept) - (self.end - start) :]) if start < self.end else b""


def cut_notices(heads: dict[str, Head]) -> list[Notice]:
    cut = [name for name, head in heads.items() if head.is_cut]
    return [notice("output_cut", bytes=heads[name].limit, stream=name) for name in cut]


def _whole_characters(chunk: bytes) -> bytes:
    """Without the beginning of a UTF-8 character whose rest was cut off."""
    for back in range(1, min(4, len(chunk)) + 1):
        byte = chunk[-back]
        if byte >= 0xC0:
            size = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return chunk[:-back] if size > back else chunk
        if byte < 0x80:
            return chunk
    return chunk
