"""Whether a table's first row names its columns, and those names made unique."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

_MAX_NAME_CHARS = 200
_AROUND_NUMBERS = "+-()$€£¥%. \t"
_IN_NUMBERS_AND_DATES = frozenset("0123456789.,'/-:+eETZ年月日 ")
_CONTROLS = dict.fromkeys([*range(32), 127], " ")


def find_header(rows: Sequence[Sequence[str]], width: int) -> list[str] | None:
    """The first row's cells if they are names; None if they are data."""
    first, body = rows[0], rows[1:101]
    if not body:
        return list(first) if not any(_is_value(cell) for cell in first) else None
    if not any(cell.strip() for cell in first):
        return None
    if _are_positions(first) and any("." in cell for cell in body[0]):
        return list(first)
    score = 0.0
    for position, head in enumerate(first):
        column = [row[position].strip() for row in body if position < len(row) and row[position].strip()]
        score += _weigh(head.strip(), column)
    return list(first) if score >= 0 else None


def unique_names(names: Sequence[object], width: int) -> tuple[list[str], list[str]]:
    """A name for each of `width` columns, and notes on those that had to be changed."""
    given = [_clean(name) for name in names[:width]]
    given += [""] * (width - len(given))
    unnamed = sum(1 for name in given if not name)
    given = [name or f"column_{number}" for number, name in enumerate(given, 1)]
    taken = set(given)
    seen: Counter[str] = Counter()
    result: list[str] = []
    for name in given:
        fresh = name
        while seen[name] and fresh in taken:
            fresh = f"{name}.{seen[name]}"
            seen[name] += 1
        seen[name] = seen[name] or 1
        taken.add(fresh)
        result.append(fresh)
    notes = []
    if doubled := sorted({name for name in given if given.count(name) > 1}) if len(taken) > len(set(given)) else []:
        notes.append("column names that occur twice got a number: " + ", ".join(doubled[:5]))
    if unnamed:
        notes.append(f"{unnamed} column{'s' if unnamed > 1 else ''} without a name")
    return result, notes


def _clean(name: object) -> str:
    if name is None or name != name:
        return ""
    text = " ".join(str(name).translate(_CONTROLS).split()).strip("\ufeff").removeprefix("#").lstrip()
    return text[:_MAX_NAME_CHARS].encode("utf-8", "replace").decode()


def _weigh(head: str, column: list[str]) -> float:
    """Positive: the first cell differs from what is below it. Negative: it is of the same kind."""
    if not column:
        return 0.0
    values = sum(1 for cell in column if _is_value(cell)) / len(column)
    if _is_value(head):
        is_year = _is_year(head) and sum(map(_is_year, column)) < len(column) / 2
        return 0.0 if is_year or values < 0.5 else -1.0
    if values >= 0.7:
        return 1.0 if head else -0.1
    if not head:
        return -0.1
    return -0.6 if head in column else 0.05


def _are_positions(cells: Sequence[str]) -> bool:
    """0, 1, 2, … as pandas names the columns of an array."""
    numbers = [cell for cell in cells if cell.strip()]
    return len(numbers) >= 3 and numbers == [str(number) for number in range(len(numbers))]


def _is_value(cell: str) -> bool:
    """A number or a date: begins with a digit and has nothing but what belongs to either."""
    if len(cell) > 40:
        return False
    core = cell.strip(_AROUND_NUMBERS)
    return core[:1].isdigit() and _IN_NUMBERS_AND_DATES.issuperset(core)


def _is_year(cell: str) -> bool:
    return len(cell) == 4 and cell.isdigit() and cell[:2] in ("19", "20")
