"""A column of Python values, as workbooks and JSON give them, as a column of one kind."""

from __future__ import annotations

import datetime
import decimal
import json
from collections.abc import Sequence
from typing import Any

import pandas as pd

from .inference import TableHints, convert_text

_MOMENTS = (datetime.datetime, datetime.date)
_INT_BITS = 63


def to_column(name: str, values: Sequence[Any], hints: TableHints) -> pd.Series:
    present = [value for value in values if value is not None and value == value]
    kinds = {type(value) for value in present}
    if not kinds:
        return pd.Series([float("nan")] * len(values), dtype="float64")
    if kinds == {bool}:
        return pd.Series(values, dtype=bool if len(present) == len(values) else "boolean")
    if kinds <= {int, float, decimal.Decimal} and not _is_too_large(present):
        return _numbers(values, present, kinds)
    if all(issubclass(kind, _MOMENTS) for kind in kinds):
        return _moments(values, hints, name)
    texts = [None if value is None or value != value else to_text(value) for value in values]
    if kinds & {list, dict}:
        hints.notes.append(f"{name!r}: lists and objects are kept as JSON text")
        return pd.Series(texts, dtype="str")
    return convert_text(name, pd.Series(texts, dtype="str"), hints)


def to_text(value: Any) -> str:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, (list, dict, tuple)):
        return json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace").decode()
    return str(value)


def _is_too_large(present: list[Any]) -> bool:
    return any(type(value) is int and value.bit_length() > _INT_BITS for value in present)


def _numbers(values: Sequence[Any], present: list[Any], kinds: set[type]) -> pd.Series:
    if kinds == {int}:
        if len(present) == len(values):
            return pd.Series(values, dtype="int64")
        if max(map(abs, present)) >= 2**53:
            return pd.Series([None if value is None or value != value else value for value in values], dtype="Int64")
    return pd.Series([float("nan") if value is None else float(value) for value in values], dtype="float64")


def _moments(values: Sequence[Any], hints: TableHints, name: str) -> pd.Series:
    try:
        return pd.to_datetime(
            pd.Series(values, dtype=object), utc=any(getattr(value, "tzinfo", None) for value in values) or None
        )
    except (ValueError, TypeError, OverflowError):
        hints.notes.append(f"{name!r}: some dates cannot be read, so it stays text")
        return pd.Series([None if value is None else str(value) for value in values], dtype="str")
