"""Values that are nested too deeply for a pickler are told from those that are not."""

import json
import unittest
from collections import deque
from collections.abc import Callable

from atoll_guest.snapshot.depth import refuse_depth


class Link:
    def __init__(self, rest: object) -> None:
        self.rest = rest


def _nest(wrap: Callable[[object], object], times: int) -> object:
    value: object = 1
    for _ in range(times):
        value = wrap(value)
    return value


class Depth(unittest.TestCase):
    def test_too_deep(self) -> None:
        for wrap in (lambda v: [v], lambda v: (v,), lambda v: {"k": v}, lambda v: deque([v]), Link):
            with self.subTest(wrap=wrap), self.assertRaises(RecursionError):
                refuse_depth(_nest(wrap, 1500))

    def test_what_is_large_or_leads_back_to_itself_is_not_deep(self) -> None:
        ring: list = []
        ring.append({"ring": ring})
        for value in (list(range(100_000)), _nest(lambda v: [v], 900), ring, json, [refuse_depth] * 5000, object()):
            refuse_depth(value)
