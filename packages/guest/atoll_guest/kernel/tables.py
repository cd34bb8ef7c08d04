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
            return {**to_part(value, value.iloc[:max_rows, :max_columns]), "totalColumns": len(value.columns)}
        if issubclass(kind, pandas.Series):
            head = value.iloc[:max_rows]
            return to_part(value, head.to_frame("value" if head.name is None else head.name))
    except KeyboardInterrupt:
        raise
    except BaseException:
        pass
    return None


def to_part(whole: Any, part: Any) -> dict[str, Any]:
    """Some rows of a table. Fewer than given, where they are very long."""
    columns = [_cells(part.iloc[:, position]) for position in range(part.shape[1])]
    rows = _fitting([list(row) for row in zip(*columns)] if columns else [[] for _ in range(len(part))])
    names = [to_label(name) for name in part.columns.tolist()]
    table = {
        "columns": [{"name": name, "dtype": str(dtype)} for name, dtype in zip(names, part.dtypes.tolist())],
        "rows": rows,
        "totalRows": len(whole),
        "totalColumns": part.shape[1],
    }
    if has_labels(whole):
        labels = part.index[: len(rows)].tolist()
        is_multi = part.index.nlevels > 1
        table["index"] = [
            [to_cell(level) for level in label] if is_multi else to_cell(label) for label in labels
        ]
        table["indexNames"] = [None if name is None else to_label(name) for name in part.index.names]
    return table


def _cells(column: Any) -> list[Any]:
    if str(column.dtype) == "float32" or str(column.dtype) == "float16":
        # The shortest text that means this number; its value as a double has digits that it never had.
        return [to_cell(float(str(number))) for number in column.to_numpy()]
    return [to_cell(cell) for cell in column.tolist()]


def has_labels(table: Any) -> bool:
    """Whether its index says more than a position."""
    index = table.index
    if len(index) == 0:
        return False
    is_range = type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
    return not is_range or index.name is not None


def _fitting(rows: list[list[Any]]) -> list[list[Any]]:
    """As many of the first rows as make a table that one may still send around; at least one."""
    chars = 0
    for number, row in enumerate(rows):
        chars += sum(len(cell) for cell in row if type(cell) is str)
        if chars > _MAX_TEXT_CHARS and number:
            return rows[:number]
    return rows
