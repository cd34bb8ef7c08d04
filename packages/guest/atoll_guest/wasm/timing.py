"""Waiting, where nothing can be waited for but the host: `time.sleep`, timers, and an event loop made of both."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from typing import Any

from .devices import Devices

_LONGEST_S = 3600.0


def install(devices: Devices, serve: Callable[[], None]) -> None:
    """`serve` answers the host meanwhile."""

    def wait(seconds: float, is_over: Callable[[], bool]) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not is_over():
            devices.sleep(min(left, _LONGEST_S))
            serve()

    def sleep(seconds: float, /) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        wait(seconds, lambda: False)

    def setitimer(which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
        devices.ring(seconds)
        return 0.0, 0.0

    time.sleep = sleep
    EventLoop.wait = staticmethod(wait)
    signal.ITIMER_REAL, signal.setitimer = 0, setitimer  # type: ignore[misc]
    signal.alarm = lambda seconds: int(setitimer(0, seconds)[0])
    # Pyodide's own loop is one of JavaScript's.
    asyncio.run = asyncio.runners.run
    asyncio.events._set_running_loop(None)
    asyncio.events._event_loop_policy = _Policy()  # type: ignore[attr-defined]


class EventLoop(asyncio.BaseEventLoop):
    """Timers and callbacks; there is nothing here whose readiness could be awaited."""

    wait: Callable[[float, Callable[[], bool]], None]

    def __init__(self) -> None:
        super().__init__()
        self._selector = self
        self._is_woken = False

    def select(self, timeout: float | None) -> list[Any]:
        if timeout is None or timeout > 0:
            self.wait(_LONGEST_S if timeout is None else timeout, lambda: self._is_woken)
        self._is_woken = False
        return []

    def _process_events(self, events: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        """A signal's handler has something for the loop to do."""
        self._is_woken = True


class _Policy(asyncio.events._BaseDefaultEventLoopPolicy):  # type: ignore[name-defined]
    _loop_factory = EventLoop
