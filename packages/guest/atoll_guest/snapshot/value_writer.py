"""Writes values to a snapshot file from a forked child: none of them can hang, crash or change the kernel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .child_process import forked
from .inventory import Inventory
from .item_pickling import Item, ItemPickler, Limits
from .pickling import LOST, PENDING
from .snapshot_file import SnapshotFile

_START_GRACE_S = 5.0
_MAX_DEATHS_BETWEEN_VALUES = 3
_SPARE_MEMORY_BYTES = 256 * 1024 * 1024


@dataclass
class Written:
    """`entries` by label, as they go into the index; `reasons` of the labels that are lost."""

    end: int
    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    def is_done(self, item: Item) -> bool:
        return item.label in self.entries or item.label in self.reasons


def write_values(
    file: SnapshotFile, inventory: Inventory, namespace: dict[str, Any], limits: Limits
) -> Written:
    """A child that hangs or dies costs the value it was at; another one goes on with the rest."""
    items = inventory.items
    written = Written(file.start)
    deaths = 0
    while remaining := [item for item in items if not written.is_done(item)]:
        keys = {**_keys_of(items, written), **inventory.keys}
        pickler = ItemPickler(file.fd, written.end, keys, namespace, limits)
        culprit, reason = _run_child(file, pickler, remaining, inventory.replayed, limits, written)
        file.rewind(written.end)
        deaths += culprit is None
        for item in remaining:
            is_meant = item.value is culprit.value if culprit else deaths >= _MAX_DEATHS_BETWEEN_VALUES
            if is_meant and not written.is_done(item):
                written.reasons[item.label] = reason
    return written


def _run_child(
    file: SnapshotFile,
    pickler: ItemPickler,
    items: list[Item],
    replayed: dict[str, object],
    limits: Limits,
    written: Written,
) -> tuple[Item | None, str]:
    """Until the child ends. The value at which it failed, or None, and why."""
    current: Item | None = None
    wait_s = limits.value_timeout_s + _START_GRACE_S
    memory_bytes = 4 * limits.max_value_bytes + _SPARE_MEMORY_BYTES
    with forked(lambda report: pickler.run(items, replayed, report), file.fd, memory_bytes) as child:
        while True:
            try:
                kind, number, *rest = child.receive(wait_s)
            except TimeoutError:
                return current, f"took longer than {limits.value_timeout_s:g} s"
            except (EOFError, ValueError, TypeError):
                return current, f"crashed while being saved ({child.end()})"
            wait_s = limits.value_timeout_s
            if kind == "end":
                return None, "was passed over"
            current = items[number] if kind == "start" else None
            if kind == "lost":
                written.reasons[items[number].label] = rest[0]
            elif kind == "saved":
                _enter(items[number].label, written, *rest)


def _enter(
    label: str, written: Written, length: int, crc: int, stream: int, buffers: list[int], met: dict[str, int]
) -> None:
    place = {"offset": written.end, "length": length, "crc": crc, "stream": stream, "buffers": buffers}
    written.entries[label] = {"label": label, **place, "also": met}
    written.entries.update({other: {"label": other, "within": label} for other in met})
    written.end += length


def _keys_of(items: list[Item], written: Written) -> dict[int, str]:
    keys: dict[int, str] = {}
    for item in items:
        if item.is_shared:
            is_saved, is_lost = item.label in written.entries, item.label in written.reasons
            prefix = "name:" if is_saved else LOST if is_lost else PENDING
            keys.setdefault(id(item.value), prefix + item.label)
    return keys
