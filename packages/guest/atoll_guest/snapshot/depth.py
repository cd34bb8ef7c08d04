"""How deep values are nested. In WebAssembly a pickler that goes too deep ends the interpreter, not itself."""

from __future__ import annotations

import sys
import types
from collections import deque
from collections.abc import Iterator
from typing import Any

_MOST = 1000
_LISTS = (list, tuple, set, frozenset, deque)
_NAMED = (type, types.ModuleType, types.FunctionType)

CAN_OVERFLOW = sys.platform == "emscripten"


def refuse_depth(value: object) -> None:
    """Raises RecursionError as a pickler elsewhere does."""
    seen: set[int] = set()
    path = [iter((value,))]
    while path:
        for part in path[-1]:
            if id(part) not in seen and (parts := _parts(part)) is not None:
                seen.add(id(part))
                path.append(parts)
                break
        else:
            path.pop()
        if len(path) > _MOST:
            raise RecursionError("nested too deeply")


def _parts(value: Any) -> Iterator[Any] | None:
    if isinstance(value, _LISTS):
        return iter(tuple(value))
    if isinstance(value, dict):
        return iter((*value.keys(), *value.values()))
    if isinstance(value, _NAMED):
        return None
    state = getattr(value, "__dict__", None)
    return iter(tuple(state.values())) if isinstance(state, dict) else None
