"""A supervisor's page: who may write it, and when a sandbox counts as long at work."""

from __future__ import annotations

import os
import signal
import time
import unittest

from atoll_guest.isolation.pulse import Pulse


class PulseOfASandbox(unittest.TestCase):
    def test_one_that_has_never_worked_or_just_began_is_not_long_at_work(self) -> None:
        pulse = Pulse()
        self.assertFalse(pulse.is_long_at_work())
        pulse.beat(time.monotonic())
        self.assertFalse(pulse.is_long_at_work())
        pulse.beat(None)
        self.assertFalse(pulse.is_long_at_work())

    def test_one_that_began_long_ago_is(self) -> None:
        pulse = Pulse()
        pulse.beat(time.monotonic() - 60)
        self.assertTrue(pulse.is_long_at_work())

    def test_a_fork_has_no_way_to_the_page(self) -> None:
        pulse = Pulse()
        pulse.keep_from_forks()
        pid = os.fork()
        if pid == 0:
            pulse.beat(None)
            os._exit(0)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), -signal.SIGSEGV)


if __name__ == "__main__":
    unittest.main()
