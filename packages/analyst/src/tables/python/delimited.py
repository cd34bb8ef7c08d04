"""A delimited text file as columns of text, with a count of what had to be left out."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from .dialect import Dialect, find_dialect
from .encoding import Encoding, detect_encoding, open_as_utf8
from .header import unique_names

_HEAD_BYTES = 256 * 1024
_TOLERANT_MAX_BYTES = 64 * 1024 * 1024


class NotATable(Exception):
    """Its message says why, to the user."""


@dataclass
class TextColumns:
    encoding: Encoding
    dialect: Dialect
    names: list[str]
    columns: list[pd.Series]
    rows: int
    loaded_rows: int
    # Lines above the header, or above the first row.
    lines_above: int = 0
    notes: list[str] = field(default_factory=list)


def read_delimited(path: str, prefers_tab: bool, max_bytes: int) -> TextColumns:
    """At most `max_bytes` of text in memory; of a longer file the first rows. Raises NotText, NotATable."""
    size = os.path.getsize(path)
    if size == 0:
        raise NotATable("the file is empty")
    encoding = detect_encoding(path)
    head, is_whole = _read_head(path, encoding)
    has_cr_only = "\n" not in head and "\r" in head
    dialect = find_dialect(head.replace("\r", "\n") if has_cr_only else head, is_whole, prefers_tab)
    if dialect is None:
        raise NotATable("the file has no rows")
    names, notes = unique_names(dialect.names or [], dialect.width)
    lines_above = head[: dialect.table_start].count("\n")
    notes = [*dialect.notes, *(notes if dialect.names else [])]
    result = TextColumns(encoding, dialect, names, [], 0, 0, lines_above, notes)
    if encoding.errors == "replace":
        result.notes.append("some bytes are not valid in its encoding and show as \ufffd")
    offset = len(head[: dialect.data_start].encode())
    table, is_cut = _read_rows(path, size, offset, result, max_bytes)
    result.columns = table
    result.loaded_rows = result.rows = len(table[0]) if table else 0
    if is_cut:
        from .counting import count_records

        with open_as_utf8(path, encoding) as stream:
            skip(stream, offset)
            result.rows = max(result.loaded_rows, count_records(stream, dialect.quote, b"\r" if has_cr_only else b"\n"))
    return result


def skip(stream: Any, count: int) -> None:
    while count > 0 and (chunk := stream.read(min(count, 1 << 20))):
        count -= len(chunk)


def _read_head(path: str, encoding: Encoding) -> tuple[str, bool]:
    with open_as_utf8(path, encoding) as stream:
        data = b""
        while len(data) < _HEAD_BYTES and (chunk := stream.read(_HEAD_BYTES - len(data))):
            data += chunk
        is_whole = not stream.read(1)
    return data.decode("utf-8", "ignore"), is_whole


def _read_rows(path: str, size: int, offset: int, result: TextColumns, max_bytes: int) -> tuple[list[pd.Series], bool]:
    dialect = result.dialect
    if not dialect.is_white_space:
        try:
            from .arrow_rows import RowsRefused, read_with_arrow
        except ImportError:
            pass
        else:
            try:
                with open_as_utf8(path, result.encoding) as stream:
                    skip(stream, offset)
                    may_skip_rows = size > _TOLERANT_MAX_BYTES
                    return read_with_arrow(stream, dialect, max_bytes, size, may_skip_rows, result.notes)
            except RowsRefused:
                pass
    from .tolerant_rows import read_tolerantly

    def open_text() -> io.TextIOWrapper:
        stream = open_as_utf8(path, result.encoding)
        skip(stream, offset)
        buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream, 1 << 20)
        return io.TextIOWrapper(buffered, encoding="utf-8", errors="replace", newline="")

    return read_tolerantly(open_text, dialect, max_bytes, result.notes)
