"""What a kernel's namespace consists of: definitions to run again, values to write, objects to refer to."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from .definitions import Definition, Definitions
from .item_pickling import Item
from .references import common_cells, definition_keys, is_shared, kernel_keys
from .replay import replay_source, star_names, state_of
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
    """`names` are all the user's variables, in the order of the namespace.

    `keys`, as in ValuePickler: objects that are no items and are written as references.
    `replayed`: the variables that `replays` give.
    """

    names: list[str]
    replays: list[Replay] = field(default_factory=list)
    replayed: dict[str, object] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    keys: dict[int, str] = field(default_factory=dict)

    def add_replay(self, names: list[str], definition: Definition, namespace: dict[str, Any]) -> None:
        self.replays.append(Replay(names, definition, describe_type(namespace[names[0]])))
        self.replayed.update({name: namespace[name] for name in names})


def take_inventory(
    shell: Any, definitions: Definitions, baseline: Set[str], is_wanted: Callable[[str], bool]
) -> Inventory:
    """Runs no code of the user's."""
    namespace = shell.user_ns
    inventory = Inventory([name for name in user_names(shell, baseline) if is_wanted(name)])
    inventory.keys.update(kernel_keys(shell))
    users = set(inventory.names)
    attributes: list[Item] = []
    for definition in definitions:
        names = star_names(definition, namespace) if definition.kind == "star" else [definition.name]
        names = [name for name in names if name in users and name not in inventory.replayed]
        value = namespace[names[0]] if names else None
        source = replay_source(definition, value, namespace) if names else None
        if source is None:
            continue
        inventory.add_replay(names, Definition(definition.name, definition.kind, source), namespace)
        inventory.keys.update(definition_keys(definition, value))
        attributes += _state_items(definition, value, namespace)
    for name in inventory.names:
        if name not in inventory.replayed and (imported := _import_of(name, namespace[name])) is not None:
            inventory.add_replay([name], imported, namespace)
    rest = [name for name in inventory.names if name not in inventory.replayed]
    values = [Item(name, namespace[name], is_shared=is_shared(namespace[name])) for name in rest]
    # Classes first, so that their instances can refer to them.
    values.sort(key=lambda item: not issubclass(type(item.value), type))
    inventory.items = [*values, *common_cells(values), *attributes]
    return inventory


def user_names(shell: Any, baseline: Set[str]) -> Iterator[str]:
    """Of all that the user has made or imported, in the order of the namespace."""
    hidden = shell.user_ns_hidden
    for name, value in list(shell.user_ns.items()):
        if type(name) is not str or _NOT_THE_USERS.fullmatch(name):
            continue
        # A name of the shell's own is the user's once it stands for something else.
        is_as_given = hidden[name] is value if name in hidden else name in baseline
        if not is_as_given:
            yield name


def _state_items(definition: Definition, value: object, namespace: dict[str, Any]) -> list[Item]:
    if definition.kind in ("import", "star"):
        return []
    owner = definition.name
    return [
        Item(f"{owner}.{name}", state, owner=owner, attribute=name)
        for name, state in state_of(definition, value, namespace)
        if type(name) is str
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
