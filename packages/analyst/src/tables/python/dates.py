"""Text that means dates, decided by the whole column."""

from __future__ import annotations

import re
import warnings
from typing import Any

import pandas as pd

from . import inference
from .matching import any_match

_TIME = (
    r"(?:[T ]+(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)"
    r"\s*(?P<half>[AaPp]\.?[Mm]\.?)?\s*(?P<zone>Z|UTC|GMT|[-+]\d{2}(?::?\d{2})?)?)?"
)
_MONTH = (
    r"(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?"
# Compiled when first used: most columns need none, and none needs all.
_SHAPES = {
    "year_first": rf"(?P<y>\d{{4}})(?P<sep>[-/.])(?P<a>\d{{1,2}})(?P=sep)(?P<b>\d{{1,2}}){_TIME}",
    "year_last": rf"(?P<a>\d{{1,2}})(?P<sep>[-/.])(?P<b>\d{{1,2}})(?P=sep)(?P<y>\d{{4}}|\d{{2}}){_TIME}",
    "day_name": rf"{_WEEKDAY}(?P<a>\d{{1,2}})(?:st|nd|rd|th)?[-\s/.]+{_MONTH}[-\s/.,]+(?P<y>\d{{4}}|\d{{2}}){_TIME}",
    "name_day": rf"{_WEEKDAY}{_MONTH}\s+(?P<a>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}}){_TIME}",
    "name_year": rf"{_MONTH}[-\s,/]+(?P<y>\d{{4}})",
    "year_month": r"(?P<y>\d{4})[-/](?P<a>\d{1,2})",
    "chinese": r"(?P<y>\d{4})年(?P<a>\d{1,2})月(?:(?P<b>\d{1,2})[日号])?" + _TIME,
    "compact": r"(?P<y>(?:19|20)\d\d)(?P<a>0[1-9]|1[0-2])(?P<b>0[1-9]|[12]\d|3[01])?",
}
_DATE_WORDS = (
    r"(?:^|[^a-z])(?:date|datum|fecha|data|day|month|monat|mois|mes|period|yyyymm(?:dd)?|ymd?|time|timestamp|dt)"
    r"(?:$|[^a-z])"
    r"|date$|日期|时间|時間|月份|年月"
)
_DIGITS = frozenset("0123456789")
_SLICE_ROWS = 200_000


def is_named_as_date(name: str, sample: list[str]) -> bool:
    """Digits alone, such as 202401, are a date only where the column says so."""
    if not all(len(text) in (6, 8) and text.isdigit() and match_shape("compact", text) for text in sample):
        return False
    words = re.sub(r"([a-z])([A-Z])", r"\1 \2", name)
    return re.search(_DATE_WORDS, words, re.IGNORECASE) is not None


def may_be_dates(name: str, sample: list[str]) -> bool:
    return _find_shape(name, sample) is not None


def to_dates(name: str, values: pd.Series, hints: Any) -> pd.Series | None:
    """None when they are text after all."""
    shape = _find_shape(name, inference.sample_of(values))
    if shape is None:
        return None
    if shape == "year_first" and (quick := _read_iso(values)) is not None:
        return _noted(name, quick, hints)
    from .date_parts import find_order, to_iso

    order = find_order(name, values, hints) if shape == "year_last" else None
    if order == "mixed":
        hints.notes.append(f"{name!r}: days and months change places within the column, so it stays text")
        return None
    parts, bad = [], []
    for start in range(0, max(1, len(values)), _SLICE_ROWS):
        part = values.iloc[start : start + _SLICE_ROWS]
        codes, distinct = pd.factorize(part)
        moments = _read_iso(pd.Series([to_iso(text, shape, order) for text in distinct] + [None], dtype="str"))
        if moments is None:
            return None
        moments = moments.take(codes).reset_index(drop=True)
        parts.append(moments)
        bad.append(part[(moments.isna() & part.notna().reset_index(drop=True)).to_numpy()])
    faults = pd.concat(bad)
    if len({part.dtype for part in parts}) > 1:
        return None
    if not inference.tolerates(faults, len(values)):
        return None
    inference.note_bad(name, faults, "date", hints)
    return _noted(name, pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0], hints)


def _noted(name: str, moments: pd.Series, hints: Any) -> pd.Series:
    if isinstance(moments.dtype, pd.DatetimeTZDtype):
        hints.notes.append(f"{name!r}: times with a zone, all given in UTC")
    return moments


def _find_shape(name: str, sample: list[str]) -> str | None:
    if not sample or sum(1 for text in sample if not _DIGITS.isdisjoint(text)) < 0.95 * len(sample):
        return None
    for shape in dict.fromkeys(shape for text in sample[:5] for shape in _likely_shapes(text)):
        if shape == "compact" and not is_named_as_date(name, sample):
            continue
        if sum(1 for text in sample if match_shape(shape, text)) >= 0.95 * len(sample):
            return shape
    return None


def _likely_shapes(text: str) -> tuple[str, ...]:
    if "年" in text:
        return ("chinese",)
    if text.isdigit():
        return ("compact",)
    if text[:4].isdigit():
        return ("year_first", "year_month")
    after_number = text.lstrip("0123456789")
    if len(after_number) < len(text) and after_number[:1] in ("/", "-", ".") and after_number[1:2].isdigit():
        return ("year_last",)
    return ("day_name", "name_day", "name_year")


def match_shape(shape: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(_SHAPES[shape], text, re.IGNORECASE) if len(text) < 50 else None


def _read_iso(values: pd.Series) -> pd.Series | None:
    """Dates as ISO 8601 writes them; with several zones, all in UTC. None when one is not such a date."""
    has_zone = any_match(values, r":[0-9]{2}(?:\.[0-9]+)? ?(?:Z|UTC|GMT|[-+][0-9]{2})")
    if not has_zone and (quick := _cast_iso(values)) is not None:
        return quick
    parts = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # pandas makes a Python text of every value: a slice at a time.
        for start in range(0, max(1, len(values)), _SLICE_ROWS):
            try:
                moments = pd.to_datetime(values.iloc[start : start + _SLICE_ROWS], format="ISO8601", utc=has_zone)
            except (ValueError, OverflowError):
                return None
            if not pd.api.types.is_datetime64_any_dtype(moments.dtype):
                return None
            parts.append(moments)
    return pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]


def _cast_iso(values: pd.Series) -> pd.Series | None:
    """The quick way, for dates that are all written in full."""
    array = getattr(values.array, "_pa_array", None)
    if array is None:
        return None
    import pyarrow as pa

    try:
        return pd.Series(array.cast(pa.timestamp("us")).to_numpy())
    except pa.ArrowException:
        return None
