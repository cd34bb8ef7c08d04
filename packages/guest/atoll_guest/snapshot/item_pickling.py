"""Pickles one variable after the other into a snapshot file, and reports what became of each."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .capped_output import CappedOutput, DiskFailed, TooLarge
from .child_process import Report
from .pickling import LOST, PENDING, HoldsLost, ValuePickler
from .wording import describe_error, describe_size


@dataclass(frozen=True)
class Item:
    """A variable, or an attribute `owner.attribute` of a definition that is replayed.

    `is_shared`: other values that contain it may name it instead.
    `is_hidden`: it is no variable of its own, but a part that several have in common.
    """

    label: str
    value: object
    is_shared: bool = False
    is_hidden: bool = False
    owner: str | None = None
    attribute: str | None = None


@dataclass(frozen=True)
class Limits:
    max_value_bytes: int
    max_bytes: int
    value_timeout_s: float


class ItemPickler:
    """`end` is where the file ends so far. `keys` is changed: see ValuePickler."""

    def __init__(
        self, fd: int, end: int, keys: dict[int, str], namespace: dict[str, Any], limits: Limits
    ) -> None:
        self._fd, self._end, self._keys, self._namespace, self._limits = fd, end, keys, namespace, limits
        self._met: set[str] = set()
        self._reasons: dict[str, str] = {}

    def run(self, items: Sequence[Item], replayed: Mapping[str, object], report: Report) -> None:
        """Reports `start n`, then `saved n ...` or `lost n reason`, and `end` after the last."""
        # What pickles as a mere name must be one that will be there before any value is.
        main = types.ModuleType("__main__")
        vars(main).update(replayed)
        sys.modules["__main__"] = main
        for number, item in enumerate(items):
            if item.label not in self._met:
                report("start", number)
                report(*self._save(item, number))
        report("end", 0)

    def _save(self, item: Item, number: int) -> tuple[Any, ...]:
        key = self._keys.get(id(item.value), "")
        if key.startswith(LOST):
            same = f"is the same as {key[1:]!r}, which cannot be saved"
            return "lost", number, self._reasons.get(key[1:], same)
        if key == PENDING + item.label:
            del self._keys[id(item.value)]
        room = self._limits.max_bytes - self._end
        output = CappedOutput(self._fd, min(room, self._limits.max_value_bytes))
        try:
            pickler = ValuePickler(output, self._keys, self._namespace, output.take_buffer)
            pickler.dump(item.value)
            stream, met, buffers = output.size, pickler.met(), output.write_buffers()
        except BaseException as error:
            reason = self._explain(error, room)
            self._undo(item, reason)
            return "lost", number, reason
        self._end += output.size
        self._remember(item, met)
        return "saved", number, output.size, output.crc, stream, buffers, met

    def _remember(self, item: Item, met: dict[str, int]) -> None:
        if item.is_shared:
            self._keys.setdefault(id(item.value), f"name:{item.label}")
        if met:
            self._met.update(met)
            known = {PENDING + label: f"name:{label}" for label in met}
            self._keys.update({address: known[key] for address, key in self._keys.items() if key in known})

    def _undo(self, item: Item, reason: str) -> None:
        os.ftruncate(self._fd, self._end)
        os.lseek(self._fd, self._end, os.SEEK_SET)
        self._reasons[item.label] = reason
        if item.is_shared:
            self._keys.setdefault(id(item.value), LOST + item.label)

    def _explain(self, error: BaseException, room: int) -> str:
        if isinstance(error, TooLarge):
            if self._limits.max_value_bytes <= room:
                return f"larger than {describe_size(self._limits.max_value_bytes)}"
            return f"does not fit: the snapshot may have {describe_size(self._limits.max_bytes)}"
        if isinstance(error, HoldsLost):
            return f"holds {error.args[0]!r}, which cannot be saved"
        if isinstance(error, DiskFailed):
            return f"could not be written: {error}"
        if isinstance(error, MemoryError):
            return "needs too much memory to be saved"
        if isinstance(error, RecursionError) or isinstance(error.__cause__, RecursionError):
            return "cannot be pickled: nested too deeply"
        return f"cannot be pickled: {describe_error(error)}"
