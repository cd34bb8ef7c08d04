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
import time
from typing import Any, NamedTuple

from ..errors import GuestError
from ..worker import run_in_fork

_SKIPPED = {"__pycache__", "node_modules", "site-packages"}
_MAX_FILES = 20_000
_MAX_DEPTH = 12
_HASHED_BYTES = 64 * 1024 * 1024
# More than that is hashed in a process of its own, so that nobody waits for it.
_INLINE_BYTES = 1024 * 1024
_INLINE_FILES = 64
_CHUNK_BYTES = 1024 * 1024
_MAX_ENTRIES = 100_000
# For the files of a run that has used up its time.
_GRACE_S = 2.0

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

    async def refresh(self, seconds: float) -> tuple[list[dict[str, Any]], bool]:
        """Takes what was changed since the last run, by uploads or commands, as given."""
        seen = self._scan()
        stale = {path: signature for path, signature in seen.items() if self._is_stale(path, signature)}
        small = {path: signature for path, signature in stale.items() if signature[1] <= _HASHED_BYTES}
        hashes, _ = await _hash_all(small, seconds)
        kept = {path: known for path, known in self._known.items() if path in seen}
        kept.update({path: Known(signature, hashes.get(path)) for path, signature in stale.items()})
        self._known = kept
        return [], True

    async def changes(self, seconds: float) -> tuple[list[dict[str, Any]], bool]:
        """What was made or changed, and whether all could be looked at in that time, and a grace."""
        seen = self._scan()
        stale = {path: signature for path, signature in seen.items() if self._is_stale(path, signature)}
        hashes, is_whole = await _hash_all(stale, seconds)
        found = []
        for path, signature in stale.items():
            before, digest = self._known.get(path), hashes.get(path)
            if digest is None:
                continue  # Gone, unreadable or another file by now.
            self._known[path] = Known(signature, digest)
            if before is None or before.hash != digest:
                found.append(_describe(path, signature[1], digest, "new" if before is None else "changed"))
        for path in self._known.keys() - seen.keys():
            del self._known[path]
        return sorted(found, key=lambda artifact: artifact["path"]), is_whole

    def _is_stale(self, path: str, signature: Signature) -> bool:
        known = self._known.get(path)
        return known is None or known.signature != signature

    def _scan(self) -> dict[str, Signature]:
        found: dict[str, Signature] = {}
        looked_at = 0
        folders = [(root, 0, root in self._own) for root in self._roots]
        while folders and len(found) < _MAX_FILES and looked_at < _MAX_ENTRIES:
            folder, depth, is_own = folders.pop()
            try:
                with os.scandir(folder) as entries:
                    for entry in entries:
                        looked_at += 1
                        if looked_at >= _MAX_ENTRIES:
                            break
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


async def _hash_all(found: dict[str, Signature], seconds: float) -> tuple[dict[str, str], bool]:
    """Small files first, and as many as can be read in that time: whatever it is that has no end, the others are there."""
    if len(found) <= _INLINE_FILES and sum(signature[1] for signature in found.values()) <= _INLINE_BYTES:
        return _hash_until(found, None), True
    limit = max(seconds, _GRACE_S)
    deadline = time.monotonic() + limit
    try:
        hashes = await run_in_fork(lambda: _hash_until(found, deadline), limit + _GRACE_S)
    except GuestError:  # Stopped or ended by user code, or there is no process left to be had.
        return {}, False
    return hashes, time.monotonic() < deadline


def _hash_until(found: dict[str, Signature], deadline: float | None) -> dict[str, str]:
    hashes = {}
    for path in sorted(found, key=lambda path: found[path][1]):
        if _is_over(deadline):
            break
        if (digest := _hash(path, found[path], deadline)) is not None:
            hashes[path] = digest
    return hashes


def _hash(path: str, signature: Signature, deadline: float | None) -> str | None:
    """Of the file that was found: not of what has taken its place, nor of more than it had."""
    inode, size, *_ = signature
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or (facts.st_ino, facts.st_size) != (inode, size):
            return None
        digest = hashlib.sha256()
        while size > 0 and (chunk := os.read(descriptor, min(size, _CHUNK_BYTES))):
            if _is_over(deadline):
                return None
            digest.update(chunk)
            size -= len(chunk)
        return digest.hexdigest()
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _is_over(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline
