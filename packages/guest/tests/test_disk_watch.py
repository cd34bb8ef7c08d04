"""The watch over the disk outlives a look that fails."""

from __future__ import annotations

import asyncio
import unittest
from types import SimpleNamespace
from typing import Any, cast

from atoll_guest.supervisor.limits.disk import DiskGuard


class DiskWatch(unittest.IsolatedAsyncioTestCase):
    async def test_goes_on_after_a_look_that_fails(self) -> None:
        guard = DiskGuard(cast(Any, SimpleNamespace(settings=SimpleNamespace(id="box"))))
        looked_again = asyncio.Event()
        looks = 0

        def look() -> bool:
            nonlocal looks
            looks += 1
            if looks == 1:
                raise OSError(24, "Too many open files")
            looked_again.set()
            return True

        guard._look = look  # type: ignore[method-assign]
        guard.wake()
        await asyncio.wait_for(looked_again.wait(), 60)


if __name__ == "__main__":
    unittest.main()
