"""Child processes: who waits for which, and how a tree of them is ended. Also reaps orphans, as process 1 must."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable

_children: dict[int, Callable[[int], None]] = {}


def start() -> None:
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGCHLD, _reap)
    loop.call_soon(_reap)  # For what ended while nobody listened.


def watch(pid: int, on_exit: Callable[[int], None]) -> None:
    """Calls back once with the exit code; negative is a signal's number.

    To be called in the same turn of the loop as the fork: an exit that is reaped before is dropped.
    """
    _children[pid] = on_exit


def wait(pid: int) -> asyncio.Future[int]:
    """The exit code to come. A plain function, since a coroutine would begin to watch one turn of the loop too late."""
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    watch(pid, lambda code: None if ended.done() else ended.set_result(code))
    return ended


def kill_tree(root: int, number: int = signal.SIGKILL) -> None:
    """The process, its descendants, and all that is still in its session. Only a daemon that left both escapes.

    For SIGKILL the victims are stopped first, so that none can fork while the others die.
    """
    if number != signal.SIGKILL:
        _signal_all(_tree(root), number)
        return
    stopped: set[int] = set()
    while fresh := _tree(root) - stopped:
        _signal_all(fresh, signal.SIGSTOP)
        stopped |= fresh
    _signal_all(stopped, signal.SIGKILL)


def processes() -> list[tuple[int, int, int]]:
    """(pid, parent, session) of every process that can be seen and has not ended."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
                if fields[0] != b"Z":
                    found.append((int(name), int(fields[1]), int(fields[3])))
    return found


def descendants(root: int) -> set[int]:
    return _closure({root}, processes()) - {root}


def _tree(root: int) -> set[int]:
    listed = processes()
    known = {pid for pid, _, _ in listed}
    in_session = {pid for pid, _, session in listed if session == root}
    return _closure(({root} & known) | in_session, listed) - {os.getpid()}


def _closure(found: set[int], listed: list[tuple[int, int, int]]) -> set[int]:
    size = -1
    while size != len(found):
        size = len(found)
        found = found | {pid for pid, parent, _ in listed if parent in found}
    return found


def _signal_all(pids: set[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            if on_exit := _children.pop(pid, None):
                on_exit(os.waitstatus_to_exitcode(status))
