"""Brings a snapshot's variables back: definitions by running them, values by unpickling, each on its own."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Collection
from operator import attrgetter
from typing import Any, BinaryIO

from .definitions import Definition, Definitions
from .pickling import ValueUnpickler
from .snapshot_file import open_verified, read_exactly
from .time_limit import TookTooLong, time_limit
from .wording import describe_error


def load(
    shell: Any,
    definitions: Definitions,
    path: str,
    *,
    value_timeout_s: float = 10.0,
    skip: Collection[str] = (),
    on_value: Callable[[str], None] = lambda label: None,
) -> dict[str, Any]:
    """Returns `restored` and `lost`. Raises SnapshotInvalid, and changes nothing, when the file is not whole.

    `on_value` hears of each name before it is tried: what crashes the kernel can be in `skip` the next time.
    """
    with open_verified(path) as (file, index):
        restoring = _Restoring(shell, file, value_timeout_s, on_value)
        return restoring.run(index, definitions, set(skip))


class Missing(Exception):
    """A variable that another one needs has not been restored, or not yet."""


class _Restoring:
    def __init__(self, shell: Any, file: BinaryIO, timeout_s: float, on_value: Callable[[str], None]) -> None:
        self._shell, self._file, self._timeout_s, self._on_value = shell, file, timeout_s, on_value
        self._namespace: dict[str, Any] = shell.user_ns
        self._done: dict[str, None] = {}
        self._reasons: dict[str, str] = {}

    def run(self, index: dict[str, Any], definitions: Definitions, skip: set[str]) -> dict[str, Any]:
        builtins = self._namespace.get("__builtins__")
        for label in skip:
            self._reasons[label] = "crashed while being restored"
        steps = [(self._replay, entry, entry["names"]) for entry in index["definitions"]]
        steps += [(self._unpickle, entry, [entry["label"], *entry["also"]]) for entry in index["values"]]
        self._try_until_nothing_changes([step for step in steps if not skip.intersection(step[2])])
        restored = [name for name in index["names"] if name in self._done]
        for name in restored:
            # In the old order: it decides which variable's pickle holds what several have in common.
            self._namespace[name] = self._namespace.pop(name)
        if builtins is not None:
            # cloudpickle sets another one when it makes a function in this namespace.
            self._namespace["__builtins__"] = builtins
        replayed = [entry for entry in index["definitions"] if entry["names"][0] in self._done]
        definitions.replace(Definition(entry["name"], entry["kind"], entry["source"]) for entry in replayed)
        return {
            "restored": restored,
            "lost": [
                {"name": label, "type": kind, "reason": self._reasons.get(label, "was not restored")}
                for label, kind in index["types"].items()
                if label not in self._done
            ],
        }

    def _try_until_nothing_changes(self, steps: list[Any]) -> None:
        """A definition may need a value, and a value a definition: what fails is tried again later."""
        while steps:
            again = [step for step in steps if self._fails_for_now(*step)]
            if len(again) == len(steps):
                return
            steps = again

    def _fails_for_now(self, act: Callable[[Any], None], entry: dict[str, Any], labels: list[str]) -> bool:
        self._on_value(labels[0])
        try:
            with time_limit(self._timeout_s):
                act(entry)
        except TookTooLong:
            self._reasons.update(dict.fromkeys(labels, f"took longer than {self._timeout_s:g} s"))
            return False
        except KeyboardInterrupt:
            raise
        except Missing as error:
            self._reasons.update(dict.fromkeys(labels, f"needs {error.args[0]!r}, which was not restored"))
            return True
        except BaseException as error:
            self._reasons.update(dict.fromkeys(labels, f"cannot be restored: {describe_error(error)}"))
            return True
        self._done.update(dict.fromkeys(labels))
        return False

    def _replay(self, entry: dict[str, Any]) -> None:
        compiler = self._shell.compile
        code = compiler(entry["source"], compiler.cache(entry["source"], 0), "exec")
        if entry["kind"] != "star":
            exec(code, self._namespace)
            return
        # It may bring more names than it gave before, and these may be variables by now.
        everything = {"__name__": "__main__"}
        exec(code, everything)
        self._namespace.update({name: everything[name] for name in entry["names"]})

    def _unpickle(self, entry: dict[str, Any]) -> None:
        if owner := entry.get("owner"):
            self._resolve(f"name:{owner}")
        self._file.seek(entry["offset"])
        stream = io.BytesIO(read_exactly(self._file, bytearray(entry["stream"])))
        buffers = [read_exactly(self._file, bytearray(length)) for length in entry["buffers"]]
        unpickler = ValueUnpickler(stream, buffers, self._resolve)
        value = unpickler.load()
        if owner:
            setattr(self._namespace[owner], entry["attribute"], value)
            return
        self._namespace[entry["label"]] = value
        if entry["also"]:
            memo = unpickler.memo.copy()
            self._namespace.update({label: memo[number] for label, number in entry["also"].items()})

    def _resolve(self, key: str) -> Any:
        kind, _, name = key.partition(":")
        if kind == "name":
            first, _, rest = name.partition(".")
            if first not in self._done:
                raise Missing(first)
            value = self._namespace[first]
            return attrgetter(rest)(value) if rest else value
        if kind == "sys":
            return getattr(sys, name)
        return {"shell": self._shell, "module": self._shell.user_module, "globals": self._namespace}[kind]
