"""What a caller of `python.run` waits for, and what it does not."""

from __future__ import annotations

import asyncio
import unittest
from types import SimpleNamespace
from typing import Any, cast

from atoll_guest.supervisor.kernels.python_calls import _unless_aborted

_HANG_S = 30


class GivingUp(unittest.IsolatedAsyncioTestCase):
    async def test_a_caller_who_gives_up_does_not_wait_for_the_search_of_artifacts(self) -> None:
        call = cast(Any, SimpleNamespace(aborted=asyncio.Event()))
        ended = asyncio.Event()

        async def search() -> str:
            try:
                await asyncio.sleep(2 * _HANG_S)
            finally:
                ended.set()
            return "found"

        waiting = asyncio.create_task(_unless_aborted(call, search()))
        await asyncio.sleep(0)
        call.aborted.set()
        self.assertIsNone(await asyncio.wait_for(waiting, _HANG_S))
        await asyncio.wait_for(ended.wait(), _HANG_S)

    async def test_a_caller_who_gave_up_before_gets_what_there_is(self) -> None:
        call = cast(Any, SimpleNamespace(aborted=asyncio.Event()))
        call.aborted.set()

        async def search() -> str:
            await asyncio.sleep(0)
            return "found"

        self.assertEqual(await _unless_aborted(call, search(), is_known=True), "found")


if __name__ == "__main__":
    unittest.main()
