"""The way in: every file of the data folder becomes a table in the kernel and a message that describes it."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

_MAX_FILES = 500
_MAX_TABLES = 60
_MAX_DEPTH = 3
_MAX_NOTES = 30
_LARGE_BYTES = 32 * 1024 * 1024

Publish = Callable[[dict[str, Any]], None]


def load(request: dict[str, Any], namespace: dict[str, Any], publish: Publish) -> None:
    """First publishes the list of files, then one message a file. What a file does to its reader stays here."""
    files = list(_files(request["folder"], request["outputs"], request["order"]))
    publish({"files": [{"file": file.path, "name": file.name, "size_bytes": file.size} for file in files]})
    loader = _Loader(request["memoryBytes"] // 2, namespace, request["taken"])
    for number, file in enumerate(files):
        if number in request["done"] or file.path in request["known"]:
            continue
        with quietly():
            message = loader.read(file)
        publish({"number": number, **message})
        if file.size > _LARGE_BYTES:
            from .memory import release_memory

            release_memory()


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """What readers warn of is no news for the user."""
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield


def reading_problem(read: Callable[[], None]) -> str | None:
    """Why a file could not be read, in words; None when it could."""
    try:
        import pandas  # noqa: F401
    except ImportError:
        return "pandas is not installed in this sandbox, so no file can be read as a table"
    from .delimited import NotATable
    from .encoding import NotText

    try:
        read()
    except (NotATable, NotText) as error:
        return str(error)
    except MemoryError:
        return "it does not fit into the sandbox's memory"
    except RecursionError:
        return "it is nested too deeply"
    except OSError as error:
        return f"it cannot be opened ({error.strerror})"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"it could not be read ({type(error).__name__} in {place.name})"
    return None


class _File:
    def __init__(self, path: str, name: str, size: int) -> None:
        self.real_path = path
        # A name that is not UTF-8 cannot be told as it is.
        self.path = path.encode("utf-8", "replace").decode()
        self.name = name.encode("utf-8", "replace").decode()
        self.size = size


def _files(folder: str, outputs: str, order: list[str]) -> Iterator[_File]:
    """In the order asked for, the others after them by name."""
    found = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(
            each for each in folders if os.path.join(root, each) != outputs and not each.startswith(".")
        )
        if root[len(folder) :].count("/") >= _MAX_DEPTH:
            folders.clear()
        for name in sorted(names):
            path = os.path.join(root, name)
            with contextlib.suppress(OSError):
                status = os.stat(path)
                if stat.S_ISREG(status.st_mode):
                    found.append(_File(path, os.path.relpath(path, folder), status.st_size))
    places = {name: place for place, name in enumerate(order)}
    found.sort(key=lambda file: (places.get(file.name, len(places)), file.name.lower(), file.name))
    yield from found[:_MAX_FILES]


class _Loader:
    def __init__(self, budget_bytes: int, namespace: dict[str, Any], taken: list[str]) -> None:
        self._budget = budget_bytes
        self._room = budget_bytes - _used_bytes(namespace, taken)
        self._namespace = namespace
        self._taken = set(taken)
        self._count = len(taken)

    def read(self, file: _File) -> dict[str, Any]:
        tables: list[dict[str, Any]] = []
        before = set(self._taken)
        problem = reading_problem(lambda: self._read_into(file, tables))
        made = sorted(self._taken - before)
        return {"tables": tables, "variables": made, **({"problem": problem} if problem else {})}

    def _read_into(self, file: _File, tables: list[dict[str, Any]]) -> None:
        from .delimited import NotATable
        from .files import read_tables
        from .profiling import profile_frame

        # Text takes more room than what it is turned into, and turning it takes some for a while.
        max_bytes = max(self._budget // 50, int(self._room * 0.6))
        found_tables = list(read_tables(file.real_path, file.name, max_bytes))
        for found in found_tables:
            if self._count >= _MAX_TABLES:
                raise NotATable(f"only the first {_MAX_TABLES} tables are loaded")
            sheet = found.facts.get("sheet")
            content = profile_frame(found.frame, found.notes)
            variable = self._keep(file.name, sheet if len(found_tables) > 1 else None, found.frame)
            tables.append(
                {
                    "file": file.path,
                    "name": file.name if sheet is None or len(found_tables) == 1 else f"{file.name} · {sheet}",
                    **variable,
                    **found.facts,
                    "rows": found.rows,
                    "loaded_rows": len(found.frame),
                    **content,
                    "notes": found.notes[:_MAX_NOTES],
                }
            )

    def _keep(self, file_name: str, sheet: str | None, frame: Any) -> dict[str, str]:
        from .variable_names import name_variable

        self._room -= int(frame.memory_usage(index=False).sum())
        variable = name_variable(os.path.basename(file_name), sheet, self._taken)
        self._namespace[variable] = frame
        self._count += 1
        if self._count > 1:
            return {"variable": variable}
        self._namespace["df"] = frame
        return {"variable": "df", "alias": variable}


def _used_bytes(namespace: dict[str, Any], names: list[str]) -> int:
    """What tables of earlier runs take, as far as they are still there."""
    try:
        from pandas import DataFrame
    except ImportError:
        return 0
    frames = [namespace[name] for name in names if type(namespace.get(name)) is DataFrame]
    return sum(int(frame.memory_usage(index=False).sum()) for frame in frames)


def publish_with(display: Callable[..., Any] | None, mime: str) -> Publish:
    """As a result of the run, on IPython or on the shell that stands in for it."""
    try:
        from IPython.display import publish_display_data
    except ImportError:

        class _Message:
            def __init__(self, message: dict[str, Any]) -> None:
                self._repr_json_ = lambda: message

        return lambda message: display(_Message(message)) if display else None
    return lambda message: publish_display_data({mime: message})


def forget_cell() -> None:
    """The cell that brought this program in is of no interest to whoever asks for earlier cells."""
    names = sys.modules["__main__"].__dict__
    with contextlib.suppress(Exception):
        names["In"][-1] = ""
        for name in ("_i", f"_i{len(names['In']) - 1}"):
            if name in names:
                names[name] = ""
