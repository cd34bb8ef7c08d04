"""The work that elsewhere a forked copy of the kernel does, in the kernel itself: a value that ends it, ends it."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from .time_limit import time_limit

_WHOLE_TIME_S = 300.0

Report = Callable[..., None]


class Child:
    def __init__(self, reports: deque[Any]) -> None:
        self._reports = reports

    def receive(self, wait_s: float) -> Any:
        if not self._reports:
            raise EOFError
        return self._reports.popleft()

    def end(self) -> str:
        return "it ended"


@contextlib.contextmanager
def forked(work: Callable[[Report], None], keep_fd: int, memory_bytes: int) -> Iterator[Child]:
    """An interrupt ends the work, although the value that is being saved would take it for a failure of its own."""
    reports: deque[Any] = deque()
    main = sys.modules["__main__"]
    interrupted = False

    def interrupt(number: int, frame: Any) -> None:
        nonlocal interrupted
        interrupted = True
        raise KeyboardInterrupt

    def report(*parts: object) -> None:
        if interrupted:
            raise KeyboardInterrupt
        reports.append(json.loads(json.dumps(parts)))

    previous = signal.signal(signal.SIGINT, interrupt)
    try:
        with time_limit(_WHOLE_TIME_S):
            work(report)
    finally:
        signal.signal(signal.SIGINT, previous)
        sys.modules["__main__"] = main
    yield Child(reports)
