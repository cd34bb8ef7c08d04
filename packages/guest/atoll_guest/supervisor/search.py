"""Listing, globbing and searching below a folder. Pure functions over the file system; symlinks are not followed."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .errors import GuestError
from .file_stat import describe, open_regular

_BINARY_PROBE_BYTES = 8192
_MAX_LINE_CHARS = 2000
_MAX_FILE_BYTES = 64 * 1024 * 1024


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
        found = [describe(entry.path, entry.stat(follow_symlinks=False)) for entry in _bounded(entries, most, path)]
    return sorted(found, key=lambda entry: entry["name"])


def list_tree(path: str, most: int) -> list[dict[str, Any]]:
    if not stat.S_ISDIR(os.stat(path).st_mode):
        raise GuestError("not_a_folder", f"not a folder: {path}")
    return [describe(name, os.lstat(name)) for name in _bounded(_walk(path), most, path)]


def glob(pattern: str, cwd: str, most: int) -> list[str]:
    """`**` crosses folders, `*` and `?` do not. Hidden files match only a pattern that names the dot."""
    if not stat.S_ISDIR(os.stat(cwd).st_mode):
        raise GuestError("not_a_folder", f"not a folder: {cwd}")
    matches = _compile(pattern)
    names = (name for name in _walk(cwd) if matches(os.path.relpath(name, cwd)))
    return sorted(_bounded(names, most, cwd))


def grep(query: Query) -> dict[str, Any]:
    try:
        pattern = re.compile(query.pattern, re.IGNORECASE if query.ignore_case else 0)
    except re.error as error:
        raise GuestError("invalid_argument", f"not a regular expression: {error}") from error
    wanted = _compile(query.glob) if query.glob else None
    matches: list[dict[str, Any]] = []
    for path in _files(query.path):
        relative = os.path.relpath(path, query.path)
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
        yield from (name for name in _walk(path) if stat.S_ISREG(os.lstat(name).st_mode))
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


def _walk(path: str) -> Iterator[str]:
    """Depth first, by name; without recursion, since user code may nest folders without end."""
    left = _entries(path)
    while left:
        entry = left.pop()
        yield entry.path
        if entry.is_dir(follow_symlinks=False):
            left += _entries(entry.path)


def _entries(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return sorted(entries, key=lambda entry: entry.name, reverse=True)
    except OSError:
        return []  # Closed off, gone by now, or nested too deep to be named.


def _bounded(entries: Iterator[Any], most: int, path: str) -> Iterator[Any]:
    for count, entry in enumerate(entries):
        if count >= most:
            raise GuestError("too_many_entries", f"more than {most} entries in {path} (raise maxEntries)")
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
