"""Two connections joined: what arrives on one goes out on the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


def relay(outer: asyncio.Transport, inner: asyncio.Transport, on_end: Callable[[], None]) -> None:
    """Until both directions have ended, or one of the connections is lost."""
    from_inner, from_outer = _Relay(outer), _Relay(inner, on_end)
    from_inner.peer, from_outer.peer = from_outer, from_inner
    inner.set_protocol(from_inner)
    outer.set_protocol(from_outer)


class _Relay(asyncio.Protocol):
    """Passes what arrives on one transport to another, at the pace the other takes it."""

    def __init__(self, target: asyncio.Transport, on_end: Callable[[], None] | None = None) -> None:
        self._target = target
        self._on_end = on_end
        self._is_ended = False
        self.peer: _Relay | None = None

    def data_received(self, data: bytes) -> None:
        self._target.write(data)

    def eof_received(self) -> bool:
        """One direction may end before the other; the second end closes both."""
        self._is_ended = True
        if self.peer is not None and self.peer._is_ended:
            self._target.close()
            return False
        if not self._target.is_closing():
            self._target.write_eof()
        return True

    def pause_writing(self) -> None:
        self._target.pause_reading()

    def resume_writing(self) -> None:
        self._target.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._target.close()
        if self._on_end is not None:
            self._on_end()
