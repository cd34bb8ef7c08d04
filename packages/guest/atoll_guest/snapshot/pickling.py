"""Pickles of one variable each, which name what they share with other variables instead of containing it."""

from __future__ import annotations

import copyreg
import pickle
from collections import ChainMap
from collections.abc import Callable
from typing import Any, BinaryIO

from .depth import CAN_OVERFLOW, refuse_depth
from .reducers import REDUCERS

try:
    import cloudpickle
except ImportError:
    cloudpickle = None

_BasePickler: Any = cloudpickle.CloudPickler if cloudpickle else pickle.Pickler
_ATOMS = frozenset([type(None), bool, int, float, complex, str, bytes])

_CODE_MAKERS = {
    *(("cloudpickle.cloudpickle", name) for name in ("_make_function", "_builtin_type", "_make_cell")),
    *(("types", name) for name in ("CodeType", "FunctionType")),
    ("marshal", "loads"),
}

# What a key starts with, when it is not simply the text that stands for the object.
PENDING = "?"
LOST = "!"


class HoldsLost(Exception):
    """The value contains another variable that is known to be lost."""


class ValuePickler(_BasePickler):
    """`keys` gives for the id of an object the text that stands for it in every pickle.

    After `PENDING` comes the name of a later variable that is this object: it is written out here, and `met`
    tells its number in this pickle, under which the memo of `ValueUnpickler` gives it again.
    After `LOST` comes the name of a variable that cannot be saved, nor can what contains it.
    """

    dispatch_table = ChainMap(
        REDUCERS, _BasePickler.dispatch_table if cloudpickle else copyreg.dispatch_table
    )

    def __init__(
        self,
        file: Any,
        keys: dict[int, str],
        namespace: dict[str, Any],
        buffer_callback: Callable[[pickle.PickleBuffer], bool],
    ) -> None:
        super().__init__(file, protocol=5, buffer_callback=buffer_callback)
        self._keys = keys
        self._namespace = namespace
        self._met: dict[str, int] = {}
        # Read by cloudpickle: a function's globals are the user's namespace itself, not a copy of some of it.
        self.globals_ref = {id(namespace): namespace}

    def dump(self, value: object) -> None:
        if id(value) in self._keys or not _holds_only_atoms(value):
            self.persistent_id = self._make_persistent_id()
            if CAN_OVERFLOW:
                refuse_depth(value)
        super().dump(value)

    def met(self) -> dict[str, int]:
        if not self._met:
            return {}
        memo = self.memo.copy()
        return {name: memo[address][0] for name, address in self._met.items() if address in memo}

    def _make_persistent_id(self) -> Callable[[object], str | None]:
        """A function rather than a method: it is called for every object, and this halves its cost."""
        key_of, met = self._keys.get, self._met

        def persistent_id(value: object, id: Callable[[object], int] = id) -> str | None:
            key = key_of(id(value))
            if key is None:
                return None
            if key[0] == PENDING:
                met[key[1:]] = id(value)
                return None
            if key[0] == LOST:
                raise HoldsLost(key[1:])
            return key

        return persistent_id

    def _dynamic_function_reduce(self, function: Any) -> Any:
        """As cloudpickle does it, but with the very cells of the closure: functions may share them."""
        make, arguments, state, *rest = super()._dynamic_function_reduce(function)
        state[1]["__closure__"] = None
        if function.__globals__ is self._namespace:
            state[1]["__globals__"] = {}
        return make, (*arguments[:4], function.__closure__), state, *rest


class ForeignCode(Exception):
    """Compiled code of another version of Python, which would not run here but might crash the kernel."""

    def __init__(self) -> None:
        super().__init__("it holds compiled code of another version of Python")


class ValueUnpickler(pickle.Unpickler):
    """`resolve` gives the object for a key, or raises; `path:x.y` is y of the variable x.

    `is_foreign`: it was written by another version of Python.
    """

    def __init__(
        self, file: BinaryIO, buffers: list[bytearray], resolve: Callable[[str], Any], is_foreign: bool = False
    ) -> None:
        super().__init__(file, buffers=buffers)
        self._resolve = resolve
        self._is_foreign = is_foreign

    def persistent_load(self, key: str) -> Any:
        return self._resolve(key)

    def find_class(self, module: str, name: str) -> Any:
        if self._is_foreign and (module, name) in _CODE_MAKERS:
            raise ForeignCode
        return self._resolve(f"path:{name}") if module == "__main__" else super().find_class(module, name)


def is_atom(value: Any) -> bool:
    """Needs no identity: two equal ones are as good as one."""
    kind = type(value)
    return kind in _ATOMS and not (kind in (str, bytes) and len(value) > 4096)


def _holds_only_atoms(value: Any) -> bool:
    kind = type(value)
    if kind is dict:
        return _ATOMS.issuperset(map(type, value)) and _ATOMS.issuperset(map(type, value.values()))
    return kind in _ATOMS or (kind in (list, tuple, set, frozenset) and _ATOMS.issuperset(map(type, value)))
