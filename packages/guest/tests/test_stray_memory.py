"""Memory that is in no process: what waits in sockets, and SysV segments that nobody has attached."""

from __future__ import annotations

import ctypes
import os
import socket
import unittest

from atoll_guest.supervisor.limits import stray_memory

_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p
_IPC_PRIVATE, _IPC_CREAT = 0, 0o1000
_SIZE = 1 << 20


class StrayMemory(unittest.TestCase):
    def test_counts_and_removes_a_detached_segment(self) -> None:
        id = _libc.shmget(_IPC_PRIVATE, ctypes.c_size_t(_SIZE), _IPC_CREAT | 0o600)
        place = _libc.shmat(id, None, 0)
        ctypes.memset(place, 1, _SIZE)
        self.assertEqual(self._find(id), [])
        _libc.shmdt(ctypes.c_void_p(place))
        [segment] = self._find(id)
        self.assertGreaterEqual(segment.bytes, _SIZE)
        stray_memory.remove_segment(segment)
        self.assertEqual(self._find(id), [])

    def test_counts_what_waits_in_a_connection_for_the_process_that_holds_it(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            near = socket.create_connection(listener.getsockname())
            far, _ = listener.accept()
            with near, far:
                before = stray_memory.held_in_sockets(os.getpid(), stray_memory.waiting_in_sockets())
                near.sendall(bytes(50_000))
                after = stray_memory.held_in_sockets(os.getpid(), stray_memory.waiting_in_sockets())
        self.assertGreaterEqual(after - before, 50_000)

    def _find(self, id: int) -> list[stray_memory.Segment]:
        return [segment for segment in stray_memory.detached_segments() if segment.id == id]


if __name__ == "__main__":
    unittest.main()
