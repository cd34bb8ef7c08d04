"""What cells define at top level, kept as source text so that it can be run again in another kernel."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

_MAX_SOURCE_CHARS = 1024 * 1024
_DEFINES_SOMETHING = re.compile(r"\b(?:import|def|class)\b")


@dataclass(frozen=True)
class Definition:
    """`kind` is "import", "function", "class", or "star": then `name` is `*` and the module's name."""

    name: str
    kind: str
    source: str


class Definitions:
    """The latest definition of each name, in the order in which they were made."""

    def __init__(self) -> None:
        self._by_name: dict[str, Definition] = {}

    def record(self, source: str) -> None:
        """Takes a cell of plain Python that has been run. Never raises; a very long cell is passed over."""
        if len(source) > _MAX_SOURCE_CHARS or not _DEFINES_SOMETHING.search(source):
            return
        try:
            found = list(_definitions_in(source))
        except Exception:
            return
        for definition in found:
            self._put(definition)

    def get(self, name: str) -> Definition | None:
        return self._by_name.get(name)

    def __iter__(self) -> Iterator[Definition]:
        return iter(list(self._by_name.values()))

    def __len__(self) -> int:
        return len(self._by_name)

    def replace(self, definitions: Iterable[Definition]) -> None:
        self._by_name = {definition.name: definition for definition in definitions}

    def forget_absent(self, names: Container[str]) -> None:
        """Drops what defines a name that is no longer there."""
        self.replace(one for one in self if one.kind == "star" or one.name in names)

    def _put(self, definition: Definition) -> None:
        earlier = self._by_name.pop(definition.name, None)
        if earlier and _are_parts_of_one_package(earlier, definition):
            # `import a.b` and `import a.c` bind the same name, and both submodules are wanted.
            sources = dict.fromkeys([*earlier.source.split("\n"), definition.source])
            definition = Definition(definition.name, "import", "\n".join(sources))
        self._by_name[definition.name] = definition


def _definitions_in(source: str) -> Iterator[Definition]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    lines: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                yield Definition(bound, "import", f"import {_aliased(alias)}")
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                is_star = alias.name == "*"
                bound = f"*{module}" if is_star else alias.asname or alias.name
                yield Definition(
                    bound, "star" if is_star else "import", f"from {module} import {_aliased(alias)}"
                )
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # As Python counts lines: str.splitlines() also breaks at form feeds and Unicode separators.
            lines = lines or source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            kind = "class" if isinstance(node, ast.ClassDef) else "function"
            yield Definition(node.name, kind, "\n".join(lines[first - 1 : node.end_lineno]))


def _aliased(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def _are_parts_of_one_package(earlier: Definition, later: Definition) -> bool:
    part = re.compile(rf"import {re.escape(later.name)}(\.\S+)?")
    lines = [*earlier.source.split("\n"), *later.source.split("\n")]
    return earlier.kind == later.kind == "import" and all(part.fullmatch(line) for line in lines)
