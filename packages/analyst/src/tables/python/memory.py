"""Memory that is free but still held goes back to the system: a sandbox has little of it."""

from __future__ import annotations

import ctypes
import gc


def release_memory() -> None:
    gc.collect()
    try:
        import pyarrow

        pyarrow.default_memory_pool().release_unused()
    except (ImportError, AttributeError):
        pass
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError, TypeError):
        pass
