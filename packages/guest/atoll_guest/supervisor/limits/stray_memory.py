"""Memory that no process's own figures show: what waits in sockets, and SysV segments that nobody has attached.

As this process sees them: those of a sandbox, where it has network and ipc namespaces of its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from typing import NamedTuple

_libc = ctypes.CDLL(None, use_errno=True)
_LISTENING = "0A"
_IPC_RMID = 0


class Segment(NamedTuple):
    id: int
    bytes: int


def waiting_in_sockets() -> dict[int, int]:
    """Inode → bytes. What waits for a program to accept it has no inode yet, and is under 0."""
    found: dict[int, int] = {}
    for name in ("tcp", "tcp6", "udp", "udp6"):
        with contextlib.suppress(OSError), open(f"/proc/net/{name}") as file:
            for fields in (line.split() for line in file.readlines()[1:]):
                if fields[3] != _LISTENING:
                    sent, received = (int(part, 16) for part in fields[4].split(":"))
                    inode = int(fields[9])
                    found[inode] = found.get(inode, 0) + sent + received
    return found


def held_in_sockets(pid: int, waiting: dict[int, int]) -> int:
    held: set[int] = set()
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                target = os.readlink(f"/proc/{pid}/fd/{name}")
                if target.startswith("socket:["):
                    held.add(int(target[8:-1]))
    return sum(waiting.get(inode, 0) for inode in held)


def detached_segments() -> list[Segment]:
    try:
        with open("/proc/sysvipc/shm") as file:
            rows = [line.split() for line in file.readlines()[1:]]
    except OSError:
        return []
    return [Segment(int(row[1]), int(row[14]) + int(row[15])) for row in rows if int(row[6]) == 0]


def remove_segment(segment: Segment) -> None:
    """Should another process attach it meanwhile, it goes with the last one that has it."""
    _libc.shmctl(segment.id, _IPC_RMID, None)
