"""Text that means numbers: with thousands separators, decimal commas, currency and percent signs."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from .matching import any_match

CURRENCY = r"(?:[$€£¥₹₩₽₺₫฿₴₪]|US\$|R\$|USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|CAD|AUD|SEK|NOK|DKK|PLN|kr|zł|元|円)"
_DIGITS = r"\d+(?:[.,'’\u00a0\u202f ]\d+)*[.,]?|[.,]\d+"
# Patterns are texts here: each is compiled when first used, and most columns need none of them.
FORMATTED = (
    rf"\(?\s*[-+−]?\s*{CURRENCY}?\s*[-+−]?\s*(?P<digits>{_DIGITS})(?P<exponent>[eE][-+]?\d+)?"
    rf"\s*(?:{CURRENCY}|%|％)?\s*[-−]?\s*\)?"
)
_PLAIN = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_DIGIT_SET = frozenset("0123456789")
_MAX_EXACT = 2**53


def may_be_numbers(sample: list[str]) -> bool:
    fitting = sum(1 for text in sample if _is_plain(text) or (_has_digit(text) and re.fullmatch(FORMATTED, text)))
    return fitting >= 0.9 * len(sample) and not _are_codes(sample)


def shows_decimal_comma(sample: list[str]) -> bool:
    """Values that make sense in no other way, such as 3,5 or 1.234,56, and none that contradict."""
    pattern = r"\D{0,4}\d+(?:\.\d{3})*,(?:\d{1,2}|\d{4,})\D{0,4}"
    commas = sum(1 for text in sample if "," in text and re.fullmatch(pattern, text))
    return commas > 0.3 * len(sample) and commas > 0


def to_numbers(name: str, values: pd.Series, hints: Any) -> pd.Series | None:
    """None when they are text after all, such as codes with leading zeros."""
    # Leading zeros, or more digits than a number keeps: codes.
    if any_match(values, r"^[-+]?0[0-9]|^[-+]?[0-9]{19,}$"):
        return None
    if (plain := _cast_plain(values, hints)) is not None:
        return plain
    from .formatted_numbers import parse_formatted

    return parse_formatted(name, values, hints)


def _are_codes(sample: list[str]) -> bool:
    """Postal codes, account and telephone numbers: nobody adds them up."""
    if any(text.lstrip("+-")[:1] == "0" and text.lstrip("+-")[1:2].isdigit() for text in sample):
        return True
    if all(map(_is_plain, sample)) and not any(text.startswith("+") for text in sample):
        return False
    phones = sum(
        1 for text in sample if re.fullmatch(r"\+\d[\d ]{6,}|\(\d{3}\) ?\d{3}-\d{4}|\d{3,4}[ ]\d{3,4}[ ]\d{3,4}", text)
    )
    return phones > len(sample) / 2 and any(text[0] in "+(" or re.search(r"\d{4} ", text) for text in sample)


def _is_plain(text: str) -> bool:
    if not _has_digit(text) or "_" in text:
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def _has_digit(text: str) -> bool:
    return len(text) < 60 and not _DIGIT_SET.isdisjoint(text)


def _cast_plain(values: pd.Series, hints: Any) -> pd.Series | None:
    """The quick way for numbers as a computer writes them."""
    if hints.decimal_comma and any_match(values, r"\."):
        return None
    try:
        import pyarrow as pa

        array = (
            pa.chunked_array([pa.array(values)]) if not hasattr(values.array, "_pa_array") else values.array._pa_array
        )
        kind = pa.float64() if any_match(values, r"[.eE]") else pa.int64()
        try:
            numbers = array.cast(kind)
        except pa.ArrowInvalid:
            return None
        if numbers.null_count and pa.types.is_integer(kind):
            exact = pd.array(numbers.to_pandas(types_mapper=pd.ArrowDtype), dtype="Int64")
            return pd.Series(exact if abs(exact).max() >= _MAX_EXACT else numbers.to_pandas())
        return pd.Series(numbers.to_numpy())
    except ImportError:
        pass
    if not values.dropna().str.fullmatch(_PLAIN).all():
        return None
    numbers = pd.to_numeric(values, errors="coerce")
    return numbers.astype("float64") if numbers.dtype == object else numbers
