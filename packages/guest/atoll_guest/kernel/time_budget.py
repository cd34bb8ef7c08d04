"""How long a look at the user's objects waits for the user's own code, such as a `__repr__`."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

_Result = TypeVar("_Result")
_SECONDS_EACH = 0.25
_SECONDS_IN_ALL = 2.0


class _TakesTooLong(BaseException):
    """Not an Exception: code that catches those would go on."""


class TimeBudget:
    """For one look. Only the main thread can have it: it works by a signal."""

    def __init__(self) -> None:
        self._until = time.monotonic() + _SECONDS_IN_ALL

    def try_for(self, make: Callable[[], _Result]) -> _Result | None:
        """None where the user's own code fails, or takes too long, or all before has."""
        seconds = min(_SECONDS_EACH, self._until - time.monotonic())
        if seconds <= 0:
            return None
        try:
            with _alarm(seconds):
                return make()
        except BaseException:  # Also an interrupt: it may be the user's own, and this look ends soon anyway.
            return None


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise _TakesTooLong

    before = signal.signal(signal.SIGALRM, ring)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
        finally:
            signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
            # The user's own alarm, if there is one, goes on where it was.
            if left > 0:
                signal.setitimer(signal.ITIMER_REAL, left, interval)
