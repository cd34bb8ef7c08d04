"""Whether some value of a text column matches a pattern, without a Python text for each value if pyarrow is there."""

from __future__ import annotations

import re

import pandas as pd


def any_match(values: pd.Series, pattern: str) -> bool:
    """`pattern` is of the kind that Python and RE2 read alike, and is found anywhere in the value."""
    array = getattr(values.array, "_pa_array", None)
    if array is None:
        compiled = re.compile(pattern)
        return any(isinstance(value, str) and compiled.search(value) for value in values)
    import pyarrow.compute as compute

    return bool(compute.any(compute.match_substring_regex(array, pattern)).as_py())
