"""What the user's variables are, for somebody who looks at them."""

from __future__ import annotations

import json
import reprlib
import sys
import types
from collections.abc import Set
from typing import Any

from ..snapshot.inventory import user_names
from .cells import to_label
from .time_budget import TimeBudget

_MAX_VARIABLES = 500
_MAX_PREVIEW_CHARS = 200
_SHORT = reprlib.Repr()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxfrozenset = _SHORT.maxdict = _SHORT.maxdeque = 10
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = _MAX_PREVIEW_CHARS


def list_variables(shell: Any, baseline: Set[str]) -> bytes:
    """JSON. Neither modules nor names that begin with an underscore."""
    names = [
        name
        for name in user_names(shell, baseline)
        if not name.startswith("_") and not issubclass(type(shell.user_ns[name]), types.ModuleType)
    ]
    budget = TimeBudget()
    present = [name for name in names[:_MAX_VARIABLES] if name in shell.user_ns]
    listed = [_describe(name, shell.user_ns[name], budget) for name in present]
    return json.dumps({"variables": listed, "total": len(names)}).encode("utf-8", "replace")


def forget_variable(shell: Any, baseline: Set[str], name: object) -> bool:
    """False when there is none of the user's with this name."""
    if name not in set(user_names(shell, baseline)):
        return False
    value = shell.user_ns.pop(name)
    # What the shell remembers as its latest values would keep it in memory.
    for other in [each for each in shell.user_ns if each.startswith("_") and shell.user_ns[each] is value]:
        del shell.user_ns[other]
    for number in [number for number, shown in getattr(shell, "user_ns", {}).get("_oh", {}).items() if shown is value]:
        del shell.user_ns["_oh"][number]
    return True


def _describe(name: str, value: object, budget: TimeBudget) -> dict[str, Any]:
    kind = type(value)
    described: dict[str, Any] = {
        "name": _clean(name),
        "type": _clean(kind.__name__),
        "kind": _kind(value, kind),
        "preview": _preview(value, kind, budget),
    }
    if (shape := _shape(value, kind, budget)) is not None:
        described["shape"] = shape
    if (size := budget.try_for(lambda: _size(value, kind))) is not None:
        described["sizeBytes"] = size
    return described


def _kind(value: object, kind: type) -> str:
    if issubclass(kind, type):
        return "class"
    is_function = issubclass(kind, (types.FunctionType, types.BuiltinFunctionType, types.MethodType))
    return "function" if is_function else "value"


def _shape(value: Any, kind: type, budget: TimeBudget) -> list[int] | None:
    """Of an array or a table its dimensions, of a collection its length."""
    if _is_of(kind, "numpy", "ndarray") or _is_of(kind, "pandas", "DataFrame", "Series", "Index"):
        return [int(length) for length in value.shape]
    if issubclass(kind, (list, tuple, dict, set, frozenset, str, bytes, bytearray)):
        return [len(value)]
    shape = budget.try_for(lambda: tuple(value.shape) if hasattr(kind, "shape") else None)
    return [int(each) for each in shape] if shape and all(type(each) is int for each in shape) else None


def _size(value: Any, kind: type) -> int:
    if _is_of(kind, "pandas", "DataFrame"):
        return int(value.memory_usage(index=True).sum())
    if _is_of(kind, "pandas", "Series", "Index"):
        return int(value.memory_usage())
    if _is_of(kind, "numpy", "ndarray"):
        return int(value.nbytes)
    return sys.getsizeof(value)


def _preview(value: Any, kind: type, budget: TimeBudget) -> str:
    if _is_of(kind, "pandas", "DataFrame"):
        names = budget.try_for(lambda: [to_label(name) for name in value.columns[:20].tolist()]) or []
        more = ", …" if value.shape[1] > len(names) else ""
        return _cut(", ".join(names) + more)
    if _is_of(kind, "pandas", "Series", "Index") or _is_of(kind, "numpy", "ndarray"):
        return _cut(budget.try_for(lambda: ", ".join(str(each) for each in _first(value).tolist())) or "")
    if issubclass(kind, types.FunctionType):
        return _cut(budget.try_for(lambda: _signature(value)) or "()")
    return _cut(budget.try_for(lambda: _SHORT.repr(value)) or "")


def _first(values: Any, count: int = 6) -> Any:
    if hasattr(values, "iloc"):
        return values.iloc[:count]
    return values.ravel()[:count]


def _signature(function: Any) -> str:
    import inspect

    return str(inspect.signature(function))


def _is_of(kind: type, module: str, *names: str) -> bool:
    library = sys.modules.get(module)
    return library is not None and any(issubclass(kind, getattr(library, name)) for name in names)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return _clean(line if len(line) <= _MAX_PREVIEW_CHARS else line[: _MAX_PREVIEW_CHARS - 1] + "…")


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
