"""An interrupt at any instant is either seen by the work or by nobody."""

from __future__ import annotations

import os
import signal
import sys
import unittest
from types import FrameType
from typing import Any

from atoll_guest.kernel.interrupts import interruptible


def _interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


class Interrupts(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(signal.signal, signal.SIGINT, signal.getsignal(signal.SIGINT))
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def test_the_work_is_ended(self) -> None:
        result, failure = interruptible(_interrupt)
        self.assertIsNone(result)
        self.assertIsInstance(failure, KeyboardInterrupt)

    def test_handlers_of_user_code_are_gone(self) -> None:
        interruptible(lambda: signal.signal(signal.SIGINT, lambda *_: sys.exit(3)))
        _interrupt()
        self.assertIsInstance(interruptible(_interrupt)[1], KeyboardInterrupt)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.SIG_IGN)

    def test_no_line_of_ours_lets_it_out(self) -> None:
        """One interrupt before every line, and before every return, of the function itself."""
        code = interruptible.__code__
        steps = 0

        def run(at: int) -> bool:
            seen = 0

            def trace(frame: FrameType, event: str, _: Any) -> Any:
                nonlocal seen
                if frame.f_code is not code:
                    return None
                if event in ("line", "return"):
                    seen += 1
                    if seen == at:
                        _interrupt()
                return trace

            sys.settrace(trace)
            try:
                interruptible(lambda: 1)
            finally:
                sys.settrace(None)
            return seen >= at

        while run(steps + 1):
            steps += 1
            self.assertIs(signal.getsignal(signal.SIGINT), signal.SIG_IGN, f"after step {steps}")
        self.assertGreater(steps, 5)


if __name__ == "__main__":
    unittest.main()
