"""Where the records are in a JSON document, and each of them as one flat row."""

from __future__ import annotations

import json
from typing import Any

from .delimited import NotATable

_WRAPPERS = (
    "data",
    "records",
    "results",
    "items",
    "rows",
    "values",
    "entries",
    "features",
    "response",
    "result",
    "list",
)
_MAX_DEPTH = 6


def find_records(document: Any, depth: int = 0) -> list[Any]:
    """A list of records, each an object. Raises NotATable."""
    if isinstance(document, list):
        return _from_list(document)
    if not isinstance(document, dict):
        raise NotATable(f"it is JSON, but no table: a single {_kind(document)}")
    if not document:
        raise NotATable("it is JSON, but no table: an empty object")
    columns = document.get("columns")
    if isinstance(columns, list) and isinstance(document.get("data"), list):
        return [dict(zip(map(str, columns), row)) for row in document["data"] if isinstance(row, list)]
    if _are_columns(document):
        return [dict(zip(document, row)) for row in zip(*document.values())]
    if _are_records(list(document.values())):
        return [{"key": key, **value} for key, value in document.items()]
    for key in sorted(document, key=lambda key: _WRAPPERS.index(key) if key in _WRAPPERS else len(_WRAPPERS)):
        value = document[key]
        if isinstance(value, list) and value and sum(isinstance(item, dict) for item in value) > len(value) / 2:
            return _from_list(value)
        if isinstance(value, dict) and depth < 2 and key in _WRAPPERS:
            try:
                return find_records(value, depth + 1)
            except NotATable:
                continue
    keys = ", ".join(json.dumps(str(key)[:40], ensure_ascii=False) for key in list(document)[:5])
    raise NotATable(f"it is JSON, but no table: an object with {keys}{', …' if len(document) > 5 else ''}")


def flatten(record: Any) -> dict[str, Any]:
    """Objects in objects as `outer.inner`."""
    if not isinstance(record, dict):
        return {"value": record}
    if not any(isinstance(value, dict) for value in record.values()):
        return record
    flat: dict[str, Any] = {}
    _flatten_into(flat, record, "", 0)
    return flat


def _flatten_into(flat: dict[str, Any], record: dict[str, Any], prefix: str, depth: int) -> None:
    for key, value in record.items():
        if isinstance(value, dict) and value and depth < _MAX_DEPTH:
            _flatten_into(flat, value, f"{prefix}{key}.", depth + 1)
        else:
            flat[f"{prefix}{key}"] = value


def _from_list(items: list[Any]) -> list[Any]:
    if not items:
        raise NotATable("it is an empty list")
    if all(isinstance(item, list) for item in items):
        first = items[0]
        if first and all(isinstance(cell, str) for cell in first) and len(items) > 1:
            return [dict(zip(first, row)) for row in items[1:]]
        return [{f"column_{number}": cell for number, cell in enumerate(row, 1)} for row in items]
    return items


def _are_columns(document: dict[str, Any]) -> bool:
    values = list(document.values())
    return (
        all(isinstance(value, list) for value in values)
        and len({len(value) for value in values}) == 1
        and len(values[0]) > 0
        and not any(isinstance(cell, (dict, list)) for value in values for cell in value[:20])
    )


def _are_records(values: list[Any]) -> bool:
    """Two or more objects that share most of their keys."""
    if len(values) < 2 or not all(isinstance(value, dict) and value for value in values):
        return False
    keys = [set(value) for value in values[:100]]
    return len(set.intersection(*keys)) >= len(set.union(*keys)) / 2


def _kind(value: Any) -> str:
    return "text" if isinstance(value, str) else "null" if value is None else "value"
