"""Work on files, here and now: there are no processes. Its time is kept by an alarm."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

from .errors import GuestError


class _TimeIsUp(BaseException):
    """Not an Exception: what is being done must not take it for a failure of its own."""


async def run_in_fork(work: Callable[[], Any], timeout_s: float | None = None) -> Any:
    if timeout_s is None:
        return work()

    def ring(*_: object) -> None:
        raise _TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, timeout_s)
        try:
            return work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TimeIsUp:
        raise GuestError("timeout", f"not done within {timeout_s:g} s (timeoutMs)") from None
    finally:
        signal.signal(signal.SIGALRM, before)
