"""What the contract tells of a file."""

from __future__ import annotations

import contextlib
import datetime
import os
import stat
from typing import Any

from ..errors import GuestError


# The first and the last that have four digits for the year.
_FIRST_TIME, _LAST_TIME = "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"
# What JavaScript reads without loss.
_MAX_NUMBER = 2**53 - 1


def describe(path: str, facts: os.stat_result) -> dict[str, Any]:
    """Of anything that user code can make: a time or size that cannot be written becomes the nearest that can."""
    described = {
        "path": path,
        "name": os.path.basename(path),
        "kind": _kind(facts.st_mode),
        "sizeBytes": min(facts.st_size, _MAX_NUMBER),
        "mode": stat.S_IMODE(facts.st_mode),
        "modifiedAt": _time(facts.st_mtime),
    }
    if stat.S_ISLNK(facts.st_mode):
        with contextlib.suppress(OSError):  # Gone or another thing by now.
            described["linkTarget"] = os.readlink(path)
    return described


def describe_entry(entry: os.DirEntry[str]) -> dict[str, Any] | None:
    """One that cannot be looked at is shown as such. None for what is gone."""
    try:
        return describe(entry.path, entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return None
    except OSError as error:
        return {
            "path": entry.path,
            "name": entry.name,
            "kind": "folder" if is_folder(entry) else "other",
            "sizeBytes": 0,
            "mode": 0,
            "modifiedAt": _time(0),
            "problem": f"It cannot be looked at: {error.strerror}.",
        }


def is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def open_regular(path: str) -> tuple[int, dict[str, Any]]:
    """Never waits, whatever is there: a FIFO without a writer would hold an ordinary open for ever.

    A terminal of user code does not become that of this process.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    facts = os.fstat(descriptor)
    if stat.S_ISREG(facts.st_mode):
        return descriptor, describe(path, facts)
    os.close(descriptor)
    kind = "a folder" if stat.S_ISDIR(facts.st_mode) else "a FIFO, socket or device"
    raise GuestError("not_a_file", f"{path} is {kind}, not a regular file")


def _time(seconds: float) -> str:
    try:
        time = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    except (OverflowError, ValueError, OSError):
        return _FIRST_TIME if seconds < 0 else _LAST_TIME
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "symlink" if stat.S_ISLNK(mode) else "other"
