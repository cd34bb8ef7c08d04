"""The way out: a proxy's address inside the sandbox, whose connections the host takes over, one stream each."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

from ..connection import Call
from ..errors import GuestError
from .relay import relay

PROXY_PORT = 3128
_MAX_WAITING = 64
_WAIT_S = 30.0


class Egress:
    """The host asks to hear of connections (`egress.listen`) and takes each of them (`egress.take`). Who listens last, serves."""

    def __init__(self) -> None:
        self._listener: Call | None = None
        self._server: asyncio.Server | None = None
        self._ids = itertools.count(1)
        self._waiting: dict[int, _Inside] = {}

    def methods(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes] | None]]]:
        return {"egress.listen": self._listen, "egress.take": self._take}

    def ports(self) -> set[int]:
        """Its own, which no program of the sandbox has opened."""
        return set() if self._server is None else {PROXY_PORT}

    async def _listen(self, call: Call) -> tuple[Any, bytes]:
        """Until the host hangs up. Then nobody takes connections, and all that are made are closed at once."""
        if self._server is None:
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(lambda: _Inside(self._arrive), "127.0.0.1", PROXY_PORT)
        self._listener = call
        call.emit("listening", {"port": PROXY_PORT})
        try:
            await asyncio.Event().wait()
        finally:
            if self._listener is call:
                self._listener = None
        return None, b""

    async def _take(self, call: Call) -> tuple[Any, bytes] | None:
        """After the reply the connection carries plain bytes, both ways, until either side ends."""
        inside = self._waiting.pop(call.params["id"], None)
        if inside is None or inside.transport is None or inside.transport.is_closing():
            raise GuestError("not_found", "the program inside has closed this connection")
        client = call.connection.take_over()
        call.reply(None)
        relay(client, inside.transport, lambda: call.connection.connection_lost(None))
        inside.transport.resume_reading()
        return None

    def _arrive(self, inside: _Inside) -> None:
        transport = inside.transport
        assert transport is not None
        if self._listener is None or len(self._waiting) >= _MAX_WAITING:
            transport.abort()
            return
        connection_id = next(self._ids)
        self._waiting[connection_id] = inside
        # Not at once: before Python 3.11.5 a transport begins to read after it was made, paused or not.
        asyncio.get_running_loop().call_soon(transport.pause_reading)
        asyncio.get_running_loop().call_later(_WAIT_S, self._give_up, connection_id)
        self._listener.emit("connection", {"id": connection_id})

    def _give_up(self, connection_id: int) -> None:
        if (inside := self._waiting.pop(connection_id, None)) and inside.transport is not None:
            inside.transport.abort()


class _Inside(asyncio.Protocol):
    """A connection of a program in the sandbox, held until the host takes it."""

    def __init__(self, on_made: Callable[[_Inside], None]) -> None:
        self._on_made = on_made
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._on_made(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
