"""The processes of a sandbox."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import reaper
from ..connection import Call
from ..errors import GuestError

if TYPE_CHECKING:
    from ..main import Supervisor

_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
_LEFTOVERS_EVERY_S = 0.5
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Listed(NamedTuple):
    pid: int
    parent: int
    name: str
    state: str
    cpu_ms: float
    resident_bytes: int


class Processes:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._has_leftovers = False
        self._leftovers_known_until = 0.0
        self._cpu_ms_then: dict[int, float] = {}
        self._works_then = 0
        self._leftovers_busy_since: float | None = None

    def methods(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes]]]]:
        return {"processes.list": self._list, "processes.kill": self._kill}

    def snapshot(self) -> list[Listed]:
        isolated = self._supervisor.settings.is_isolated
        pids = [pid for pid, _, _ in reaper.processes()] if isolated else [os.getpid(), *reaper.descendants(os.getpid())]
        return [entry for pid in pids if (entry := _read(pid)) is not None]

    def has_leftovers(self) -> bool:
        """Whether anything runs beside the kernels, as a process that a run has left behind. Looked up once in a while."""
        now = time.monotonic()
        if now >= self._leftovers_known_until:
            ours = {os.getpid(), *(context.pid for context in self._supervisor.contexts.all())}
            listed = self.snapshot()
            self._has_leftovers = any(entry.pid not in ours for entry in listed)
            self._leftovers_known_until = now + _LEFTOVERS_EVERY_S
            self._see_if_busy([entry for entry in listed if entry.pid != os.getpid()], ours, now)
        return self._has_leftovers

    def busy_leftovers_since(self) -> list[float]:
        """Of what no client waits for, a thread of a kernel too. Not what only waits itself, as a server. Empty or one."""
        return [] if self._leftovers_busy_since is None else [self._leftovers_busy_since]

    def _see_if_busy(self, listed: list[Listed], kernels: set[int], now: float) -> None:
        before, works = self._cpu_ms_then, self._works_then
        self._cpu_ms_then = {entry.pid: entry.cpu_ms for entry in listed}
        self._works_then = self._supervisor.works
        is_quiet = works == self._works_then  # Else what a kernel did may have been asked for.
        is_busy = any(
            entry.cpu_ms > before.get(entry.pid, 0.0) or entry.state == "R"
            for entry in listed
            if is_quiet or entry.pid not in kernels
        )
        if not is_busy:
            self._leftovers_busy_since = None
        elif self._leftovers_busy_since is None:
            self._leftovers_busy_since = now

    def cpu_ms(self, listed: list[Listed]) -> float:
        ended = os.times()
        return sum(entry.cpu_ms for entry in listed) + (ended.children_user + ended.children_system) * 1000

    def signal_all(self, number: int) -> None:
        """Everything but the supervisor. In a process namespace of our own, in one step that nothing can slip by."""
        if self._supervisor.settings.is_isolated and os.getpid() == 1:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, number)
            return
        for pid in reaper.descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)

    async def _list(self, call: Call) -> tuple[Any, bytes]:
        return [
            {
                "pid": entry.pid,
                "parentPid": entry.parent,
                "name": entry.name,
                "commandLine": _command_line(entry),
                "state": entry.state,
                "residentBytes": entry.resident_bytes,
                "cpuMs": entry.cpu_ms,
            }
            for entry in self.snapshot()
        ], b""

    async def _kill(self, call: Call) -> tuple[Any, bytes]:
        pid, number = int(call.params["pid"]), signal_number(call.params.get("signal", "SIGKILL"))
        if pid == os.getpid():
            raise GuestError("permission_denied", "this process is the sandbox's supervisor; destroy the sandbox instead")
        if pid <= 0:
            raise GuestError("invalid_argument", "pid must be a positive number")
        is_ours = self._supervisor.settings.is_isolated or pid in reaper.descendants(os.getpid())
        if not is_ours and _read(pid) is not None:
            raise GuestError("permission_denied", f"process {pid} does not belong to this sandbox")
        if is_ours:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        return None, b""


def signal_number(name: object) -> int:
    text = str(name).upper()
    try:
        return signal.Signals[text if text.startswith("SIG") else f"SIG{text}"].value
    except KeyError:
        raise GuestError("invalid_argument", f"there is no signal {name!r}; use a name such as SIGTERM") from None


def _read(pid: int) -> Listed | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            head, _, tail = file.read().rpartition(b")")
    except OSError:
        return None
    fields = tail.split()
    if fields[0] == b"Z":
        return None
    name = head.partition(b"(")[2].decode(errors="replace")
    cpu_ms = (int(fields[11]) + int(fields[12])) * _TICK_MS
    return Listed(pid, int(fields[1]), name, fields[0].decode(), cpu_ms, int(fields[21]) * _PAGE_BYTES)


def _command_line(entry: Listed) -> str:
    try:
        with open(f"/proc/{entry.pid}/cmdline", "rb") as file:
            text = file.read(4096).replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        text = ""
    # A fork of the zygote still carries the jail's command line.
    return entry.name if entry.name.startswith("atoll-") else text or entry.name
