"""Which user the next sandbox is, and its mount of the store, of the process of root outside."""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass

from .outside import Outside


@dataclass(frozen=True)
class User:
    # As the jail counts users; the same number as on the host.
    id: int
    # A mount of the store that shows the jail's files as this user's. Each can be attached once.
    store: int

    def forget(self) -> None:
        os.close(self.store)


class Users:
    """Goes round a range that is large enough for a number to come back only when its last sandbox is long gone."""

    def __init__(self, outside: Outside, first: int, count: int, run_folder: str) -> None:
        self._outside = outside
        self._first, self._count = first, count
        # Outlives the zygote, whose sandboxes may. Each jail begins elsewhere, so that two on one machine seldom meet.
        self._cursor = os.open(f"{run_folder}/next-user", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._next = int(os.pread(self._cursor, 32, 0) or zlib.crc32(os.urandom(8))) % count

    def filenos(self) -> list[int]:
        """What no sandbox may hold."""
        return [self._cursor]

    def take(self) -> User:
        user = self._first + self._next
        self._next = (self._next + 1) % self._count
        os.pwrite(self._cursor, f"{self._next:<20}".encode(), 0)
        _, descriptors = self._outside.ask(f"user {user}")
        if not descriptors:
            raise ConnectionError("no mount of the store for a sandbox's user")
        return User(user, descriptors[0])
