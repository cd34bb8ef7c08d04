"""There is no system to call."""

from __future__ import annotations


def set_name(name: str) -> None:
    pass
