"""One cell of a table as a JSON value that JavaScript reads without loss."""

from __future__ import annotations

import datetime
import decimal
import math
import reprlib
import sys
from typing import Any

_MAX_CHARS = 2000
_MAX_ITEMS = 1000
_MAX_SAFE_INTEGER = 2**53 - 1
_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxfrozenset = _SHORT.maxdict = _SHORT.maxdeque = (
    100
)
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MAX_CHARS


def to_cell(value: Any) -> Any:
    """None, bool, number or text: missing values are None, dates their ISO form, all else its own text."""
    kind = type(value)
    if kind is str:
        return _cut(value)
    if kind is float:
        return _number(value)
    if kind is int:
        return value if -_MAX_SAFE_INTEGER <= value <= _MAX_SAFE_INTEGER else _text(value)
    if value is None or kind is bool:
        return value
    if kind is bytes:
        return _cut(repr(value[:_MAX_CHARS]) + ("…" if len(value) > _MAX_CHARS else ""))
    if _is_missing(value, kind):
        return None
    if issubclass(kind, (datetime.datetime, datetime.date, datetime.time)):
        return _cut(_guarded(lambda: value.isoformat()))
    if issubclass(kind, float) or _is_numpy(kind, "floating"):
        return _number(float(value))
    if _is_numpy(kind, "integer", "bool_") and not _is_numpy(kind, "timedelta64"):
        return to_cell(value.item())
    return _text(value)


def to_label(name: object) -> str:
    """A column's name; of several levels, those that say something."""
    if type(name) is tuple:
        parts = [_text(part) for part in name]
        return _cut(" / ".join(part for part in parts if part))
    return _text(name)


def _number(value: float) -> float | str | None:
    if math.isfinite(value):
        return value
    return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _is_missing(value: Any, kind: type) -> bool:
    pandas = sys.modules.get("pandas")
    if pandas is not None and (value is pandas.NaT or value is pandas.NA):
        return True
    if _is_numpy(kind, "datetime64", "timedelta64"):
        return str(value) == "NaT"
    return kind is decimal.Decimal and value.is_nan()


def _is_numpy(kind: type, *names: str) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and any(issubclass(kind, getattr(numpy, name)) for name in names)


def _text(value: Any) -> str:
    """Never fails, and stays short for a long container."""
    if (
        issubclass(type(value), (list, tuple, dict, set, frozenset))
        and _guarded(lambda: len(value), 0) > _MAX_ITEMS
    ):
        return _cut(_guarded(lambda: _SHORT.repr(value)))
    return _cut(_guarded(lambda: str(value)))


def _cut(text: Any) -> str:
    if not isinstance(text, str):
        return "<cannot be shown>"
    if len(text) > _MAX_CHARS:
        text = text[:_MAX_CHARS] + "…"
    # A lone surrogate has no form in UTF-8.
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _guarded(make: Any, otherwise: Any = None) -> Any:
    try:
        return make()
    except KeyboardInterrupt:
        raise
    except BaseException:
        return otherwise
