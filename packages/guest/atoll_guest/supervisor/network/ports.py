"""Ports inside the sandbox: which are open, and a byte stream to one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from ..connection import Call
from .egress import Egress
from ..errors import GuestError
from .relay import relay

_LISTENING = "0A"


class Ports:
    def __init__(self, egress: Egress) -> None:
        self._egress = egress

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
        return sorted(found - self._egress.ports()), b""

    async def _connect(self, call: Call) -> tuple[Any, bytes] | None:
        """After the reply the connection carries plain bytes, both ways, until either side ends."""
        port = call.params["port"]
        if not isinstance(port, int) or not 0 < port < 65536:
            raise GuestError("invalid_argument", "a port is a number from 1 to 65535")
        loop = asyncio.get_running_loop()
        client = call.connection.take_over()
        for host in ("127.0.0.1", "::1"):
            try:
                inner, _ = await loop.create_connection(asyncio.Protocol, host, port)
                break
            except OSError:
                continue
        else:
            raise GuestError("not_found", f"nothing listens on port {port} inside the sandbox")
        call.reply(None)
        relay(client, inner, lambda: call.connection.connection_lost(None))
        return None
