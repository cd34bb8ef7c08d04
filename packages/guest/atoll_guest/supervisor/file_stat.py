"""What the contract tells of a file."""

from __future__ import annotations

import datetime
import os
import stat
from typing import Any

from .errors import GuestError


def describe(path: str, facts: os.stat_result) -> dict[str, Any]:
    modified = datetime.datetime.fromtimestamp(facts.st_mtime, datetime.timezone.utc)
    described = {
        "path": path,
        "name": os.path.basename(path),
        "kind": _kind(facts.st_mode),
        "sizeBytes": facts.st_size,
        "mode": stat.S_IMODE(facts.st_mode),
        "modifiedAt": modified.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    if stat.S_ISLNK(facts.st_mode):
        described["linkTarget"] = os.readlink(path)
    return described


def open_regular(path: str) -> tuple[int, dict[str, Any]]:
    """Never waits, whatever is there: a FIFO without a writer would hold an ordinary open for ever."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    facts = os.fstat(descriptor)
    if stat.S_ISREG(facts.st_mode):
        return descriptor, describe(path, facts)
    os.close(descriptor)
    kind = "a folder" if stat.S_ISDIR(facts.st_mode) else "a FIFO, socket or device"
    raise GuestError("not_a_file", f"{path} is {kind}, not a regular file")


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "symlink" if stat.S_ISLNK(mode) else "other"
