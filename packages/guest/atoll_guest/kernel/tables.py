"""DataFrames and Series as data: the contract's `Table`."""

from __future__ import annotations

import sys
from typing import Any

from .cells import to_cell, to_label

_MAX_TEXT_CHARS = 1_000_000


TABLE_MIME = "application/vnd.atoll.table+json"


def to_table(value: Any, max_rows: int = 200, max_columns: int = 200) -> dict[str, Any] | None:
    """None for anything else, and for a frame that cannot be read. Touches only the rows that it returns.

    Of all exceptions only KeyboardInterrupt comes out: a cell's own `__str__` can be stopped.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return None
    kind = type(value)
    try:
        if issubclass(kind, pandas.DataFrame):
            return _table(value, value.iloc[:max_rows, :max_columns], len(value.columns))
        if issubclass(kind, pandas.Series):
            head = value.iloc[:max_rows]
            return _table(value, head.to_frame("value" if head.name is None else head.name), 1)
    except KeyboardInterrupt:
        raise
    except BaseException:
        pass
    return None


def _table(whole: Any, head: Any, total_columns: int) -> dict[str, Any]:
    columns = [_cells(head.iloc[:, position]) for position in range(head.shape[1])]
    rows = _fitting([list(row) for row in zip(*columns)] if columns else [[] for _ in range(len(head))])
    names = [to_label(name) for name in head.columns.tolist()]
    table = {
        "columns": [{"name": name, "dtype": str(dtype)} for name, dtype in zip(names, head.dtypes.tolist())],
        "rows": rows,
        "totalRows": len(whole),
        "totalColumns": total_columns,
    }
    if not _is_position(head.index):
        labels = head.index[: len(rows)].tolist()
        is_multi = head.index.nlevels > 1
        table["index"] = [
            [to_cell(part) for part in label] if is_multi else to_cell(label) for label in labels
        ]
        table["indexNames"] = [None if name is None else to_label(name) for name in head.index.names]
    return table


def _cells(column: Any) -> list[Any]:
    if str(column.dtype) == "float32" or str(column.dtype) == "float16":
        # The shortest text that means this number; its value as a double has digits that it never had.
        return [to_cell(float(str(number))) for number in column.to_numpy()]
    return [to_cell(cell) for cell in column.tolist()]


def _is_position(index: Any) -> bool:
    if len(index) == 0:
        return True
    is_range = type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
    return is_range and index.name is None


def _fitting(rows: list[list[Any]]) -> list[list[Any]]:
    """As many of the first rows as make a table that one may still send around; at least one."""
    chars = 0
    for number, row in enumerate(rows):
        chars += sum(len(cell) for cell in row if type(cell) is str)
        if chars > _MAX_TEXT_CHARS and number:
            return rows[:number]
    return rows
