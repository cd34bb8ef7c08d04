"""The host sees every change itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from ..errors import GuestError


def watch(path: str, notify: Callable[[str, str], None]) -> NoReturn:
    raise GuestError("not_supported", "watched by the host")
