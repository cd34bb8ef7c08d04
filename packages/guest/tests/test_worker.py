"""Work in a forked process: its end is never missed."""

from __future__ import annotations

import asyncio
import os
import unittest
from unittest import mock

from atoll_guest.supervisor import reaper
from atoll_guest.supervisor.worker import run_in_fork


class Worker(unittest.IsolatedAsyncioTestCase):
    async def test_an_exit_that_is_reaped_right_after_the_fork_is_not_missed(self) -> None:
        reaper.start()
        await asyncio.sleep(0)  # The reap that start() asks for.
        with mock.patch("os.fork", _fork_and_see_it_end):
            self.assertEqual(await asyncio.wait_for(run_in_fork(lambda: "done"), 60), "done")


_fork = os.fork


def _fork_and_see_it_end() -> int:
    """And has a reap queued already, as after a signal of another child."""
    if pid := _fork():
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        asyncio.get_running_loop().call_soon(reaper._reap)
    return pid


if __name__ == "__main__":
    unittest.main()
