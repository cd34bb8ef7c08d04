"""The shell for a machine without IPython: cells, the value of the last expression, top-level await. No magics."""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import linecache
import os
import sys
import traceback
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .late_imports import when_imported
from .shown_tables import shown_tables
from .tables import TABLE_MIME

_GUEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_REPR_METHODS = {
    "text/html": "_repr_html_",
    "text/markdown": "_repr_markdown_",
    "text/latex": "_repr_latex_",
    "image/svg+xml": "_repr_svg_",
    "image/png": "_repr_png_",
    "application/json": "_repr_json_",
}


@dataclass
class Outcome:
    error_before_exec: BaseException | None = None
    error_in_exec: BaseException | None = None


class PlainShell:
    """As much of IPython's shell as the kernel and its snapshots use."""

    emit: Callable[[dict[str, Any], bool], None] = staticmethod(lambda data, is_main: None)

    def __init__(self) -> None:
        self.user_module = types.ModuleType("__main__")
        self.user_ns = self.user_module.__dict__
        self.user_ns.update(__builtins__=builtins, display=self._display)
        self.user_ns_hidden: dict[str, Any] = dict(self.user_ns)
        self.execution_count = 1
        self.last_traceback: list[str] = []
        self.last_transformed = ""
        self.compile = _Compiler()

    def run_cell(self, source: str, store_history: bool = True) -> Outcome:
        self.last_transformed = source
        outcome = Outcome()
        try:
            name = self.compile.cache(source, self.execution_count)
            tree = ast.parse(source, name)
        except BaseException as error:
            if isinstance(error, SyntaxError) and (error.text or "").lstrip()[:1] in ("!", "%"):
                error.msg += ": lines that begin with ! or % are IPython's, which this Python does not have"
            outcome.error_before_exec = error
            # Nothing of it has run: there is no way to show.
            self.last_traceback = "".join(traceback.format_exception_only(error)).splitlines()
            return outcome
        finally:
            self.execution_count += 1
        last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        try:
            self._execute(compile(tree, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
            if last is not None:
                value = self._execute(compile(last, name, "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
                if value is not None and not source.rstrip().endswith(";"):
                    self.user_ns["_"] = value
                    self.emit(_describe(value), True)
        except BaseException as error:
            outcome.error_in_exec = error
            self._keep_traceback(error)
        return outcome

    def reset(self, **_: object) -> None:
        for name in set(self.user_ns) - set(self.user_ns_hidden):
            del self.user_ns[name]

    def _execute(self, code: types.CodeType) -> Any:
        result = eval(code, self.user_ns)  # noqa: S307
        return asyncio.run(result) if code.co_flags & inspect.CO_COROUTINE else result

    def _display(self, *values: Any, raw: bool = False) -> None:
        """`raw`: the values are forms already, by media type."""
        for value in values:
            self.emit(dict(value) if raw else _describe(value), False)

    def _keep_traceback(self, error: BaseException) -> None:
        """From the cell on: how the shell got there is of no interest."""
        lines = traceback.format_exception(error)
        own = f'  File "{_GUEST}/'
        self.last_traceback = [line.rstrip("\n") for line in lines if not line.startswith(own)]


class _Compiler:
    def __call__(self, source: str, name: str, kind: str) -> types.CodeType:
        return compile(source, name, kind)

    def cache(self, source: str, number: int = 0) -> str:
        """Names a cell, and lets tracebacks show its lines."""
        name = f"<cell {number}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        return name


def make_shell() -> PlainShell:
    shell = PlainShell()
    when_imported("matplotlib", lambda: _connect_figures(shell))
    sys.modules["__main__"] = shell.user_module
    return shell


def _connect_figures(shell: PlainShell) -> None:
    from . import figures

    figures.connect(lambda data: type(shell).emit(data, False))


def _describe(value: object) -> dict[str, Any]:
    forms: dict[str, Any] = {"text/plain": repr(value)}
    for mime, method in _REPR_METHODS.items():
        if not isinstance(value, type) and callable(form := getattr(value, method, None)):
            try:
                shown = form()
            except Exception:
                continue
            if shown is not None:
                forms[mime] = shown
    if (table := shown_tables.show(value)) is not None:
        forms[TABLE_MIME] = table
    return forms
