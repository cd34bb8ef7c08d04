"""Brings a snapshot's variables back: definitions by running them, values by unpickling, each on its own."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Collection
from operator import attrgetter
from typing import Any, BinaryIO

from .definitions import Definition, Definitions
from .pickling import ValueUnpickler
from .reducers import fill_cell
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
    is_added: bool = False,
    forget: Collection[str] = (),
    on_value: Callable[[str], None] = lambda label: None,
) -> dict[str, Any]:
    """Returns `restored` and `lost`; what could not be saved is among the lost.

    Raises SnapshotInvalid, and changes nothing, when the file is not whole.

    `is_added`: to what the kernel has; names of `forget` that the file does not bring are taken away. Otherwise the
    kernel is a new one.

    `on_value` hears of each name before it is tried: what crashes the kernel can be in `skip` the next time.
    """
    with open_verified(path) as (file, index):
        restoring = _Restoring(shell, file, value_timeout_s, on_value)
        outcome = restoring.run(index, definitions, set(skip), is_added)
    for name in set(forget).difference(index["names"]):
        shell.user_ns.pop(name, None)
    return outcome


class Missing(Exception):
    """A variable that another one needs has not been restored, or not yet."""


class _Restoring:
    def __init__(self, shell: Any, file: BinaryIO, timeout_s: float, on_value: Callable[[str], None]) -> None:
        self._shell, self._file, self._timeout_s, self._on_value = shell, file, timeout_s, on_value
        self._namespace: dict[str, Any] = shell.user_ns
        self._variables: set[str] = set()
        self._done: dict[str, Any] = {}
        self._reasons: dict[str, str] = {}
        self._is_foreign = self._is_added = False

    def run(
        self, index: dict[str, Any], definitions: Definitions, skip: set[str], is_added: bool
    ) -> dict[str, Any]:
        self._is_foreign = index.get("python", list(sys.version_info[:2])) != list(sys.version_info[:2])
        self._is_added = is_added
        self._variables = set(index["names"])
        builtins = self._namespace.get("__builtins__")
        self._reasons.update(dict.fromkeys(skip, "crashed while being restored"))
        steps = [(self._replay, entry, entry["names"]) for entry in index["definitions"]]
        steps += [(self._unpickle, entry, [entry["label"], *entry["also"]]) for entry in index["values"]]
        self._try_until_nothing_changes([step for step in steps if not skip.intersection(step[2])])
        restored = [name for name in index["names"] if name in self._done]
        for name in restored:
            # In the old order: it decides which variable's pickle holds what several have in common.
            self._namespace.pop(name, None)
            self._namespace[name] = self._done[name]
        if builtins is not None:
            # cloudpickle sets another one when it makes a function in this namespace.
            self._namespace["__builtins__"] = builtins
        replayed = [entry for entry in index["definitions"] if entry["names"][0] in self._done]
        kept = definitions if is_added else ()
        brought = (Definition(entry["name"], entry["kind"], entry["source"]) for entry in replayed)
        definitions.replace([*kept, *brought])
        lost = [
            {"name": label, "type": kind, "reason": self._reasons.get(label, "was not restored")}
            for label, kind in index["types"].items()
            if label not in self._done
        ]
        return {"restored": restored, "lost": index.get("lost", []) + lost}

    def _try_until_nothing_changes(self, steps: list[Any]) -> None:
        """A definition may need a value, and a value a definition: what fails is tried again later."""
        while steps:
            again = [step for step in steps if self._fails_for_now(*step)]
            if len(again) == len(steps):
                return
            steps = again

    def _fails_for_now(self, act: Callable[[Any], dict[str, Any]], entry: Any, labels: list[str]) -> bool:
        self._on_value(labels[0])
        try:
            with time_limit(self._timeout_s):
                found = act(entry)
            self._done.update(found)
            self._namespace.update({name: found[name] for name in self._variables.intersection(found)})
            return False
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._reasons.update(dict.fromkeys(labels, self._explain(error)))
            return not isinstance(error, TookTooLong)

    def _explain(self, error: BaseException) -> str:
        if isinstance(error, TookTooLong):
            return f"took longer than {self._timeout_s:g} s"
        if isinstance(error, Missing):
            return f"needs {error.args[0]!r}, which was not restored"
        return f"cannot be restored: {describe_error(error)}"

    def _replay(self, entry: dict[str, Any]) -> dict[str, Any]:
        compiler = self._shell.compile
        code = compiler(entry["source"], compiler.cache(entry["source"], 0), "exec")
        # A star may bring more names than it gave before, and these may be variables by now.
        namespace = self._namespace if entry["kind"] != "star" else {"__name__": "__main__"}
        exec(code, namespace)
        return {name: namespace[name] for name in entry["names"]}

    def _unpickle(self, entry: dict[str, Any]) -> dict[str, Any]:
        owner = self._resolve(f"name:{entry['owner']}") if entry["owner"] else None
        self._file.seek(entry["offset"])
        stream = io.BytesIO(read_exactly(self._file, bytearray(entry["stream"])))
        buffers = [read_exactly(self._file, bytearray(length)) for length in entry["buffers"]]
        unpickler = ValueUnpickler(stream, buffers, self._resolve, self._is_foreign)
        found = {entry["label"]: unpickler.load()}
        if owner is not None:
            setattr(owner, entry["attribute"], found[entry["label"]])
        if entry["also"]:
            memo = unpickler.memo.copy()
            found.update({label: memo[number] for label, number in entry["also"].items()})
        return found

    def _resolve(self, key: str) -> Any:
        kind, _, name = key.partition(":")
        first, _, rest = name.partition(".") if kind == "path" else (name, "", "")
        if kind in ("name", "path"):
            known = self._done if first in self._done or not self._is_added else self._namespace
            if first not in known:
                raise Missing(first)
            return attrgetter(rest)(known[first]) if rest else known[first]
        if kind == "sys":
            return getattr(sys, name)
        kernel = {"shell": self._shell, "module": self._shell.user_module, "globals": self._namespace}
        return {**kernel, "fill_cell": fill_cell}[kind]
