"""Everything below the folders that a sandbox keeps, in a form that is quick to compare. Symlinks are not followed."""

from __future__ import annotations

import hashlib
import marshal
import os
import re
import stat
from typing import Any

from ..errors import GuestError

_UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.partial")
_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder", stat.S_IFLNK: "symlink"}
# What JavaScript reads without loss.
_MAX_NUMBER = 2**53 - 1

Roots = dict[str, str]
Found = tuple[str, str, int, int, int, int, int, str | None]


class TooManyEntries(GuestError):
    def __init__(self, most: int) -> None:
        super().__init__("too_many_entries", f"more than {most} files and folders (maxEntries)")


def scan(roots: Roots, left_out: set[str], most: int, unless: str | None) -> dict[str, Any]:
    """Entries are rows, to keep the frame small: root, path, kind, mode, size, modified (µs), signature, link target."""
    found: list[Found] = []
    skipped: list[tuple[str, str, str]] = []
    for name, root in roots.items():
        _scan_root(name, root, left_out, most, found, skipped)
    # Written without references and interning, so that equal lists give equal bytes.
    fingerprint = hashlib.blake2b(marshal.dumps(found, 0), digest_size=16).hexdigest()
    entries = None if fingerprint == unless else [_row(*one) for one in found]
    return {"fingerprint": fingerprint, "entries": entries, "skipped": skipped}


def _scan_root(
    name: str,
    root: str,
    left_out: set[str],
    most: int,
    found: list[Found],
    skipped: list[tuple[str, str, str]],
) -> None:
    """Without recursion, since user code may nest folders without end."""
    start, folders = len(root) + 1, [root]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=_name_of)
        except FileNotFoundError:
            continue
        except OSError as error:
            skipped.append((name, folder[start:], f"cannot be read: {error.strerror}"))
            continue
        for entry in entries:
            path = entry.path
            if path in left_out or (path.endswith(".partial") and _UNFINISHED.fullmatch(entry.name)):
                continue
            try:
                facts = entry.stat(follow_symlinks=False)
                mode, target = facts.st_mode, None
                if stat.S_ISDIR(mode):
                    folders.append(path)
                elif stat.S_ISLNK(mode):
                    target = os.readlink(path)
                elif not stat.S_ISREG(mode):
                    skipped.append((name, path[start:], "neither a file nor a folder nor a link"))
                    continue
            except OSError:
                continue  # Gone meanwhile.
            if len(found) >= most:
                raise TooManyEntries(most)
            times = facts.st_mtime_ns, facts.st_ctime_ns
            found.append((name, path[start:], mode, facts.st_size, *times, facts.st_ino, target))


def _row(
    name: str, path: str, mode: int, size: int, modified_ns: int, changed_ns: int, inode: int, target: str | None
) -> tuple[Any, ...]:
    """The signature is another one after every change, since user code cannot set a ctime."""
    kind = _KINDS[stat.S_IFMT(mode)]
    size = 0 if kind == "folder" else min(size, _MAX_NUMBER)
    modified_us = max(-_MAX_NUMBER, min(modified_ns // 1000, _MAX_NUMBER))
    signature = f"{inode}.{size}.{modified_ns}.{changed_ns}"
    return (name, path, kind, stat.S_IMODE(mode), size, modified_us, signature, target)


def _name_of(entry: os.DirEntry[str]) -> str:
    return entry.name
