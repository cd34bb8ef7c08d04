"""A parked sandbox goes once through what its first client will ask, so that the client does not wait for it.

After a fork every page is shared with the zygote; the first touch copies it. Here that happens ahead of time.
"""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

from ..protocol import FrameReader, encode

if TYPE_CHECKING:
    from .main import Supervisor


async def warm_up(supervisor: Supervisor) -> None:
    ours, theirs = socket.socketpair()
    connection = await supervisor.adopt(theirs)
    reader, writer = await asyncio.open_connection(sock=ours)
    frames = FrameReader()
    params = {"context": "default", "timeoutMs": 60_000, "maxOutputBytes": 1 << 20, "as": "warm_up"}
    writer.write(encode({"id": 0, "method": "python.run", "params": params}))
    while (frame := frames.next()) is None or "event" in frame[0]:
        if frame is None:
            frames.feed(await reader.read(1 << 16))
    writer.close()
    while not connection.is_closed:
        await asyncio.sleep(0)
