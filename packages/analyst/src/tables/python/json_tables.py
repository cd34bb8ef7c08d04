"""JSON and JSON lines as records, and records as columns."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pandas as pd

from .delimited import NotATable
from .encoding import Encoding, detect_encoding, open_as_utf8
from .header import unique_names
from .inference import TableHints
from .json_records import find_records, flatten
from .mixed_columns import to_column

# Python's objects take about this many times the memory of their text: as a document, and record by record.
_GROWTH = 10
_GROWTH_IN_PARTS = 4
_MAX_COLUMNS = 2000
_CHUNK_CHARS = 1024 * 1024
_BETWEEN = re.compile(r"[\s,]*")


def read_json(path: str, is_lines: bool, max_bytes: int, hints: TableHints) -> tuple[pd.DataFrame, int, bool, str]:
    """The table, the rows of the whole file, whether it is JSON lines, and its encoding. Raises NotATable, NotText."""
    size = os.path.getsize(path)
    if size == 0:
        raise NotATable("the file is empty")
    encoding = detect_encoding(path)
    try:
        if not is_lines and size * _GROWTH <= max(max_bytes, 20_000_000):
            with _open_text(path, encoding) as text:
                content = text.read()
            try:
                records = find_records(json.loads(content))
                return _to_table(iter(records), len(records), hints), len(records), False, encoding.name
            except json.JSONDecodeError as error:
                if not _starts_with_line(content):
                    raise NotATable(f"it is not valid JSON: {error.msg} in line {error.lineno}") from None
            is_lines = True
        return _read_in_parts(path, encoding, is_lines, max_bytes, hints)
    except RecursionError:
        raise NotATable("its values are nested too deeply") from None


def _read_in_parts(
    path: str, encoding: Encoding, is_lines: bool, max_bytes: int, hints: TableHints
) -> tuple[pd.DataFrame, int, bool, str]:
    with _open_text(path, encoding) as text:
        head = text.read(256 * 1024)
    is_lines = is_lines or _starts_with_line(head)
    bad: list[int] = []
    source = _lines(path, encoding, bad) if is_lines else _elements(path, encoding)
    frame = _to_table(source, _fitting_rows(head, max_bytes), hints)
    rest = sum(1 for _ in source) if not is_lines else _count_lines(path, encoding) - len(frame) - len(bad)
    if bad:
        if len(bad) > len(frame):
            raise NotATable(f"it is not valid JSON: line {bad[0]} cannot be read")
        hints.notes.append(f"{len(bad)} lines that are not valid JSON skipped, the first is line {bad[0]}")
    return frame, len(frame) + max(0, rest), is_lines, encoding.name


def _open_text(path: str, encoding: Encoding) -> io.TextIOWrapper:
    stream = open_as_utf8(path, encoding)
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream, 1 << 20)
    return io.TextIOWrapper(buffered, encoding="utf-8", errors="replace")


def _starts_with_line(content: str) -> bool:
    """Whether the first line is a whole document and more follow."""
    first, _, rest = content.lstrip().partition("\n")
    try:
        return bool(rest.strip()) and isinstance(json.loads(first), (dict, list))
    except ValueError:
        return False


def _lines(path: str, encoding: Encoding, bad: list[int]) -> Iterator[Any]:
    with _open_text(path, encoding) as text:
        for number, line in enumerate(text, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError:
                    bad.append(number)


def _count_lines(path: str, encoding: Encoding) -> int:
    from .counting import count_records

    with open_as_utf8(path, encoding) as stream:
        return count_records(stream, None)


def _elements(path: str, encoding: Encoding) -> Iterator[Any]:
    """The elements of one large array, without the whole of it in memory."""
    decoder = json.JSONDecoder()
    with _open_text(path, encoding) as text:
        buffer = text.read(_CHUNK_CHARS).lstrip()
        if not buffer.startswith("["):
            raise NotATable("it is too large to read as a whole; JSON lines can be read in parts")
        position, step = 1, _CHUNK_CHARS
        while True:
            position = _BETWEEN.match(buffer, position).end()  # type: ignore[union-attr]
            if buffer.startswith("]", position):
                return
            try:
                value, end = decoder.raw_decode(buffer, position)
                # A number at the very end may go on in the next part.
                if end < len(buffer):
                    yield value
                    position, step = end, _CHUNK_CHARS
                    continue
            except json.JSONDecodeError:
                pass
            more = text.read(step)
            if not more:
                raise NotATable("it is not valid JSON: it ends too early or an element is broken")
            buffer, position, step = buffer[position:] + more, 0, step * 2


def _fitting_rows(head: str, max_bytes: int) -> int:
    rows = head.count("\n") if "\n{" in head else head.count("},{") + head.count("}, {")
    return max(1000, int(max_bytes / _GROWTH_IN_PARTS / max(20.0, len(head) / max(1, rows))))


def _to_table(records: Iterator[Any], max_rows: int, hints: TableHints) -> pd.DataFrame:
    columns: dict[str, list[Any]] = {}
    count = 0
    is_wide = False
    for record in islice(records, max_rows):
        fields = flatten(record)
        for key, value in fields.items():
            if key not in columns:
                if len(columns) >= _MAX_COLUMNS:
                    is_wide = True
                    continue
                columns[key] = [None] * count
            columns[key].append(value)
        count += 1
        if len(fields) < len(columns):
            for values in columns.values():
                if len(values) < count:
                    values.append(None)
    if is_wide:
        hints.notes.append(f"only the first {_MAX_COLUMNS} columns are kept")
    if not columns:
        raise NotATable("it has no rows" if count == 0 else "its records have no fields")
    names, notes = unique_names(list(columns), len(columns))
    hints.notes.extend(notes)
    return pd.DataFrame({name: to_column(name, columns.pop(key), hints) for name, key in zip(names, list(columns))})
