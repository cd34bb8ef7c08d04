"""Saving: what there is, in which form, and into the file."""

from __future__ import annotations

import sys
from collections.abc import Container, Set
from typing import Any

from .definitions import Definitions
from .inventory import Inventory, take_inventory
from .item_pickling import Limits
from .snapshot_file import SnapshotFile, open_verified
from .value_writer import Written, write_values
from .wording import describe_type

try:
    import resource
except ImportError:  # In WebAssembly.
    resource = None  # type: ignore[assignment]

_INDEX_BYTES = 128 * 1024


def save(
    shell: Any,
    definitions: Definitions,
    path: str,
    *,
    baseline: Set[str],
    max_value_bytes: int,
    max_bytes: int,
    value_timeout_s: float,
    only: Container[str] | None = None,
    leave_out: Container[str] = (),
) -> dict[str, Any]:
    """Returns `saved`, `lost` and `sizeBytes`. The file is replaced in one step, or stays as it was.

    Imports and top-level definitions are kept as source; every other variable is pickled in a forked child.
    `baseline` are the names that were there before the user's first cell. `only` these names are saved, where it is
    given, and never those of `leave_out`.
    """
    definitions.forget_absent(shell.user_ns)
    inventory = take_inventory(
        shell, definitions, baseline, lambda name: (only is None or name in only) and name not in leave_out
    )
    limits = Limits(max_value_bytes, min(max_bytes, _room_for_values()), value_timeout_s)
    file = SnapshotFile(path)
    try:
        written = write_values(file, inventory, shell.user_ns, limits)
        lost = _lost(inventory, written)
        size = file.commit(written.end, {**_index(inventory, written), "lost": lost})
    finally:
        file.close()
    return {
        "saved": [name for name in inventory.names if name not in written.reasons],
        "lost": lost,
        "sizeBytes": size,
    }


def _room_for_values() -> int:
    """Values that a file may hold beside the index: one that no index could follow would cost all the others."""
    if resource is None:
        return sys.maxsize
    most, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return sys.maxsize if most == resource.RLIM_INFINITY else most - min(_INDEX_BYTES, most // 2)


def check(path: str) -> None:
    """Raises SnapshotInvalid unless the file is a whole snapshot."""
    with open_verified(path):
        pass


def _lost(inventory: Inventory, written: Written) -> list[dict[str, str]]:
    return [
        {"name": item.label, "type": describe_type(item.value), "reason": written.reasons[item.label]}
        for item in inventory.items
        if item.label in written.reasons and not item.is_hidden
    ]


def _index(inventory: Inventory, written: Written) -> dict[str, Any]:
    saved = {item.label: item for item in inventory.items if item.label in written.entries}
    types = {name: replay.type for replay in inventory.replays for name in replay.names}
    types.update({label: describe_type(item.value) for label, item in saved.items() if not item.is_hidden})
    values = [
        {**written.entries[label], "owner": item.owner, "attribute": item.attribute}
        for label, item in saved.items()
        if "offset" in written.entries[label]
    ]
    return {
        "python": list(sys.version_info[:2]),
        "names": [name for name in inventory.names if name in types],
        "types": types,
        "definitions": [
            {"names": replay.names, "name": one.name, "kind": one.kind, "source": one.source}
            for replay in inventory.replays
            for one in [replay.definition]
        ],
        "values": sorted(values, key=lambda entry: entry["offset"]),
    }
