"""Values as JSON carries them: short, finite, and without loss."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

MAX_CHARS = 200
_MAX_SAFE_INTEGER = 2**53 - 1


def to_cell(value: Any) -> Any:
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, str):
        return cut(value)
    if hasattr(value, "item") and not isinstance(value, (pd.Timestamp, pd.Timedelta)):
        value = value.item()
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _MAX_SAFE_INTEGER else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, pd.Timestamp):
        return to_iso(value)
    return cut(str(value))


def to_iso(moment: Any) -> str:
    """A day alone when there is no time of day."""
    text = moment.isoformat()
    return text[:10] if text[10:] == "T00:00:00" else text


def cut(text: str, max_chars: int = MAX_CHARS) -> str:
    text = text if len(text) <= max_chars else text[: max_chars - 1] + "…"
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
