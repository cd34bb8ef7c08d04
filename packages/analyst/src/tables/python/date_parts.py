"""The parts of a date and their order, and the date as ISO 8601 writes it."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .dates import match_shape

_SLICE_ROWS = 200_000
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def find_order(name: str, values: pd.Series, hints: Any) -> str:
    """Whether days stand before months: what no value contradicts."""
    distinct = values.iloc[:_SLICE_ROWS].dropna().unique()
    pairs = [(int(found["a"]), int(found["b"])) for text in distinct if (found := match_shape("year_last", text))]
    day_first = sum(1 for first, second in pairs if first > 12 >= second)
    month_first = sum(1 for first, second in pairs if second > 12 >= first)
    if day_first and month_first:
        return "mixed"
    if day_first or month_first:
        hints.day_first = day_first > 0
        return "day" if day_first else "month"
    is_day = hints.day_first if hints.day_first is not None else hints.decimal_comma or "." in str(distinct[0])
    hints.day_first = hints.day_first or is_day or None
    taken = "day/month/year" if is_day else "month/day/year"
    hints.notes.append(f"{name!r}: the order of day and month is not certain; read as {taken}")
    return "day" if is_day else "month"


def to_iso(text: Any, shape: str, order: str | None) -> str | None:
    if not isinstance(text, str) or not (found := match_shape(shape, text)):
        return None
    part = found.groupdict()
    year = int(part["y"])
    if len(part["y"]) == 2:
        year += 2000 if year < 70 else 1900
    if part.get("name"):
        month, day = _MONTHS.index(part["name"][:3].lower()) + 1, int(part.get("a") or 1)
    elif order == "day":
        day, month = int(part["a"]), int(part["b"])
    else:
        month, day = int(part["a"]), int(part.get("b") or 1)
    if not (
        1 <= month <= 12
        and 1 <= day <= (31, 29 if _is_leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    ):
        return None
    return f"{year:04}-{month:02}-{day:02}{_iso_time(part)}"


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _iso_time(part: dict[str, str | None]) -> str:
    if not (time := part.get("time")):
        return ""
    hours, _, rest = time.replace(",", ".").partition(":")
    hour = int(hours)
    if half := part.get("half"):
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    zone = part.get("zone") or ""
    return f"T{hour:02}:{rest}" + ("Z" if zone in ("Z", "UTC", "GMT") else zone)
