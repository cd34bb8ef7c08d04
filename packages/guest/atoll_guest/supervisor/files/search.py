"""Listing, globbing and searching below a folder. Pure functions over the file system; symlinks are not followed."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import GuestError
from .file_stat import describe_entry, is_folder, open_regular

_BINARY_PROBE_BYTES = 8192
_MAX_LINE_CHARS = 2000
_MAX_FILE_BYTES = 64 * 1024 * 1024
# Of the paths in one answer.
_MAX_CHARS = 16 * 1024 * 1024


@dataclass(frozen=True)
class Query:
    pattern: str
    path: str
    glob: str | None
    ignore_case: bool
    context: int
    max_matches: int


def list_folder(path: str, most: int) -> list[dict[str, Any]]:
    with os.scandir(path) as entries:
        found = [shown for entry in _bounded(entries, most, path) if (shown := describe_entry(entry)) is not None]
    return sorted(found, key=lambda entry: entry["name"])


def list_tree(path: str, most: int) -> list[dict[str, Any]]:
    _require_folder(path)
    return [shown for entry in _bounded(_walk(path), most, path) if (shown := describe_entry(entry)) is not None]


def glob(pattern: str, cwd: str, most: int) -> list[str]:
    """`**` crosses folders, `*` and `?` do not. Hidden files match only a pattern that names the dot."""
    _require_folder(cwd)
    matches = _compile(pattern)
    found = (entry for entry in _walk(cwd) if matches(_relative(entry.path, cwd)))
    return sorted(entry.path for entry in _bounded(found, most, cwd))


def grep(query: Query) -> dict[str, Any]:
    try:
        pattern = re.compile(query.pattern, re.IGNORECASE if query.ignore_case else 0)
    except re.error as error:
        raise GuestError("invalid_argument", f"not a regular expression: {error}") from error
    wanted = _compile(query.glob) if query.glob else None
    matches: list[dict[str, Any]] = []
    for path in _files(query.path):
        relative = _relative(path, query.path)
        if wanted and not wanted(relative) and not wanted(os.path.basename(path)):
            continue
        lines = _read_lines(path)
        for number, line in enumerate(lines):
            if pattern.search(line):
                if len(matches) >= query.max_matches:
                    return {"matches": matches, "truncated": True}
                matches.append(_match(path, number, lines, query.context))
    return {"matches": matches, "truncated": False}


def _match(path: str, number: int, lines: list[str], context: int) -> dict[str, Any]:
    cut = [line[:_MAX_LINE_CHARS] for line in lines[max(0, number - context) : number + context + 1]]
    before = min(context, number)
    return {"path": path, "line": number + 1, "text": cut[before], "before": cut[:before], "after": cut[before + 1 :]}


def _files(path: str) -> Iterator[str]:
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        yield from (entry.path for entry in _walk(path) if _is_file(entry))
    else:
        yield path


def _read_lines(path: str) -> list[str]:
    """No lines for what is binary, too large, or gone by now."""
    try:
        descriptor, facts = open_regular(path)
    except (OSError, GuestError):
        return []
    with os.fdopen(descriptor, "rb") as file:
        head = file.read(_BINARY_PROBE_BYTES)
        if b"\0" in head or facts["sizeBytes"] > _MAX_FILE_BYTES:
            return []
        return (head + file.read()).decode("utf-8", "replace").splitlines()


def _require_folder(path: str) -> None:
    if not stat.S_ISDIR(os.stat(path).st_mode):
        raise GuestError("not_a_folder", f"not a folder: {path}")


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _relative(path: str, folder: str) -> str:
    return path[len(folder.rstrip("/")) + 1 :] if path != folder else os.path.basename(path)


def _walk(path: str) -> Iterator[os.DirEntry[str]]:
    """Depth first, by name; without recursion, since user code may nest folders without end."""
    left = _entries(path)
    while left:
        entry = left.pop()
        yield entry
        if is_folder(entry):
            left += _entries(entry.path)


def _entries(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return sorted(entries, key=lambda entry: entry.name, reverse=True)
    except OSError:
        return []  # Closed off, gone by now, or nested too deep to be named.


def _bounded(entries: Iterator[os.DirEntry[str]], most: int, path: str) -> Iterator[os.DirEntry[str]]:
    chars = 0
    for count, entry in enumerate(entries):
        if count >= most:
            raise GuestError("too_many_entries", f"more than {most} entries in {path} (raise maxEntries)")
        chars += len(entry.path)
        if chars > _MAX_CHARS:
            raise GuestError("too_many_entries", f"the names in {path} are too long in sum: list its folders one by one")
        yield entry


def _compile(pattern: str) -> Any:
    """A glob over relative paths as a matching function."""
    parts = pattern.strip("/").split("/")
    expressions = []
    for part in parts:
        if part == "**":
            expressions.append("(?:[^/]+/)*" if part is not parts[-1] else "(?:[^/]+/)*[^/]+")
            continue
        text = fnmatch.translate(part).removesuffix(r"\Z").removesuffix(r"\z")
        text = text.replace("(?s:", "(?:", 1).replace(".*", "[^/]*")
        hidden = "" if part.startswith(".") else r"(?!\.)"
        expressions.append(hidden + text + ("" if part is parts[-1] else "/"))
    whole = re.compile("".join(expressions) + r"\Z", re.DOTALL)
    return lambda relative: whole.match(relative) is not None
