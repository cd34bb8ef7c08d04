"""Which rows of a DataFrame a reader wants to see, and in which order. The frame itself is left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .cells import to_cell, to_label

_COMPARISON = re.compile(r"\s*(>=|<=|!=|=|>|<)\s*(.*?)\s*", re.DOTALL)
_PLACE = re.compile(r"#(\d{1,6})")
_MAX_WORDS = 20


class NoSuchColumn(Exception):
    pass


@dataclass(frozen=True)
class Query:
    """`sort`: a column's name, with `-` before it for the largest first. `filter`: words, or with `column` a comparison."""

    sort: str | None = None
    filter: str | None = None
    column: str | None = None


def choose_rows(frame: Any, query: Query) -> Any:
    """Positions of the rows, as an array; None: all of them, as they are."""
    import numpy

    positions = None
    if query.filter and query.filter.strip():
        positions = numpy.flatnonzero(_matches(frame, query.filter, query.column))
    elif query.column is not None:
        _find(frame, query.column)
    if query.sort:
        values, is_descending = _sorted_by(frame, query.sort)
        order = _order(values if positions is None else values.iloc[positions], is_descending)
        positions = order if positions is None else positions[order]
    return positions


def _sorted_by(frame: Any, sort: str) -> tuple[Any, bool]:
    if sort.startswith("-"):
        try:
            return _find(frame, sort[1:]), True
        except NoSuchColumn:
            pass
    return _find(frame, sort), False


def _find(frame: Any, name: str) -> Any:
    """A column, or a level of the index, by the name that it is shown with; or `#2`: the third column, whatever it is called."""
    for position, label in enumerate(frame.columns.tolist()):
        if to_label(label) == name:
            return frame.iloc[:, position]
    for level, label in enumerate(frame.index.names):
        if label is not None and to_label(label) == name:
            return frame.index.get_level_values(level).to_series()
    if (place := _PLACE.fullmatch(name)) and int(place[1]) < frame.shape[1]:
        return frame.iloc[:, int(place[1])]
    raise NoSuchColumn(f"the table has no column {name[:200]!r}")


def _order(values: Any, is_descending: bool) -> Any:
    """Stable; what is missing comes last."""
    values = values.reset_index(drop=True)
    options = {"ascending": not is_descending, "kind": "stable", "na_position": "last"}
    try:
        ordered = values.sort_values(**options)
    except TypeError:  # Of several types, which cannot be compared.
        ordered = values.map(_text, na_action="ignore").sort_values(**options)
    return ordered.index.to_numpy()


def _matches(frame: Any, wanted: str, column: str | None) -> Any:
    import numpy

    if column is not None:
        values = _find(frame, column)
        if (found := _compare(values, wanted)) is not None:
            return found
        searched: Iterator[Any] = iter([values])
    else:
        searched = _all_values(frame)
    words = wanted.lower().split()[:_MAX_WORDS]
    has_word = [numpy.zeros(len(frame), dtype=bool) for _ in words]
    for values in searched:
        texts = _texts(values)
        for position, word in enumerate(words):
            has_word[position] |= texts.str.contains(word, regex=False).to_numpy(dtype=bool)
    return numpy.logical_and.reduce(has_word)


def _all_values(frame: Any) -> Iterator[Any]:
    for position in range(frame.shape[1]):
        yield frame.iloc[:, position]
    if type(frame.index).__name__ != "RangeIndex":
        for level in range(frame.index.nlevels):
            yield frame.index.get_level_values(level).to_series()


def _texts(values: Any) -> Any:
    """In small letters, as a reader sees them; nothing for what is missing."""
    import pandas

    if values.dtype.kind in "iufbMm" and not isinstance(values.dtype, pandas.CategoricalDtype):
        texts = values.astype(str)
    elif isinstance(values.dtype, pandas.StringDtype):
        texts = values.astype(object)
    else:
        texts = pandas.Series([_text(value) for value in values.tolist()], dtype=object)
    texts = texts.reset_index(drop=True)
    return texts.where(values.notna().to_numpy(), "").str.lower()


def _compare(values: Any, wanted: str) -> Any:
    """None where it is no comparison that these values allow: then it is words."""
    if (found := _COMPARISON.fullmatch(wanted)) is None:
        return None
    sign, text = found.groups()
    try:
        other = _as_one_of(values, text)
        compared = _COMPARE[sign](values, other)
    except (TypeError, ValueError, OverflowError):
        if sign not in ("=", "!="):
            return None
        is_same = _texts(values).to_numpy() == text.lower()
        return ~is_same if sign == "!=" else is_same
    result = compared.fillna(sign == "!=") if compared.isna().any() else compared
    return result.to_numpy(dtype=bool)


_COMPARE: dict[str, Any] = {
    ">": lambda values, other: values > other,
    "<": lambda values, other: values < other,
    ">=": lambda values, other: values >= other,
    "<=": lambda values, other: values <= other,
    "=": lambda values, other: values == other,
    "!=": lambda values, other: values != other,
}


def _as_one_of(values: Any, text: str) -> Any:
    import pandas

    kind = values.dtype.kind
    if kind in "iuf":
        return float(text.replace(",", "").replace("_", ""))
    if kind == "M":
        moment = pandas.Timestamp(text)
        zone = getattr(values.dtype, "tz", None)
        return moment.tz_localize(zone) if zone is not None and moment.tz is None else moment
    raise TypeError


def _text(value: Any) -> str:
    cell = to_cell(value)
    return cell if isinstance(cell, str) else "" if cell is None else str(cell)
