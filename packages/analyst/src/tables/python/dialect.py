"""How a delimited text is written: its separator, its quotes, where its rows begin and whether they have a header."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass, field

from .header import find_header

_SEPARATORS = ",;\t|"
_MAX_SAMPLE_ROWS = 200
# A field of a table is rarely longer; a longer one in the sample speaks of a quote that nobody closed.
_MAX_QUOTED_LINES = 50


@dataclass
class Dialect:
    # One character, or "\\s+" for any white space, or "\\s{2,}" for columns set apart by two blanks or more.
    separator: str
    # None when quotes are text like any other.
    quote: str | None
    names: list[str] | None
    width: int
    # Where the header, or else the first row, begins and where the first row of data does: characters of the sample.
    table_start: int
    data_start: int
    # The share of the sample's rows that have this width.
    regularity: float = 1.0
    notes: list[str] = field(default_factory=list)

    @property
    def is_white_space(self) -> bool:
        return len(self.separator) > 1


@dataclass
class Row:
    fields: list[str]
    start: int
    end: int


def find_dialect(text: str, is_whole: bool, prefers_tab: bool) -> Dialect | None:
    """None for a text without a row. `text` is the file's beginning; `is_whole` when nothing follows it."""
    start, declared = _declared_separator(text)
    candidates = [declared] if declared else [each for each in _SEPARATORS if each in text] or [","]
    quote = _find_quote(text)
    readings = [(separator, split_rows(text, start, separator, quote, is_whole)) for separator in candidates]
    if quote and any(_has_open_quote(rows) for _, rows in readings):
        quote = None
        readings = [(separator, split_rows(text, start, separator, None, is_whole)) for separator in candidates]
    readings = [(separator, rows) for separator, rows in readings if rows]
    if not readings:
        return None
    separator, rows = max(readings, key=lambda reading: _quality(*reading, prefers_tab))
    if _modal_width(rows) == 1 and not declared:
        for blank in ("\\s{2,}", "\\s+"):
            blank_rows = split_rows(text, start, blank, None, is_whole)
            if len(blank_rows) >= 2 and _is_regular(blank_rows):
                separator, rows, quote = blank, blank_rows, None
                break
    return _describe(separator, quote, rows)


def split_rows(text: str, start: int, separator: str, quote: str | None, is_whole: bool) -> list[Row]:
    """The sample's rows with their places; without blank lines, and without a last one that may go on."""
    lines = text[start:].split("\n", _MAX_SAMPLE_ROWS * 2)
    if len(lines) > 1 and (not is_whole or len(lines) > _MAX_SAMPLE_ROWS * 2):
        lines.pop()
    consumed = 0

    def feed():
        nonlocal consumed
        for line in lines:
            consumed += len(line) + 1
            yield line.rstrip("\r") + "\n"

    rows: list[Row] = []
    source = feed()
    before = 0
    try:
        for fields in _parse(source, separator, quote):
            if any(cell.strip() for cell in fields) or len(fields) > 1:
                rows.append(Row(fields, start + before, min(start + consumed, len(text))))
            before = consumed
            if len(rows) >= _MAX_SAMPLE_ROWS:
                break
    except csv.Error:
        pass
    return rows


def _parse(lines, separator: str, quote: str | None):
    if len(separator) > 1:
        pattern = re.compile(separator)
        return (pattern.split(line.strip()) for line in lines)
    if quote is None:
        return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator, quotechar=quote, skipinitialspace=separator != "\t")


def _declared_separator(text: str) -> tuple[int, str | None]:
    """Excel's own first line, `sep=;`."""
    if text[:5].lower().lstrip('"').startswith("sep=") and (
        found := re.match(r'"?sep=(.)"?\r?\n', text, re.IGNORECASE)
    ):
        return found.end(), found.group(1) if found.group(1) in _SEPARATORS else None
    return 0, None


def _find_quote(text: str) -> str | None:
    if '"' in text or "'" not in text:
        return '"'
    edges = re.findall(r"(?:^|[,;\t|])'[^'\n]*'(?=[,;\t|\r\n]|$)", text[:20_000], re.MULTILINE)
    return "'" if len(edges) >= 4 else '"'


def _has_open_quote(rows: list[Row]) -> bool:
    return any(cell.count("\n") > _MAX_QUOTED_LINES for row in rows for cell in row.fields)


def _modal_width(rows: list[Row]) -> int:
    counts = Counter(len(row.fields) for row in rows)
    # Of two that are as frequent, the first row's, if it may be a header; else the wider: titles are narrow.
    first = len(rows[0].fields)
    return max(counts, key=lambda width: (counts[width], width == first > 1, width))


def _share_at(rows: list[Row], width: int) -> float:
    return sum(1 for row in rows if len(row.fields) == width) / len(rows)


def _is_regular(rows: list[Row]) -> bool:
    width = _modal_width(rows)
    return width > 1 and _share_at(rows, width) >= 0.9


def _quality(separator: str, rows: list[Row], prefers_tab: bool) -> float:
    width = _modal_width(rows)
    if width == 1:
        return 0.0
    cells = [cell for row in rows[:100] for cell in row.fields]
    others = [each for each in _SEPARATORS if each not in (separator, ",")]
    foreign = sum(1 for cell in cells if any(other in cell for other in others)) / max(1, len(cells))
    if separator != "," and any("," in cell for cell in cells):
        # A decimal comma is no sign against the other separator.
        prose = sum(1 for cell in cells if "," in cell and not re.fullmatch(r"[^,]*\d,\d[\d.,]*[^,]*", cell))
        foreign += 0.2 * prose / len(cells)
    bonus = 0.2 if prefers_tab and separator == "\t" else 0.0
    return _share_at(rows, width) - 0.5 * foreign + bonus + min(width, 20) / 1000


def _describe(separator: str, quote: str | None, rows: list[Row]) -> Dialect:
    width = _modal_width(rows)
    notes: list[str] = []
    first = 0
    while first < len(rows) - 1 and _is_above_table(rows[first].fields, width):
        first += 1
    if first:
        notes.append(f"{first} line{'s' if first > 1 else ''} above the table skipped")
    body = rows[first:]
    names = find_header([row.fields for row in body], width)
    if names is None:
        notes.append("no header row: columns are named column_1, column_2, …")
    data_start = body[0].end if names is not None else body[0].start
    if quote is None and len(separator) == 1:
        notes.append("quotes are not balanced: they are read as text")
    return Dialect(separator, quote, names, width, body[0].start, data_start, _share_at(body, width), notes)


def _is_above_table(fields: list[str], width: int) -> bool:
    """A title is much narrower than the table; a remark is marked as one."""
    if len(fields) == width:
        return False
    filled = sum(1 for cell in fields if cell.strip())
    return fields[0].startswith("#") or (len(fields) < width and filled <= max(1, width // 2))
