"""A limit on how long a piece of Python code may take in the main thread."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


class TookTooLong(BaseException):
    """Not an Exception: the code it interrupts should not be able to catch it by accident."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises TookTooLong inside. In another thread than the main one there is no limit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise TookTooLong

    previous = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        # None when the handler was not set from Python.
        signal.signal(signal.SIGALRM, signal.SIG_DFL if previous is None else previous)
