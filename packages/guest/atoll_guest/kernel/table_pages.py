"""Parts of a table that was shown: rows as data, or as lines of CSV."""

from __future__ import annotations

import json
from typing import Any

from .shown_tables import shown_tables
from .table_rows import Query
from .tables import has_labels, to_part

_MAX_COLUMNS = 500
_MAX_CSV_BYTES = 8 * 1024 * 1024


class NoSuchTable(Exception):
    def __init__(self) -> None:
        super().__init__("the kernel no longer has this table: run the code that showed it again")


def read_page(header: dict[str, Any]) -> bytes:
    """JSON: a table, with `matchingRows` of the query. The rows after those that are asked for are not touched."""
    frame, positions = _find(header)
    offset, limit = header["offset"], header["limit"]
    page = to_part(frame, _part(frame, positions, offset, limit).iloc[:, :_MAX_COLUMNS])
    page["totalColumns"] = frame.shape[1]
    page["matchingRows"] = len(frame) if positions is None else len(positions)
    return json.dumps(page).encode()


def read_csv(header: dict[str, Any]) -> tuple[bytes, int]:
    """Lines, and how many rows they are: fewer than asked for where these are long. 0: there are no more."""
    frame, positions = _find(header)
    offset, limit = header["offset"], header["limit"]
    while True:
        part = _part(frame, positions, offset, limit)
        lines = part.to_csv(index=has_labels(frame), header=offset == 0).encode("utf-8", "replace")
        if len(lines) <= _MAX_CSV_BYTES or limit == 1:
            return lines, len(part)
        limit = max(1, limit // 4)


def _find(header: dict[str, Any]) -> tuple[Any, Any]:
    name = str(header["table"])
    frame = shown_tables.find(name)
    if frame is None:
        raise NoSuchTable
    return frame, shown_tables.choose(name, Query(*(header.get(key) for key in ("sort", "filter", "column"))))


def _part(frame: Any, positions: Any, offset: int, limit: int) -> Any:
    if positions is None:
        return frame.iloc[offset : offset + limit]
    return frame.iloc[positions[offset : offset + limit]]
