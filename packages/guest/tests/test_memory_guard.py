"""The sum of memory where there are no control groups: also of what is in no process."""

from __future__ import annotations

import unittest
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

from atoll_guest.isolation.cgroup import Group
from atoll_guest.supervisor.limits import memory
from atoll_guest.supervisor.limits.memory import MemoryGuard
from atoll_guest.supervisor.limits.stray_memory import Segment

_LIMIT = 1000


class WithoutControlGroups(unittest.TestCase):
    def setUp(self) -> None:
        self.removed: list[Segment] = []
        self.killed: list[int] = []
        self.listed = [SimpleNamespace(pid=pid, resident_bytes=0) for pid in (7, 8)]
        settings = SimpleNamespace(group=Group({}, ""), is_isolated=True, limits={"memoryBytes": _LIMIT, "processes": 9})
        processes = SimpleNamespace(snapshot=lambda: self.listed)
        self.guard = MemoryGuard(cast(Any, SimpleNamespace(settings=settings, processes=processes)))

    def look(self, segments: list[Segment], private: dict[int, int], waiting: dict[int, int] | None = None) -> bool:
        with mock.patch.multiple(
            memory,
            detached_segments=lambda: segments,
            remove_segment=self.removed.append,
            waiting_in_sockets=lambda: waiting or {},
            held_in_sockets=lambda pid, waiting: waiting.get(pid, 0),
            _private_bytes=lambda pid: private[pid],
            _kill=self.killed.append,
        ):
            return self.guard._end_one_too_many()

    def test_segments_that_nobody_has_attached_are_removed_once_they_pass_the_limit(self) -> None:
        segments = [Segment(1, 600), Segment(2, 500)]
        self.assertTrue(self.look(segments, {7: 10, 8: 10}))
        self.assertEqual((self.removed, self.killed), (segments, []))

    def test_segments_count_beside_the_memory_of_processes(self) -> None:
        self.assertTrue(self.look([Segment(1, 400)], {7: 500, 8: 200}))
        self.assertEqual((self.removed, self.killed), ([], [7]))

    def test_what_waits_in_sockets_counts_for_who_holds_them(self) -> None:
        self.assertTrue(self.look([], {7: 300, 8: 200}, {8: 700}))
        self.assertEqual(self.killed, [8])

    def test_what_is_within_the_limit_stays(self) -> None:
        self.assertFalse(self.look([Segment(1, 400)], {7: 300, 8: 200}, {8: 100}))
        self.assertEqual((self.removed, self.killed), ([], []))


if __name__ == "__main__":
    unittest.main()
