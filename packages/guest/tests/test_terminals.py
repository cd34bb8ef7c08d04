"""A terminal in the place of a file: user code may lead the supervisor to one of its own."""

from __future__ import annotations

import contextlib
import os
import unittest
from collections.abc import Callable

from atoll_guest.supervisor.errors import GuestError
from atoll_guest.supervisor.files.file_stat import open_regular
from atoll_guest.supervisor.kernels import artifacts


class OpeningATerminal(unittest.TestCase):
    """Process 1 leads a session without a terminal: the first one that it opened would become its own, with Ctrl-C."""

    def setUp(self) -> None:
        ends = os.openpty()
        for end in ends:
            self.addCleanup(os.close, end)
        self.path = os.ttyname(ends[1])

    def test_reading_one_leaves_the_supervisor_without_a_terminal(self) -> None:
        def read() -> None:
            with contextlib.suppress(GuestError):
                open_regular(self.path)

        self.assertEqual(_terminal_of_leader_after(read), 0)

    def test_looking_for_artifacts_leaves_the_supervisor_without_a_terminal(self) -> None:
        inode = os.stat(self.path).st_ino
        self.assertEqual(_terminal_of_leader_after(lambda: artifacts._hash(self.path, (inode, 0, 0, 0), None)), 0)


def _terminal_of_leader_after(work: Callable[[], object]) -> int:
    """0 for none, as in `/proc/<pid>/stat`."""
    ready, done = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            work()
            with open("/proc/self/stat") as file:
                os.write(done, file.read().rpartition(")")[2].split()[4].encode())
        finally:
            os._exit(0)
    os.close(done)
    os.waitpid(pid, 0)
    with os.fdopen(ready) as answer:
        return int(answer.read())


if __name__ == "__main__":
    unittest.main()
