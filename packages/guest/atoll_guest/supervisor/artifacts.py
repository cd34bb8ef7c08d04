"""Finds the files a run made or changed, by their content.

A file whose inode, size and times are as before is unchanged (user code cannot set a ctime); one whose times moved is
hashed. Files above `_HASHED_BYTES` count as changed when their times moved, since hashing them before every run would
cost more than it tells.
"""

from __future__ import annotations

import hashlib
import mimetypes
import os
import stat
from typing import Any, NamedTuple

from .worker import run_in_fork

_SKIPPED = {"__pycache__", "node_modules", "site-packages"}
_MAX_FILES = 20_000
_MAX_DEPTH = 12
_HASHED_BYTES = 64 * 1024 * 1024
_INLINE_BYTES = 8 * 1024 * 1024

Signature = tuple[int, int, int, int]


class Known(NamedTuple):
    signature: Signature
    hash: str | None


class Artifacts:
    def __init__(self, paths: dict[str, str]) -> None:
        # Folders for results are searched whole; elsewhere hidden files and those of tools are nobody's result.
        self._own = {paths["artifacts"], paths["outputs"], f"{paths['workspace']}/outputs", *_work(paths)}
        self._roots = list(dict.fromkeys([paths["workspace"], paths["session"], paths["outputs"], *_work(paths)]))
        self._known: dict[str, Known] = {}

    async def refresh(self) -> None:
        """Takes what was changed since the last run, by uploads or commands, as given."""
        seen = self._scan()
        stale = [path for path, signature in seen.items() if self._is_stale(path, signature)]
        hashes = await _hash_all([path for path in stale if seen[path][1] <= _HASHED_BYTES])
        kept = {path: known for path, known in self._known.items() if path in seen}
        kept.update({path: Known(seen[path], hashes.get(path)) for path in stale})
        self._known = kept

    async def changes(self) -> list[dict[str, Any]]:
        seen = self._scan()
        stale = [path for path, signature in seen.items() if self._is_stale(path, signature)]
        hashes = await _hash_all(stale)
        found = []
        for path in stale:
            before, digest = self._known.get(path), hashes.get(path)
            if digest is None:
                continue  # Gone or unreadable by now.
            self._known[path] = Known(seen[path], digest)
            if before is None or before.hash != digest:
                found.append(_describe(path, seen[path][1], digest, "new" if before is None else "changed"))
        for path in self._known.keys() - seen.keys():
            del self._known[path]
        return sorted(found, key=lambda artifact: artifact["path"])

    def _is_stale(self, path: str, signature: Signature) -> bool:
        known = self._known.get(path)
        return known is None or known.signature != signature

    def _scan(self) -> dict[str, Signature]:
        found: dict[str, Signature] = {}
        folders = [(root, 0, root in self._own) for root in self._roots]
        while folders and len(found) < _MAX_FILES:
            folder, depth, is_own = folders.pop()
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        if not is_own and (entry.name.startswith(".") or entry.name in _SKIPPED):
                            continue
                        facts = entry.stat(follow_symlinks=False)
                        if stat.S_ISREG(facts.st_mode):
                            found[entry.path] = (facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
                        elif stat.S_ISDIR(facts.st_mode) and depth < _MAX_DEPTH:
                            folders.append((entry.path, depth + 1, is_own or entry.path in self._own))
            except OSError:
                continue  # Removed or closed off by user code meanwhile.
        return found


def _work(paths: dict[str, str]) -> list[str]:
    return [paths["work"]] if "work" in paths else []


def _describe(path: str, size: int, digest: str, change: str) -> dict[str, Any]:
    mime = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return {"path": path, "sizeBytes": size, "hash": digest, "mime": mime, "change": change}


async def _hash_all(paths: list[str]) -> dict[str, str]:
    def work() -> dict[str, str]:
        return {path: digest for path in paths if (digest := _hash(path)) is not None}

    total = sum(os.lstat(path).st_size for path in paths if os.path.lexists(path))
    return work() if total <= _INLINE_BYTES else await run_in_fork(work)


def _hash(path: str) -> str | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
