"""What a kernel's namespace consists of: definitions to run again, values to write, objects to refer to."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from .definitions import Definition, Definitions
from .item_pickling import Item
from .pickling import is_atom
from .replay import class_dict, is_defined_by_user, qualified_name, replay_source, star_names, state_of
from .wording import describe_type

# The shell's own history variables, and names such as __annotations__.
_NOT_THE_USERS = re.compile(r"_+|_i{1,3}|_i?\d+|_[iod]h|_exit_code|__\w+__")


@dataclass(frozen=True)
class Replay:
    names: list[str]
    definition: Definition
    type: str


@dataclass
class Inventory:
    """`names` are all the user's variables, in the order of the namespace. `keys`: see ValuePickler."""

    names: list[str]
    replays: list[Replay] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    keys: dict[int, str] = field(default_factory=dict)


def take_inventory(shell: Any, definitions: Definitions, baseline: Set[str]) -> Inventory:
    """Runs no code of the user's."""
    namespace = shell.user_ns
    inventory = Inventory(list(_user_names(shell, baseline)))
    inventory.keys.update(_fixed_keys(shell))
    left = dict.fromkeys(inventory.names)
    attributes: list[Item] = []
    for definition in definitions:
        names = star_names(definition, namespace) if definition.kind == "star" else [definition.name]
        names = [name for name in names if name in left]
        if not names:
            continue
        value = namespace[names[0]]
        source = replay_source(definition, value, namespace)
        if source is None:
            continue
        inventory.keys.update(_definition_keys(definition, value))
        attributes += _state_items(definition, value, namespace)
        replayed = Definition(definition.name, definition.kind, source)
        inventory.replays.append(Replay(names, replayed, describe_type(value)))
        for name in names:
            del left[name]
    for name in list(left):
        if (imported := _import_of(name, namespace[name])) is not None:
            inventory.replays.append(Replay([name], imported, "module"))
            del left[name]
    values = [Item(name, namespace[name], is_shared=_is_shared(namespace[name])) for name in left]
    # Classes first, so that their instances can refer to them.
    values.sort(key=lambda item: not issubclass(type(item.value), type))
    inventory.items = values + attributes
    return inventory


def _user_names(shell: Any, baseline: Set[str]) -> Iterator[str]:
    hidden = shell.user_ns_hidden
    for name, value in list(shell.user_ns.items()):
        if type(name) is not str or _NOT_THE_USERS.fullmatch(name):
            continue
        # A name of the shell's own is the user's once it stands for something else.
        is_as_given = hidden[name] is value if name in hidden else name in baseline
        if not is_as_given:
            yield name


def _fixed_keys(shell: Any) -> dict[int, str]:
    streams = {id(getattr(sys, name)): f"sys:{name}" for name in ("stdin", "stdout", "stderr")}
    streams.pop(id(None), None)
    return {**streams, id(shell): "shell:", id(shell.user_module): "module:", id(shell.user_ns): "globals:"}


def _definition_keys(definition: Definition, value: object) -> dict[int, str]:
    """What is imported needs none: its pickle is its name."""
    if definition.kind in ("import", "star"):
        return {}
    keys = {id(value): f"name:{definition.name}"}
    if definition.kind == "class":
        keys.update(_nested_class_keys(value))
    return keys


def _nested_class_keys(owner: object) -> dict[int, str]:
    keys: dict[int, str] = {}
    for name, value in class_dict(owner).items():
        path = f"{qualified_name(owner)}.{name}"
        if issubclass(type(value), type) and is_defined_by_user(value) and qualified_name(value) == path:
            keys[id(value)] = f"name:{path}"
            keys.update(_nested_class_keys(value))
    return keys


def _state_items(definition: Definition, value: object, namespace: dict[str, Any]) -> list[Item]:
    if definition.kind in ("import", "star"):
        return []
    found = state_of(definition, value, namespace)
    return [
        Item(f"{definition.name}.{name}", state, owner=definition.name, attribute=name)
        for name, state in found
    ]


def _import_of(name: str, value: object) -> Definition | None:
    """A module that came by some other way than an import statement at top level."""
    if not issubclass(type(value), types.ModuleType):
        return None
    module = object.__getattribute__(value, "__dict__").get("__name__")
    is_there = type(module) is str and module != "__main__" and sys.modules.get(module) is value
    if not is_there or not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        return None
    return Definition(name, "import", f"import {module} as {name}")


def _is_shared(value: object) -> bool:
    kind = type(value)
    if is_atom(value) or issubclass(kind, (types.ModuleType, types.BuiltinFunctionType)):
        return False
    is_named = kind is types.FunctionType or issubclass(kind, type)
    return not is_named or is_defined_by_user(value)
