"""Numbers as people write them: what separates thousands, what begins the fraction, which signs go."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from . import inference
from .matching import any_match
from .numbers import CURRENCY, FORMATTED

_SLICE_ROWS = 200_000
_MAX_EXACT = 2**53


def parse_formatted(name: str, values: pd.Series, hints: Any) -> pd.Series | None:
    """None when too many of them are no numbers."""
    decimal = _find_decimal(name, values, hints)
    signs: set[str] = set()
    parts, bad = [], []
    for start in range(0, max(1, len(values)), _SLICE_ROWS):
        part = values.iloc[start : start + _SLICE_ROWS]
        codes, distinct = pd.factorize(part)
        parsed = np.array([_parse(text, decimal, signs) for text in distinct] + [np.nan])
        numbers = parsed[codes]
        parts.append(numbers)
        bad.append(part[np.isnan(numbers) & part.notna().to_numpy()])
    faults = pd.concat(bad) if len(bad) > 1 else bad[0]
    if not inference.tolerates(faults, len(values)):
        return None
    inference.note_bad(name, faults, "number", hints)
    hints.thousands_comma = hints.thousands_comma or (decimal == "." and any_match(values, "[0-9],[0-9]"))
    if signs:
        shown = " ".join(sorted(signs))
        extra = "; 12 % is 12" if signs & {"%", "％"} else ""
        hints.notes.append(f"{name!r}: numbers without their signs ({shown}{extra})")
    numbers = pd.Series(np.concatenate(parts))
    return numbers if any_match(values, rf"\{decimal}") else _narrowed(numbers)


def _find_decimal(name: str, values: pd.Series, hints: Any) -> str:
    """Which of `.` and `,` stands before the fraction, by the whole column."""
    distinct = [text for text in values.iloc[:_SLICE_ROWS].dropna().unique().tolist()]
    commas = [text for text in distinct if "," in text]
    dots = [text for text in distinct if "." in text]
    if any(text.rfind(",") > text.rfind(".") >= 0 for text in commas):
        return ","
    if any(text.rfind(".") > text.rfind(",") >= 0 for text in dots):
        return "."
    if any(not re.search(r"\d{1,3}(?:,\d{3})+(?!\d)", text) for text in commas):
        return ","
    if any(not re.search(r"\d{1,3}(?:\.\d{3})+(?!\d)", text) for text in dots):
        return "."
    if any(text.count(".") > 1 for text in dots):
        return ","
    if any(text.count(",") > 1 for text in commas):
        return "."
    decimal = "," if hints.decimal_comma else "."
    if commas and not dots:
        meaning = "one and a fraction" if decimal == "," else "one thousand and more"
        hints.notes.append(f"{name!r}: a comma as in '1,234' is read as {meaning}")
    return decimal


def _parse(text: Any, decimal: str, signs: set[str]) -> float:
    if not isinstance(text, str) or len(text) > 60 or not (found := re.fullmatch(FORMATTED, text)):
        return np.nan
    digits = found["digits"]
    whole, mark, fraction = digits.rpartition(decimal) if decimal in digits else (digits, "", "")
    groups = re.split(r"[.,'’\u00a0\u202f ]", whole)
    if len(groups) > 1 and (not 1 <= len(groups[0]) <= 3 or any(len(group) not in (2, 3) for group in groups[1:])):
        return np.nan
    if mark and not fraction.isdigit() and fraction:
        return np.nan
    number = float(f"{''.join(groups) or '0'}.{fraction or '0'}{found['exponent'] or ''}")
    rest = text[: found.start("digits")] + text[found.end("digits") :].replace(found["exponent"] or "\0", "")
    signs.update(re.findall(rf"{CURRENCY}|[%％]", rest))
    is_negative = "-" in rest or "−" in rest or (text.startswith("(") and text.endswith(")"))
    return -number if is_negative else number


def _narrowed(numbers: pd.Series) -> pd.Series:
    """Whole numbers without gaps are integers."""
    values = numbers.to_numpy()
    if (
        len(values)
        and np.isfinite(values).all()
        and (np.abs(values) < _MAX_EXACT).all()
        and (values == np.floor(values)).all()
    ):
        return numbers.astype("int64")
    return numbers
