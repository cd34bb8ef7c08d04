"""Which objects a pickle may refer to instead of containing them, and by what key: see ValuePickler."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

from .definitions import Definition
from .item_pickling import Item
from .pickling import is_atom
from .reducers import fill_cell
from .replay import class_dict, is_defined_by_user, qualified_name


def kernel_keys(shell: Any) -> dict[int, str]:
    streams = {id(getattr(sys, name)): f"sys:{name}" for name in ("stdin", "stdout", "stderr")}
    streams.pop(id(None), None)
    kernel = {id(shell): "shell:", id(shell.user_module): "module:", id(shell.user_ns): "globals:"}
    return {**streams, **kernel, id(fill_cell): "fill_cell:"}


def definition_keys(definition: Definition, value: object) -> dict[int, str]:
    """What is imported needs none: its pickle is its name."""
    if definition.kind in ("import", "star"):
        return {}
    keys = {id(value): f"name:{definition.name}"}
    if definition.kind == "class":
        keys.update(_nested_class_keys(value))
    return keys


def is_shared(value: object) -> bool:
    kind = type(value)
    if is_atom(value) or issubclass(kind, (types.ModuleType, types.BuiltinFunctionType)):
        return False
    is_named = kind is types.FunctionType or issubclass(kind, type)
    return not is_named or is_defined_by_user(value)


def common_cells(values: list[Item]) -> Iterator[Item]:
    """The variables of enclosing functions that several variables of the user's have in common."""
    owners: dict[int, set[int]] = {}
    functions: list[Any] = [item for item in values if type(item.value) is types.FunctionType]
    for item in functions:
        for name, cell in zip(item.value.__code__.co_freevars, item.value.__closure__ or ()):
            found = owners.setdefault(id(cell), set())
            found.add(id(item.value))
            if len(found) == 2:
                yield Item(f"{name} of {item.label}", cell, is_shared=True, is_hidden=True)


def _nested_class_keys(owner: object) -> dict[int, str]:
    keys: dict[int, str] = {}
    for name, value in class_dict(owner).items():
        path = f"{qualified_name(owner)}.{name}"
        if issubclass(type(value), type) and is_defined_by_user(value) and qualified_name(value) == path:
            keys[id(value)] = f"path:{path}"
            keys.update(_nested_class_keys(value))
    return keys
