"""One file to look at: its table is shown, and so kept by the kernel, and no variable is made of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .loading import quietly, reading_problem

_MAX_NOTES = 30
_MAX_SHEETS = 200


def show(
    request: dict[str, Any], display: Callable[[Any], None] | None, publish: Callable[[dict[str, Any]], None]
) -> None:
    """A message that describes the table, or has the `problem`; then the table itself."""
    path, sheet = request["path"], request["sheet"]
    found: list[Any] = []
    with quietly():
        problem = reading_problem(lambda: found.extend(_read(path, request["memoryBytes"] // 4)))
    sheets = [each.facts["sheet"] for each in found if "sheet" in each.facts]
    wanted = [each for each in found if sheet is None or each.facts.get("sheet") == sheet]
    if not wanted:
        no_sheet = f"it has no sheet {sheet!r} with a table" if found else "it is no table"
        publish({"problem": problem or no_sheet, "sheets": sheets[:_MAX_SHEETS]})
        return
    table = wanted[0]
    del found
    publish(
        {
            "sheets": sheets[:_MAX_SHEETS],
            "format": table.facts["format"],
            "sheet": table.facts.get("sheet"),
            "rows": table.rows,
            "notes": table.notes[:_MAX_NOTES],
        }
    )
    if display is None:
        from IPython.display import display
    display(table.frame)


def _read(path: str, max_bytes: int) -> Any:
    from .files import read_tables

    return read_tables(path, os.path.basename(path), max_bytes)
