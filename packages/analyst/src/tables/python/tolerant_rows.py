"""Rows of delimited text with faults: short rows are filled up, long ones left out, and both are counted."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import pandas as pd

from .dialect import Dialect

_BATCH_ROWS = 20_000
_MAX_FIELD_CHARS = 1024 * 1024


class _OpenQuote(Exception):
    pass


def read_tolerantly(
    open_text: Callable[[], Iterable[str]], dialect: Dialect, max_bytes: int, notes: list[str]
) -> tuple[list[pd.Series], bool]:
    """The columns, and whether rows were left for want of memory."""
    try:
        return _read(open_text(), dialect, dialect.quote, max_bytes, notes)
    except _OpenQuote:
        notes.append("quotes are not balanced: they are read as text")
        return _read(open_text(), dialect, None, max_bytes, notes)


def _read(
    lines: Iterable[str], dialect: Dialect, quote: str | None, max_bytes: int, notes: list[str]
) -> tuple[list[pd.Series], bool]:
    faults = _Faults()
    rows = _fitting_rows(_parse(lines, dialect, quote), dialect.width, faults)
    parts: list[list[pd.Series]] = []
    used, is_cut = 0, False
    while batch := list(islice(rows, _BATCH_ROWS)):
        used += sum(len(cell) + 16 for row in batch for cell in row)
        if parts and used > max_bytes:
            is_cut = True
            break
        parts.append([pd.Series(list(column), dtype="str") for column in zip(*batch)])
    notes.extend(faults.describe())
    if not parts:
        return [pd.Series([], dtype="str") for _ in range(dialect.width)], False
    return [pd.concat(column, ignore_index=True) if len(parts) > 1 else column[0] for column in zip(*parts)], is_cut


class _Faults:
    def __init__(self) -> None:
        self.short = self.long = 0
        self.example: list[str] = []

    def describe(self) -> Iterator[str]:
        if self.short:
            yield f"{_rows(self.short)} with too few fields filled up with missing values"
        if self.long:
            yield f"{_rows(self.long)} with too many fields skipped, e.g. {'|'.join(self.example)[:80]!r}"


def _fitting_rows(rows: Iterable[list[str]], width: int, faults: _Faults) -> Iterator[list[str]]:
    for row in rows:
        if len(row) == width:
            if width > 1 or row[0].strip():
                yield row
        elif not any(cell.strip() for cell in row):
            continue
        elif len(row) < width:
            faults.short += 1
            yield row + [""] * (width - len(row))
        elif any(cell.strip() for cell in row[width:]):
            faults.long += 1
            faults.example = faults.example or row
        else:
            yield row[:width]


def _parse(lines: Iterable[str], dialect: Dialect, quote: str | None) -> Iterator[list[str]]:
    if dialect.is_white_space:
        pattern = re.compile(dialect.separator)
        yield from (pattern.split(line.strip()) for line in lines if line.strip())
        return
    settings: dict[str, Any] = {"quoting": csv.QUOTE_NONE} if quote is None else {"quotechar": quote}
    if quote is not None and dialect.separator != "\t":
        settings["skipinitialspace"] = True
    limit = csv.field_size_limit(_MAX_FIELD_CHARS)
    try:
        yield from csv.reader(lines, delimiter=dialect.separator, **settings)
    except csv.Error as error:
        if quote is None:
            raise
        raise _OpenQuote from error
    finally:
        csv.field_size_limit(limit)


def _rows(count: int) -> str:
    return f"{count} row{'s' if count > 1 else ''}"
