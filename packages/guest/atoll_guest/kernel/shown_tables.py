"""The tables that cells have shown, kept for a while so that all of their rows can be asked for."""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from .table_rows import Query, choose_rows
from .tables import to_table

_MAX_TABLES = 30
_MAX_BYTES = 128 * 1024 * 1024


@dataclass
class _Shown:
    frame: Any
    bytes: int
    # The rows that were asked for last: the next page of them needs no second search.
    latest: tuple[Query, Any] | None = None


class ShownTables:
    """The oldest go first. The newest one stays, however large it is: the shell keeps it as `_` anyway."""

    def __init__(self) -> None:
        self._tables: OrderedDict[str, _Shown] = OrderedDict()

    def show(self, value: Any) -> dict[str, Any] | None:
        """As `to_table`, with a name under which it can be asked for."""
        table = to_table(value)
        if table is not None:
            with contextlib.suppress(Exception):
                table["id"] = self._keep(value)
        return table

    def find(self, name: str) -> Any:
        """The frame, or None when it is no longer kept."""
        shown = self._tables.get(name)
        return None if shown is None else shown.frame

    def choose(self, name: str, query: Query) -> Any:
        """Positions of the rows that the query is for, in its order; None: all, as they are."""
        shown = self._tables[name]
        if shown.latest is None or shown.latest[0] != query:
            shown.latest = (query, choose_rows(shown.frame, query))
        return shown.latest[1]

    def clear(self) -> None:
        self._tables.clear()

    def _keep(self, value: Any) -> str:
        """Without a copy: pandas copies what is changed later, and the frame here stays as it was shown."""
        frame = value.copy(deep=False) if value.ndim == 2 else value.to_frame("value" if value.name is None else value.name)
        # Unlike a count, never that of a table in a kernel before this one.
        name = os.urandom(8).hex()
        self._tables[name] = _Shown(frame, int(frame.memory_usage(index=True).sum()))
        while len(self._tables) > 1 and (len(self._tables) > _MAX_TABLES or self._bytes() > _MAX_BYTES):
            self._tables.popitem(last=False)
        return name

    def _bytes(self) -> int:
        return sum(shown.bytes for shown in self._tables.values())


shown_tables = ShownTables()
