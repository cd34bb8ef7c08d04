"""The search for a run's files: user code may change everything while it goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
import unittest
from unittest import mock

from atoll_guest.supervisor.kernels import artifacts as module
from atoll_guest.supervisor import reaper
from atoll_guest.supervisor.kernels.artifacts import Artifacts

_HANG_S = 60


class ArtifactSearch(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.paths = {name: f"{folder}/{name}" for name in ("workspace", "session", "artifacts", "outputs")}
        for path in self.paths.values():
            os.mkdir(path)
        self.artifacts = Artifacts(self.paths)
        # A worker that was given up is killed, but perhaps not reaped: other tests look for children of this process.
        self.addCleanup(_reap_children)
        # What blocks the loop cannot be timed out by it.
        signal.alarm(2 * _HANG_S)
        self.addCleanup(signal.alarm, 0)

    def path(self, name: str) -> str:
        return f"{self.paths['workspace']}/{name}"

    def write(self, name: str, content: bytes = b"x") -> str:
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    async def test_a_file_that_became_a_fifo_since_it_was_found_is_passed_over(self) -> None:
        reaper.start()
        self.write("fine.txt")
        for name in ("small", "large"):
            path = self.write(name)
            if name == "large":
                os.truncate(path, 64 * 1024 * 1024)

        def swap() -> None:
            for name in ("small", "large"):
                os.unlink(self.path(name))
                os.mkfifo(self.path(name))
                # Its reader waits for a writer that is there and says nothing.
                self.addCleanup(os.close, os.open(self.path(name), os.O_RDWR))

        with _after_the_scan(self.artifacts, swap):
            found, _ = await asyncio.wait_for(self.artifacts.changes(_HANG_S), _HANG_S)
        self.assertEqual([one["path"] for one in found], [self.path("fine.txt")])

    async def test_a_file_that_became_a_fifo_without_a_writer_does_not_hold_up_who_opens_it(self) -> None:
        path = self.write("small")

        def swap() -> None:
            os.unlink(path)
            os.mkfifo(path)

        with _after_the_scan(self.artifacts, swap):
            found, _ = await self.artifacts.changes(_HANG_S)
        self.assertEqual(found, [])

    async def test_a_file_that_grew_since_it_was_found_is_not_read_without_end(self) -> None:
        reaper.start()
        path = self.write("growing")
        with _after_the_scan(self.artifacts, lambda: os.truncate(path, 1 << 42)):
            found, is_whole = await asyncio.wait_for(self.artifacts.changes(1), _HANG_S)
        self.assertEqual((found, is_whole), ([], True))

    async def test_sparse_files_cost_no_more_than_the_time_that_is_left_and_hide_no_others(self) -> None:
        reaper.start()
        for number in range(3):
            os.truncate(self.write(f"sparse-{number}"), 1 << 40)
        self.write("report.csv", b"a,b\n")
        for search in (self.artifacts.refresh, self.artifacts.changes):
            with mock.patch.object(module, "_GRACE_S", 0.5):
                outcome = await asyncio.wait_for(search(0.5), _HANG_S)
        self.assertEqual(outcome, ([], True))  # All was there before.
        self.write("report.csv", b"a,b\n1,2\n")
        os.truncate(self.path("sparse-0"), 1 << 41)
        with mock.patch.object(module, "_GRACE_S", 0.5):
            found, is_whole = await asyncio.wait_for(self.artifacts.changes(0.5), _HANG_S)
        self.assertEqual([one["path"] for one in found], [self.path("report.csv")])
        self.assertFalse(is_whole)

    def test_no_file_is_opened_once_the_time_is_up(self) -> None:
        found = {self.write(name): (0, 1, 0, 0) for name in ("a", "b")}
        with mock.patch("os.open", side_effect=AssertionError("opened")):
            self.assertEqual(module._hash_until(found, time.monotonic()), {})

    async def test_a_worker_that_user_code_has_stopped_is_given_up(self) -> None:
        reaper.start()
        os.truncate(self.write("large"), 32 * 1024 * 1024)
        fork = os.fork

        def fork_stopped() -> int:
            if pid := fork():
                os.kill(pid, signal.SIGSTOP)
            return pid

        with mock.patch("os.fork", fork_stopped), mock.patch.object(module, "_GRACE_S", 0.5):
            found, is_whole = await asyncio.wait_for(self.artifacts.changes(0.5), _HANG_S)
        self.assertEqual((found, is_whole), ([], False))

    async def test_files_are_found_once_and_again_when_their_content_changed(self) -> None:
        reaper.start()
        self.write("a.txt")
        await self.artifacts.refresh(_HANG_S)
        self.write("a.txt", b"y")
        self.write("b.txt")
        found, is_whole = await self.artifacts.changes(_HANG_S)
        self.assertEqual([(one["path"], one["change"]) for one in found],
                         [(self.path("a.txt"), "changed"), (self.path("b.txt"), "new")])  # fmt: skip
        self.assertTrue(is_whole)
        self.assertEqual(await self.artifacts.changes(_HANG_S), ([], True))


def _reap_children() -> None:
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _after_the_scan(artifacts: Artifacts, change: object) -> object:
    scan = artifacts._scan

    def scan_and_change() -> object:
        found = scan()
        change()  # type: ignore[operator]
        return found

    return mock.patch.object(artifacts, "_scan", scan_and_change)


if __name__ == "__main__":
    unittest.main()
