"""`files.*`: everything happens here, in the sandbox's own view and with its own rights."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import stat
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from . import search
from ..connection import Call
from ..errors import GuestError, from_os_error
from .file_stat import describe
from .removal import remove_tree
from .transfers import Transfers, make_parents
from .watch import watch
from ..worker import run_in_fork

if TYPE_CHECKING:
    from ..main import Supervisor


class FileCalls:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor

    def methods(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes] | None]]]:
        return {
            **Transfers(self._supervisor).methods(),
            "files.stat": self._stat,
            "files.list": self._list,
            "files.mkdir": self._mkdir,
            "files.move": self._move,
            "files.remove": self._remove,
            "files.glob": self._glob,
            "files.grep": self._grep,
            "files.watch": self._watch,
        }

    async def _stat(self, call: Call) -> tuple[Any, bytes]:
        path = self._path(call)
        return describe(path, os.lstat(path)), b""

    async def _list(self, call: Call) -> tuple[Any, bytes]:
        path, most, deep = self._path(call), call.params["maxEntries"], call.params["recursive"]
        if deep:
            return await run_in_fork(lambda: search.list_tree(path, most), _timeout(call)), b""
        return search.list_folder(path, most), b""

    async def _mkdir(self, call: Call) -> tuple[Any, bytes]:
        path = self._path(call)
        try:
            os.makedirs(path, exist_ok=True)
        except FileExistsError as error:
            raise GuestError("already_exists", f"there is a file of that name: {path}") from error
        return None, b""

    async def _move(self, call: Call) -> tuple[Any, bytes]:
        source, target = self._supervisor.resolve(call.params["from"]), self._supervisor.resolve(call.params["to"])
        if not call.params["overwrite"] and os.path.lexists(target):
            raise GuestError("already_exists", f"something is there already: {target} (overwrite: true replaces it)")
        make_parents(target)
        try:
            os.rename(source, target)
        except OSError as error:
            if error.errno != errno.EXDEV:  # The folders are mounts of their own.
                raise from_os_error(error, source) from error
            # It would be copied, and then could not go: one that stays has not been moved.
            if os.path.lexists(source) and not os.access(os.path.dirname(source), os.W_OK):
                raise GuestError("permission_denied", f"Read-only file system: {source}") from error
            await run_in_fork(lambda: bool(shutil.move(source, target)), _timeout(call))
        return None, b""

    async def _remove(self, call: Call) -> tuple[Any, bytes]:
        path = self._path(call)
        try:
            is_folder = stat.S_ISDIR(os.lstat(path).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return None, b""
        if is_folder:
            await run_in_fork(lambda: remove_tree(path), _timeout(call))
        else:
            os.unlink(path)
        return None, b""

    async def _glob(self, call: Call) -> tuple[Any, bytes]:
        pattern, cwd, most = call.params["pattern"], self._supervisor.resolve(call.params["cwd"]), call.params["maxEntries"]
        return await run_in_fork(lambda: search.glob(pattern, cwd, most), _timeout(call)), b""

    async def _grep(self, call: Call) -> tuple[Any, bytes]:
        query = search.Query(
            pattern=call.params["pattern"],
            path=self._path(call),
            glob=call.params.get("glob"),
            ignore_case=call.params["ignoreCase"],
            context=call.params["context"],
            max_matches=call.params["maxMatches"],
        )
        return await run_in_fork(lambda: search.grep(query), _timeout(call)), b""

    async def _watch(self, call: Call) -> tuple[Any, bytes]:
        path = self._path(call)
        closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        call.connection.closers.append(lambda: closed.done() or closed.set_result(None))
        with watch(path, lambda kind, name: call.emit("change", {"kind": kind, "path": name})):
            call.emit("watching")
            await closed
        return None, b""

    def _path(self, call: Call) -> str:
        return self._supervisor.resolve(call.params["path"])


def _timeout(call: Call) -> float:
    return call.params["timeoutMs"] / 1000
