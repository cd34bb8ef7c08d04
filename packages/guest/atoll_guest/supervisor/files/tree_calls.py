"""`trees.*`: whole folders at a time, for the owner who records or copies a sandbox."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from . import tree_scan
from ..connection import Call
from ..errors import GuestError, from_os_error
from ..worker import run_in_fork

if TYPE_CHECKING:
    from ..main import Supervisor

_INLINE_ENTRIES = 5000


class TreeCalls:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor

    def methods(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes]]]]:
        return {"trees.scan": self._scan, "trees.pack": self._pack, "trees.unpack": self._unpack}

    async def _scan(self, call: Call) -> tuple[Any, bytes]:
        roots, most, unless = self._roots(), call.params["maxEntries"], call.params.get("unless")
        left_out = {os.path.dirname(self._supervisor.snapshot_path("default"))}
        try:
            found = tree_scan.scan(roots, left_out, min(most, _INLINE_ENTRIES), unless)
        except tree_scan.TooManyEntries:
            if most <= _INLINE_ENTRIES:
                raise
            timeout_s = call.params["timeoutMs"] / 1000
            found = await run_in_fork(lambda: tree_scan.scan(roots, left_out, most, unless), timeout_s)
        return found, b""

    async def _pack(self, call: Call) -> tuple[Any, bytes]:
        """The files' content one after the other. A size of -1: gone, or no longer a file of at most that size."""
        roots, sizes, parts = self._roots(), [], []
        for root, path, most in call.params["files"]:
            content = _read(_join(roots, root, path), most)
            sizes.append(-1 if content is None else len(content))
            parts.append(content or b"")
        return sizes, b"".join(parts)

    async def _unpack(self, call: Call) -> tuple[Any, bytes]:
        """Makes each entry in turn; replies with those that could not be made, and why.

        `isLast`: modes and times only, of what is there by now. A folder closed to writing has to be filled first.
        """
        roots, refused, offset = self._roots(), [], 0
        self._supervisor.disk.check_room(len(call.body))
        for number, (root, path, kind, mode, size, modified, target) in enumerate(call.params["entries"]):
            content = call.body[offset : offset + size] if kind == "file" and not call.params["isLast"] else b""
            offset += len(content)
            try:
                place = _join(roots, root, path)
                if call.params["isLast"]:
                    _finish(place, kind, mode, modified)
                else:
                    _make(place, kind, mode, modified, content, target)
            except OSError as error:
                refused.append((number, str(from_os_error(error, path))))
        return refused, b""

    def _roots(self) -> tree_scan.Roots:
        paths = self._supervisor.settings.paths
        return {name: paths[name] for name in ("workspace", "session", "outputs")}


def _join(roots: tree_scan.Roots, root: str, path: str) -> str:
    if os.path.isabs(path) or ".." in path.split("/") or "\0" in path or not path:
        raise GuestError("invalid_argument", f"not a path below a folder: {path!r}")
    return os.path.join(roots[root], path)


def _read(path: str, most: int) -> bytes | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
    # Looked at before there is a file object, which for a folder cannot be made.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        content = file.read(most + 1) or b""
        return content if len(content) <= most else None


def _make(path: str, kind: str, mode: int, modified: int, content: bytes, target: str | None) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    is_folder = os.path.isdir(path) and not os.path.islink(path)
    if kind == "folder":
        if not is_folder:
            _clear(path)
            os.mkdir(path)
        os.chmod(path, mode | 0o700)
        return
    shutil.rmtree(path) if is_folder else _clear(path)
    if kind == "symlink":
        os.symlink(target or "", path)
        return
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)
    _finish(path, kind, mode, modified)


def _finish(path: str, kind: str, mode: int, modified: int) -> None:
    if kind != "symlink":
        os.chmod(path, mode)
        os.utime(path, ns=(modified * 1000, modified * 1000))


def _clear(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
