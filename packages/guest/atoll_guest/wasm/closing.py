"""Takes away what leads from Python to JavaScript, in words that say so. The boundary itself is outside: see SECURITY.md."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_CLOSED = {"js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "pyodide_ffi", "micropip"}


def close_off() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in _CLOSED]:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if _module_of(finder) not in _CLOSED]
    sys.meta_path.insert(0, _ClosedFinder())
    gc.collect()


def name_absent(packages: dict[str, str]) -> None:
    """Import name → package, of those that others have and this interpreter has not."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _AbsentFinder)]
    sys.meta_path.append(_AbsentFinder(packages))


class _ClosedFinder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in _CLOSED:
            raise ModuleNotFoundError(f"No module named {name!r}: this sandbox has no way to JavaScript", name=name)
        return None


class _AbsentFinder(MetaPathFinder):
    """The last to be asked."""

    def __init__(self, packages: dict[str, str]) -> None:
        self._packages = packages

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package = self._packages.get(name)
        if package is None:
            return None
        raise ModuleNotFoundError(
            f"No module named {name!r}: the package {package} is not there for Python in WebAssembly (Pyodide)",
            name=name,
        )


def _module_of(finder: object) -> str:
    kind = finder if isinstance(finder, type) else type(finder)
    return kind.__module__.partition(".")[0]
