"""What the text of a column means: numbers, dates, yes or no, or just text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

_MISSING = [
    *[
        "",
        "NA",
        "N/A",
        "n/a",
        "na",
        "N.A.",
        "#N/A",
        "#NA",
        "<NA>",
        "NaN",
        "nan",
        "-NaN",
        "NULL",
        "Null",
        "null",
        "None",
    ],
    *[
        "NONE",
        "none",
        "-",
        "--",
        "—",
        "–",
        "?",
        "\\N",
        "NaT",
        "nil",
        "#VALUE!",
        "#REF!",
        "#DIV/0!",
        "(null)",
        "(blank)",
    ],
]
_MISSING_SET = frozenset(_MISSING)
_TRUE = {"true", "yes", "y", "ja", "是"}
_FALSE = {"false", "no", "n", "nein", "否"}
_CODE_NAMES = r"zip|postal|post_?code|postleit|\bplz\b|phone|telefon|\btel\b|mobile|\bfax\b|邮编|电话|手机|郵便"
_SAMPLE_SIZE = 100
_MANY_ROWS = 200_000


@dataclass
class TableHints:
    """What one column of a table says about the others."""

    decimal_comma: bool = False
    thousands_comma: bool = False
    day_first: bool | None = None
    notes: list[str] = field(default_factory=list)


def convert_columns(names: list[str], columns: list[pd.Series], hints: TableHints) -> dict[str, pd.Series]:
    """Takes the columns out of the list one by one, so that their text need not stay in memory."""
    from . import numbers

    samples = [sample_of(column) for column in columns]
    hints.decimal_comma = hints.decimal_comma or any(map(numbers.shows_decimal_comma, samples))
    result: dict[str, pd.Series] = {}
    for position, (name, sample) in enumerate(zip(names, samples)):
        column, columns[position] = columns[position], None  # type: ignore[call-overload]
        try:
            result[name] = convert_text(name, column, hints, sample)
        except (ValueError, TypeError, ArithmeticError, LookupError) as error:
            # One column's oddities must not cost the table.
            result[name] = column
            hints.notes.append(f"{name!r}: stays text as it is ({type(error).__name__})")
        if len(column) > _MANY_ROWS:
            from .memory import release_memory

            del column
            release_memory()
    return result


def convert_text(name: str, column: pd.Series, hints: TableHints, sample: list[str] | None = None) -> pd.Series:
    from . import dates, numbers

    values = _without_missing(column)
    sample = sample_of(values) if not sample else sample
    if not sample:
        return pd.Series(np.full(len(column), np.nan), dtype="float64") if len(column) else values
    if (booleans := _to_booleans(values, sample)) is not None:
        return booleans
    if numbers.may_be_numbers(sample) and not dates.is_named_as_date(name, sample):
        if not re.search(_CODE_NAMES, name, re.IGNORECASE):
            converted = numbers.to_numbers(name, values, hints)
            if converted is not None:
                return converted
    elif dates.may_be_dates(name, sample):
        converted = dates.to_dates(name, values, hints)
        if converted is not None:
            return converted
    return values


def sample_of(values: pd.Series) -> list[str]:
    """Some values that are not missing, from all over the column."""
    array = values.array
    if len(array) > 4 * _SAMPLE_SIZE:
        rest = np.linspace(_SAMPLE_SIZE, len(array) - 1, _SAMPLE_SIZE).astype(int)
        array = array.take(np.concatenate([np.arange(_SAMPLE_SIZE), rest]))
    return [text for value in array.tolist() if isinstance(value, str) and (text := value.strip()) not in _MISSING_SET]


def tolerates(bad: pd.Series, total: int) -> bool:
    """A few values that do not fit need not spoil a column: at most three different ones, one row in fifty."""
    return len(bad) == 0 or (len(bad) <= total // 50 and bad.nunique() <= 3)


def note_bad(name: str, bad: pd.Series, kind: str, hints: TableHints) -> None:
    if len(bad):
        shown = ", ".join(repr(value[:30]) for value in bad.unique()[:3])
        hints.notes.append(
            f"{name!r}: {len(bad)} cell{'s' if len(bad) > 1 else ''} without a {kind} ({shown}) set to missing"
        )


def _without_missing(column: pd.Series) -> pd.Series:
    values = column.str.strip()
    is_missing = values.isin(_MISSING)
    if not is_missing.any():
        return values
    kept = values.mask(is_missing)
    # Namibia, among other codes of countries, is a value.
    if (values == "NA").any() and _are_codes(kept):
        kept = values.mask(is_missing & (values != "NA"))
    return kept


def _are_codes(values: pd.Series) -> bool:
    distinct = values.dropna().unique()[:300]
    return len(distinct) >= 10 and all(re.fullmatch("[A-Z]{2}", value) for value in distinct)


def _to_booleans(values: pd.Series, sample: list[str]) -> Any:
    words = {value.lower() for value in sample}
    if not words <= _TRUE | _FALSE:
        return None
    # One letter alone is a code; both together are an answer.
    if not words & {"true", "false", "yes", "no"} and not (words & _TRUE and words & _FALSE):
        return None
    lower = values.str.lower()
    if not lower.dropna().isin(_TRUE | _FALSE).all():
        return None
    flags = lower.isin(_TRUE)
    return flags.astype("boolean").mask(values.isna()) if values.isna().any() else flags.astype(bool)
