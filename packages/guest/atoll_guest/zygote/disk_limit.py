"""A sandbox's disk limit, kept by the file system, of the process of root outside."""

from __future__ import annotations

import contextlib
import os
from typing import Any

from ..isolation.outside import Outside
from . import home

_PARKED_BYTES = 1024 * 1024


class DiskLimit:
    def __init__(self, outside: Outside, store: str, parked: str) -> None:
        self._outside = outside
        self._store = store
        self._parked = parked

    def prepare(self, name: str) -> None:
        """The folders of a sandbox that is about to be parked, with a project: most of the work, before anybody waits for it."""
        home.make(f"{self._store}/{self._parked}/{name}")
        # What is wrong is told by `apply`.
        with contextlib.suppress(OSError):
            self._limit("parked", name, _PARKED_BYTES)

    def apply(self, name: str, params: dict[str, Any]) -> str | None:
        """Before the sandbox takes its place: to the folder that is renamed, and to the one that it may join instead.

        Gives what the file system says where it refuses. OSError: there is nobody outside who could be asked.
        """
        size = int(params["limits"]["diskBytes"])
        if params["folders"]["work"] is not None:
            home.make_work(f"{self._store}/{self._parked}/{name}")
        refusal = self._limit("parked", name, size)
        target = f"{self._store}/{params['home']}"
        if refusal is None and os.path.isdir(target):
            home.make(target)
            refusal = self._limit("named", os.path.basename(target), size)
        return refusal

    def _limit(self, kind: str, name: str, size: int) -> str | None:
        reason, _ = self._outside.ask(f"limit {kind} {name} {size}")
        return f"no quota of the file system: {reason}" if reason else None


def is_complete(request: dict[str, Any]) -> bool:
    """Whether it says what `apply` has to know."""
    try:
        params = request["params"]
        return isinstance(params["home"], str) and params["limits"]["diskBytes"] > 0 and "work" in params["folders"]
    except (KeyError, TypeError):
        return False


def is_promised(request: dict[str, Any]) -> bool:
    """Whether its client was told that the file system keeps the limit."""
    try:
        return bool(request["params"]["info"]["capabilities"]["diskLimit"] == "enforced")
    except (KeyError, TypeError):
        return False
