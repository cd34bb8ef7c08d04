"""What a supervisor tells the zygote without a call: since when its sandbox has been at work, and that it still looks.

A page that both have. What the supervisor forks does not get it: user code cannot say that it is idle.
"""

from __future__ import annotations

import mmap
import struct
import time

_FORMAT = struct.Struct("dd")
# Longer than a person waits for an answer without noticing, shorter than a batch.
_SHORT_WORK_S = 2.0
# A supervisor that cannot look for so long is starved by what runs beside it.
_STARVED_S = 5.0


class Pulse:
    def __init__(self) -> None:
        self._page = mmap.mmap(-1, _FORMAT.size)

    def keep_from_forks(self) -> None:
        self._page.madvise(mmap.MADV_DONTFORK)

    def beat(self, busy_since: float | None) -> None:
        _FORMAT.pack_into(self._page, 0, busy_since or 0.0, time.monotonic())

    def is_long_at_work(self) -> bool:
        """False for one that has never worked."""
        busy_since, beat_at = _FORMAT.unpack_from(self._page)
        now = time.monotonic()
        return beat_at > 0 and (now - beat_at > _STARVED_S or 0 < busy_since < now - _SHORT_WORK_S)

    def close(self) -> None:
        self._page.close()
