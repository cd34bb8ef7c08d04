"""The sheets of an Excel workbook as tables."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

import pandas as pd

from .delimited import NotATable
from .header import find_header, unique_names
from .inference import TableHints
from .mixed_columns import to_column

_MAX_COLUMNS = 2000
_BYTES_PER_CELL = 150
_HEAD_ROWS = 100


def read_sheets(path: str, max_bytes: int) -> Iterator[tuple[str, pd.DataFrame, int, TableHints]]:
    """Each sheet that holds a table: its name, the table, the rows of the whole sheet, notes. Raises NotATable."""
    try:
        import openpyxl
    except ImportError:
        raise NotATable(
            "openpyxl is not installed, and Excel files need it: run `pip install openpyxl`, or save the file as CSV"
        ) from None
    _check_archive(path, max_bytes)
    # By its content: a name without .xlsx would be refused.
    file = open(path, "rb")  # noqa: SIM115
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises whatever its parsers do.
        file.close()
        raise NotATable(f"it is not a sound Excel workbook ({type(error).__name__})") from None
    try:
        for sheet in book.worksheets:
            hints = TableHints()
            try:
                found = _read_sheet(sheet, max_bytes, hints)
            except (MemoryError, KeyboardInterrupt):
                raise
            except Exception as error:
                raise NotATable(f"its sheet {sheet.title!r} cannot be read ({type(error).__name__})") from None
            if found is not None:
                frame, rows = found
                max_bytes -= len(frame) * len(frame.columns) * 16
                yield sheet.title, frame, rows, hints
    finally:
        book.close()
        file.close()


def _check_archive(path: str, max_bytes: int) -> None:
    """All texts of a workbook are held in memory while it is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            texts = [
                entry.file_size
                for entry in archive.infolist()
                if entry.filename.lower().endswith(("sharedstrings.xml", "styles.xml"))
            ]
    except (zipfile.BadZipFile, OSError, ValueError):
        raise NotATable("it is not an Excel workbook (.xlsx)") from None
    if sum(texts) * 3 > max_bytes:
        raise NotATable("its texts are too large for the sandbox's memory; save the sheet as CSV")


def _read_sheet(sheet: Any, max_bytes: int, hints: TableHints) -> tuple[pd.DataFrame, int] | None:
    sheet.reset_dimensions()
    rows, total, max_cells = [], 0, max_bytes // _BYTES_PER_CELL
    cells = 0
    for row in sheet.iter_rows(values_only=True):
        filled = _trim(row)
        if not filled:
            continue
        total += 1
        if cells <= max_cells or total <= _HEAD_ROWS:
            cells += len(filled)
            rows.append(filled)
    if not rows:
        return None
    above = total - len(rows)
    width = min(_MAX_COLUMNS, max(map(len, rows)))
    first = _first_row(rows, width)
    if first:
        hints.notes.append(f"{first} row{'s' if first > 1 else ''} above the table skipped")
    body = rows[first:]
    heads = find_header([["" if cell is None else str(cell) for cell in row] for row in body[:_HEAD_ROWS]], width)
    if heads is None:
        hints.notes.append("no header row: columns are named column_1, column_2, …")
    else:
        body = body[1:]
    names, notes = unique_names(heads or [], width)
    hints.notes.extend(notes if heads else [])
    columns = zip(*(row[:width] + (None,) * (width - len(row)) for row in body)) if body else [()] * width
    frame = pd.DataFrame({name: to_column(name, column, hints) for name, column in zip(names, columns)})
    return frame, len(frame) + above


def _trim(row: tuple[Any, ...]) -> tuple[Any, ...]:
    end = len(row)
    while end and (row[end - 1] is None or row[end - 1] == ""):
        end -= 1
    return row[:end]


def _first_row(rows: list[tuple[Any, ...]], width: int) -> int:
    """Titles above a table fill few of its columns."""
    for number, row in enumerate(rows[:20]):
        if sum(1 for cell in row if cell is not None) > width / 2:
            return number
    return 0
