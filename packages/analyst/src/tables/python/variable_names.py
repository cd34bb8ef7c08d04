"""A Python variable for every table, named after its file."""

from __future__ import annotations

import builtins
import keyword
import os
import sys
import unicodedata

_MAX_CHARS = 40
# What code about tables counts on: a table must never stand in its place.
_RESERVED = {
    *{
        "pd",
        "np",
        "plt",
        "df",
        "sns",
        "pa",
        "mpl",
        "stats",
        "pandas",
        "numpy",
        "matplotlib",
        "seaborn",
        "scipy",
        "sklearn",
    },
    *{"pyarrow", "openpyxl", "display", "get_ipython", "In", "Out", "exit", "quit"},
    *keyword.kwlist,
    *keyword.softkwlist,
    *dir(builtins),
    *getattr(sys, "stdlib_module_names", ()),
}


def name_variable(file_name: str, sheet: str | None, taken: set[str]) -> str:
    """A valid name that nothing else has. `taken` gets it."""
    stem = os.path.splitext(file_name)[0]
    name = _identifier(stem if sheet is None else f"{stem}_{sheet}")
    if name in _RESERVED:
        name = f"{name}_table"
    unique, number = name, 2
    while unique in taken or unique in _RESERVED:
        unique, number = f"{name}_{number}", number + 1
    taken.add(unique)
    return unique


def _identifier(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).lower()
    kept = "".join(char if char == "_" or f"a{char}".isidentifier() else " " for char in text)
    name = "_".join(kept.replace("_", " ").split())[:_MAX_CHARS].rstrip("_")
    # Some letters change once more when Python reads a name, and then two spellings are one variable.
    name = unicodedata.normalize("NFKC", name)
    if not name:
        return "table_1"
    return name if name.isidentifier() else f"table_{name}"
