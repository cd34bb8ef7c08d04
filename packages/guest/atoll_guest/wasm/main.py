"""What the interpreter runs from its start to its end."""

from __future__ import annotations

import io
import os
import sys
import traceback
from typing import Any, NoReturn

from .. import protocol
from ..kernel import libraries
from ..kernel.process import Kernel, _stream, reseed
from . import timing
from .calls import Calls
from .channel import BlockingChannel
from .closing import close_off, name_absent
from .devices import Devices

# The host takes less from an interpreter than from a supervisor: see `maxHeaderBytes` of `drivers/pyodide/interpreter/child.ts`.
_MAX_REPLY_BYTES = 12 * 1024 * 1024
# What light work and its error messages are made of: each costs more to import than most runs take.
_USUAL = (
    *("bisect", "calendar", "collections", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "enum"),
    *("fractions", "functools", "hashlib", "heapq", "html", "itertools", "json", "math", "operator", "pathlib", "pprint"),
    *("random", "re", "statistics", "string", "textwrap", "tokenize", "traceback", "typing", "unicodedata", "uuid"),
)


def prepare() -> None:
    """All that can be done before it is known whose the interpreter will be; what follows is a copy of its memory."""
    libraries.preload(_USUAL)


def main() -> NoReturn:
    """Never returns: an exception that left it would be one for JavaScript."""
    status = 1
    try:
        _serve()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _serve() -> None:
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout = sys.__stdout__ = _stream(1)
    sys.stderr = sys.__stderr__ = _stream(2)
    close_off()
    protocol.MAX_REPLY_HEADER_BYTES = _MAX_REPLY_BYTES
    calls = Calls()
    devices = Devices()
    channel = BlockingChannel(devices, calls.answer, _begin)
    timing.install(devices, channel.serve)
    Kernel(channel).serve()


def _begin(settings: dict[str, Any]) -> None:
    """Every interpreter starts as a copy of the same memory: none may draw the numbers of another."""
    reseed()
    name_absent(settings["absent"])
