"""The end of a sandbox: once it has begun, nothing takes it back."""

from __future__ import annotations

import asyncio
import unittest
from unittest import mock

from atoll_guest.supervisor.main import Supervisor


class Shutdown(unittest.IsolatedAsyncioTestCase):
    async def test_a_client_that_closes_its_connection_as_soon_as_it_is_answered_leaves_no_process(self) -> None:
        supervisor = object.__new__(Supervisor)
        supervisor.processes = mock.Mock()
        supervisor._listener = None
        supervisor._ended = asyncio.Event()
        call = mock.Mock()
        shutdown = asyncio.ensure_future(supervisor._shutdown(call))
        call.reply = lambda _: shutdown.cancel()
        await asyncio.wait({shutdown})
        self.assertTrue(supervisor._ended.is_set())


if __name__ == "__main__":
    unittest.main()
