"""Time as user code has it: it stands still while the sandbox is paused."""

from __future__ import annotations

import asyncio


class Clock:
    def __init__(self) -> None:
        self._running = asyncio.Event()
        self._running.set()
        self._paused = asyncio.Event()

    def pause(self) -> None:
        self._running.clear()
        self._paused.set()

    def resume(self) -> None:
        self._paused.clear()
        self._running.set()

    async def sleep(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        while seconds > 0:
            await self._running.wait()
            start = loop.time()
            try:
                await asyncio.wait_for(self._paused.wait(), seconds)
            except asyncio.TimeoutError:
                return
            seconds -= loop.time() - start
