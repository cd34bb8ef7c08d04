"""One file of a thread: what it is by its name and its first bytes, and its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from .delimited import NotATable, read_delimited
from .encoding import NotText
from .inference import TableHints, convert_columns

_BY_EXTENSION = {
    **dict.fromkeys(("csv",), "csv"),
    **dict.fromkeys(("tsv", "tab"), "tsv"),
    **dict.fromkeys(("txt", "dat"), "text"),
    **dict.fromkeys(("json", "geojson"), "json"),
    **dict.fromkeys(("jsonl", "ndjson"), "jsonl"),
    **dict.fromkeys(("xlsx", "xlsm", "xltx", "xltm"), "excel"),
    **dict.fromkeys(("xls", "xlsb"), "old_excel"),
    **dict.fromkeys(("parquet", "pq"), "parquet"),
}


@dataclass
class FoundTable:
    frame: pd.DataFrame
    rows: int
    facts: dict[str, Any]
    notes: list[str] = field(default_factory=list)


def read_tables(path: str, name: str, max_bytes: int) -> Iterator[FoundTable]:
    """Nothing for a file that does not claim to be a table. Raises NotATable, NotText."""
    extension = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    kind = _by_content(path, _BY_EXTENSION.get(extension))
    if kind in ("csv", "tsv", "text"):
        yield from _read_text(path, kind, max_bytes)
    elif kind in ("json", "jsonl"):
        yield from _read_json(path, kind == "jsonl", max_bytes)
    elif kind == "excel":
        yield from _read_excel(path, max_bytes)
    elif kind == "parquet":
        yield from _read_parquet(path, max_bytes)
    elif kind == "old_excel":
        raise NotATable(f"old Excel files (.{extension}) cannot be read here: save it as .xlsx or CSV")


def _by_content(path: str, kind: str | None) -> str | None:
    """Names mislead: exports called .xls are often text, and a .csv may be a workbook."""
    if kind is None:
        return None
    with open(path, "rb") as file:
        head = file.read(8)
    if head.startswith(b"PK\x03\x04"):
        return "excel"
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        if kind == "excel":
            raise NotATable("it is protected by a password, or an old Excel file: save it as .xlsx or CSV without one")
        return "old_excel"
    if head.startswith(b"\x1f\x8b"):
        raise NotATable("it is compressed: unpack it first")
    return "text" if kind == "old_excel" and head else kind


def _read_text(path: str, kind: str, max_bytes: int) -> Iterator[FoundTable]:
    try:
        text = read_delimited(path, kind == "tsv", max_bytes)
    except (NotATable, NotText):
        if kind == "text":
            return
        raise
    if kind == "text" and (
        text.dialect.width < 2 or text.dialect.is_white_space or text.dialect.regularity < 0.95 or not text.rows
    ):
        return
    if text.dialect.width == 1 and text.dialect.regularity < 0.8:
        raise NotATable("its lines have no columns in common: it is text, not a table")
    separator = {"\\s+": "white space", "\\s{2,}": "white space"}.get(text.dialect.separator, text.dialect.separator)
    facts = {"format": "tsv" if separator == "\t" else "csv", "separator": separator, "encoding": text.encoding.name}
    hints = TableHints(notes=text.notes)
    frame = pd.DataFrame(convert_columns(text.names, text.columns, hints))
    _drop_unnamed_empty(frame, text.dialect.names, hints.notes)
    if reading := _describe_reading(text, hints):
        facts["reading"] = reading
    if text.rows > text.loaded_rows:
        hints.notes.append(_reading_in_parts(path, text, len(frame)))
    yield FoundTable(frame, text.rows, facts, hints.notes)


def _describe_reading(text: Any, hints: TableHints) -> dict[str, Any]:
    return {
        **({"decimal": ",", "thousands": "."} if hints.decimal_comma else {}),
        **({"thousands": ","} if hints.thousands_comma and not hints.decimal_comma else {}),
        **({"day_first": True} if hints.day_first else {}),
        **({"skip_rows": text.lines_above} if text.lines_above else {}),
        **({} if text.dialect.names else {"has_header": False}),
    }


def _drop_unnamed_empty(frame: pd.DataFrame, names: list[str] | None, notes: list[str]) -> None:
    """Separators at the end of every line make columns that nobody meant."""
    empty = [
        column
        for position, column in enumerate(frame.columns)
        if (names is None or position >= len(names) or not names[position].strip())
        and re.fullmatch(r"column_\d+", column)
        and frame[column].isna().all()
    ]
    if len(frame) and empty and len(empty) < frame.shape[1]:
        frame.drop(columns=empty, inplace=True)
        notes[:] = [note for note in notes if not re.fullmatch(r"\d+ columns? without a name", note)]
        notes.append(f"{len(empty)} empty column{'s' if len(empty) > 1 else ''} without a name left out")


def _reading_in_parts(path: str, text: Any, loaded: int) -> str:
    arguments = [repr(path), f"sep={text.dialect.separator!r}", f"encoding={text.encoding.name!r}", "chunksize=200_000"]
    return (
        f"only the first {loaded:,} of {text.rows:,} rows are loaded, for want of memory; "
        f"for all of them read in parts: for part in pd.read_csv({', '.join(arguments)}): …"
    )


def _read_json(path: str, is_lines: bool, max_bytes: int) -> Iterator[FoundTable]:
    from .json_tables import read_json

    hints = TableHints()
    frame, rows, is_lines, encoding = read_json(path, is_lines, max_bytes, hints)
    if rows > len(frame):
        way = f"pd.read_json({path!r}, lines=True, chunksize=50_000)" if is_lines else "the json module"
        hints.notes.append(
            f"only the first {len(frame):,} of {rows:,} rows are loaded, for want of memory; {way} reads the rest"
        )
    yield FoundTable(frame, rows, {"format": "jsonl" if is_lines else "json", "encoding": encoding}, hints.notes)


def _read_excel(path: str, max_bytes: int) -> Iterator[FoundTable]:
    from .excel import read_sheets

    is_empty = True
    for sheet, frame, rows, hints in read_sheets(path, max_bytes):
        is_empty = False
        if rows > len(frame):
            hints.notes.append(f"only the first {len(frame):,} of {rows:,} rows are loaded, for want of memory")
        yield FoundTable(frame, rows, {"format": "excel", "sheet": sheet}, hints.notes)
    if is_empty:
        raise NotATable("all its sheets are empty")


def _read_parquet(path: str, max_bytes: int) -> Iterator[FoundTable]:
    from .parquet import read_parquet

    hints = TableHints()
    frame, rows = read_parquet(path, max_bytes, hints)
    if rows > len(frame):
        hints.notes.append(
            f"only the first {len(frame):,} of {rows:,} rows are loaded, for want of memory; "
            f"pyarrow.parquet.ParquetFile({path!r}).iter_batches() reads the rest"
        )
    yield FoundTable(frame, rows, {"format": "parquet"}, hints.notes)
