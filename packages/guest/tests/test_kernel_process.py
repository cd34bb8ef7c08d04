"""What a kernel sends to its supervisor, while other work waits."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import unittest
from typing import Any

from atoll_guest.protocol import encode
from atoll_guest.supervisor import reaper
from atoll_guest.supervisor.kernels.kernel_process import KernelProcess

_FRAMES = 20_000
_HANG_S = 60


class FloodOfFrames(unittest.IsolatedAsyncioTestCase):
    async def test_frames_that_come_without_a_pause_leave_turns_to_all_else(self) -> None:
        reaper.start()
        kernel = _fork_sender(encode({"op": "page"}) * _FRAMES)
        self.addCleanup(_end, kernel.pid)
        taken = in_this_turn = most_in_a_turn = 0
        all_taken = asyncio.Event()

        def take(header: dict[str, Any], body: bytes) -> None:
            nonlocal taken, in_this_turn
            taken += 1
            in_this_turn += 1
            if taken == _FRAMES:
                all_taken.set()

        async def count_turns() -> None:
            nonlocal in_this_turn, most_in_a_turn
            while not all_taken.is_set():
                most_in_a_turn, in_this_turn = max(most_in_a_turn, in_this_turn), 0
                await asyncio.sleep(0)

        kernel.connect(take, lambda name, chunk: None, lambda code: None)
        await asyncio.wait_for(asyncio.gather(count_turns(), all_taken.wait()), _HANG_S)
        self.assertLess(max(most_in_a_turn, in_this_turn), 1000)


def _fork_sender(data: bytes) -> KernelProcess:
    """In the place of a kernel: sends these bytes and stays."""
    ours, theirs = socket.socketpair()
    (stdout, stdout_end), (stderr, stderr_end) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            os.setsid()
            ours.close()
            theirs.sendall(data)
            signal.pause()
        finally:
            os._exit(0)
    theirs.close()
    os.close(stdout_end)
    os.close(stderr_end)
    return KernelProcess(pid, ours, stdout, stderr)


def _end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    try:
        os.waitpid(pid, 0)
    except ChildProcessError:
        pass


if __name__ == "__main__":
    unittest.main()
