"""What is worth knowing of a table before any question: for each column its kind, gaps, range and values."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd

from .cells import cut, to_cell, to_iso

_MAX_COLUMNS = 500
_MAX_VALUES = 50
_MAX_SAMPLES = 5
_MAX_JSON_CHARS = 400_000
_DUPLICATES_MAX_CELLS = 5_000_000
_MANY_ROWS = 100_000


def profile_frame(frame: pd.DataFrame, notes: list[str]) -> dict[str, Any]:
    """The fields of a table's profile that come from its content."""
    if frame.shape[1] > _MAX_COLUMNS:
        notes.append(f"only the first {_MAX_COLUMNS} of {frame.shape[1]} columns are described")
    described = frame.iloc[:, :_MAX_COLUMNS]
    columns = [_profile_column(str(name), described[name]) for name in described.columns]
    profile = {"columns": columns, "sample": _first_rows(described)}
    if frame.size and frame.size <= _DUPLICATES_MAX_CELLS:
        profile["duplicate_rows"] = int(frame.duplicated().sum())
    return _fitting(profile)


def _profile_column(name: str, column: pd.Series) -> dict[str, Any]:
    present = column.dropna()
    profile: dict[str, Any] = {
        "name": name,
        "dtype": str(column.dtype),
        "missing": len(column) - len(present),
        "samples": [],
    }
    if len(present) == 0:
        return {**profile, "kind": "other", "distinct": 0}
    kind = column.dtype.kind if isinstance(column.dtype, np.dtype) else None
    if pd.api.types.is_bool_dtype(column.dtype):
        counts = present.value_counts()
        profile |= {"kind": "boolean", "distinct": len(counts), "values": [str(value) for value in counts.index]}
    elif pd.api.types.is_numeric_dtype(column.dtype) and kind != "c":
        profile |= {"kind": "number", **_range_of_numbers(present)}
    elif pd.api.types.is_datetime64_any_dtype(column.dtype):
        profile |= {"kind": "date", "distinct": int(present.nunique())}
        profile |= {"min": to_iso(present.min()), "max": to_iso(present.max())}
    else:
        profile |= _values_of_text(present)
    samples = (
        present.iloc[:50].drop_duplicates().iloc[:_MAX_SAMPLES] if profile["kind"] != "other" else present.iloc[:2]
    )
    profile["samples"] = [to_cell(value) for value in samples.tolist()]
    return profile


def _range_of_numbers(present: pd.Series) -> dict[str, Any]:
    values = present.to_numpy(dtype="float64", na_value=np.nan)
    finite = values if np.isfinite(values).all() else values[np.isfinite(values)]
    result: dict[str, Any] = {"distinct": int(present.nunique())}
    if len(finite):
        is_whole = pd.api.types.is_integer_dtype(present.dtype)
        ends = {"min": finite.min(), "max": finite.max()}
        result |= {end: to_cell(int(value) if is_whole else float(value)) for end, value in ends.items()}
        with np.errstate(over="ignore"):
            mean = float(finite.mean())
        if np.isfinite(mean):
            result["mean"] = mean
    return result


def _values_of_text(present: pd.Series) -> dict[str, Any]:
    try:
        if len(present) > _MANY_ROWS and (head := present.iloc[:_MANY_ROWS].value_counts()).size > _MANY_ROWS // 4:
            # Nearly all different: counting them would take as much memory as they do.
            return {"kind": "text", "values": [cut(str(value)) for value in head.index[:_MAX_VALUES]]}
        counts = present.value_counts()
    except TypeError:
        return {"kind": "other"}
    distinct = len(counts)
    is_text = isinstance(present.iloc[0], str)
    has_few = distinct <= max(20, min(200, len(present) // 20))
    is_category = has_few and (distinct < len(present) or distinct == 1)
    kind = "other" if not is_text else "category" if is_category else "text"
    return {"kind": kind, "distinct": distinct, "values": [cut(str(value)) for value in counts.index[:_MAX_VALUES]]}


def _first_rows(frame: pd.DataFrame) -> list[list[Any]]:
    head = frame.iloc[:5]
    columns = [[to_cell(value) for value in head.iloc[:, position].tolist()] for position in range(head.shape[1])]
    return [list(row) for row in zip(*columns)]


def _fitting(profile: dict[str, Any]) -> dict[str, Any]:
    """Of a table with very many or very long values, fewer are shown."""
    for max_values, max_chars in ((_MAX_VALUES, 200), (15, 80), (3, 40)):
        for column in profile["columns"]:
            if "values" in column:
                column["values"] = [cut(value, max_chars) for value in column["values"][:max_values]]
            column["samples"] = [
                cut(value, max_chars) if isinstance(value, str) else value for value in column["samples"]
            ]
        profile["sample"] = [
            [cut(cell, max_chars) if isinstance(cell, str) else cell for cell in row] for row in profile["sample"]
        ]
        if len(json.dumps(profile)) <= _MAX_JSON_CHARS:
            break
    return profile
