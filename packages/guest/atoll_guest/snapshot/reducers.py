"""How some types are pickled, where neither pickle nor cloudpickle does it truly."""

from __future__ import annotations

import io
import types
import typing
from typing import Any


def fill_cell(cell: types.CellType, contents: tuple[Any]) -> None:
    """Pickles refer to it by the key `fill_cell:`, never by the name of this module."""
    cell.cell_contents = contents[0]


def _reduce_file(file: object) -> Any:
    """cloudpickle would make a copy of its text."""
    raise TypeError(f"cannot pickle {type(file).__module__ + '.' + type(file).__name__!r} object")


def _reduce_view(view: memoryview) -> Any:
    """cloudpickle would make bytes of it."""
    return memoryview, (view.tobytes(),)


def _reduce_cell(cell: types.CellType) -> Any:
    """Made empty and filled afterwards: what it contains may be the function that it belongs to."""
    try:
        contents = cell.cell_contents
    except ValueError:
        return types.CellType, ()
    return types.CellType, (), (contents,), None, None, fill_cell


def _reduce_new_type(new_type: Any) -> Any:
    """pickle would only write its name, which is no use for one of the user's own."""
    if new_type.__module__ != "__main__":
        return new_type.__qualname__
    return typing.NewType, (new_type.__name__, new_type.__supertype__), {"__module__": "__main__"}


REDUCERS: dict[type, Any] = {
    io.TextIOWrapper: _reduce_file,
    memoryview: _reduce_view,
    types.CellType: _reduce_cell,
    typing.NewType: _reduce_new_type,
}
