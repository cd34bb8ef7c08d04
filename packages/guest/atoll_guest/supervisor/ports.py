"""Ports inside the sandbox: which are open, and a byte stream to one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from .connection import Call
from .errors import GuestError

_LISTENING = "0A"


class Ports:
    def methods(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes] | None]]]:
        return {"ports.list": self._list, "ports.connect": self._connect}

    async def _list(self, call: Call) -> tuple[Any, bytes]:
        found: set[int] = set()
        for name in ("tcp", "tcp6"):
            try:
                with open(f"/proc/self/net/{name}") as file:
                    rows = [line.split() for line in file.readlines()[1:]]
            except OSError:
                continue
            found |= {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == _LISTENING}
        return sorted(found), b""

    async def _connect(self, call: Call) -> tuple[Any, bytes] | None:
        """After the reply the connection carries plain bytes, both ways, until either side ends."""
        port = call.params["port"]
        if not isinstance(port, int) or not 0 < port < 65536:
            raise GuestError("invalid_argument", "a port is a number from 1 to 65535")
        loop = asyncio.get_running_loop()
        client = call.connection.take_over()
        for host in ("127.0.0.1", "::1"):
            try:
                inner, relay = await loop.create_connection(lambda: _Relay(client), host, port)
                break
            except OSError:
                continue
        else:
            raise GuestError("not_found", f"nothing listens on port {port} inside the sandbox")
        call.reply(None)
        outer = _Relay(inner, on_end=lambda: call.connection.connection_lost(None))
        outer.peer, relay.peer = relay, outer
        client.set_protocol(outer)
        return None


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
