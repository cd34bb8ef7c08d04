"""Ctrl-C for what the kernel does, and for nothing else of it."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")


def interruptible(work: Callable[[], _Result]) -> tuple[_Result | None, BaseException | None]:
    """What `work` returns, or what it failed with. An interrupt that comes an instant too early or too late ends nothing."""
    result: _Result | None = None
    failure: BaseException | None = None
    try:
        try:
            # User code may have put a handler of its own there.
            signal.signal(signal.SIGINT, signal.default_int_handler)
            result = work()
        except BaseException as error:
            failure = error
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt as interrupt:  # Between two of these lines.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        failure = failure or (interrupt if result is None else None)
    return result, failure
