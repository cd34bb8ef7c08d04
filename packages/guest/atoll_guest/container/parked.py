"""A supervisor that is nobody's yet: it can be held, so that it does not end, and asked once to become a sandbox."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
from typing import Any

from ..isolation import cgroup, privileges
from ..supervisor.connection import Call
from ..supervisor.errors import GuestError
from ..supervisor.kernels.kernel_process import KernelProcess
from ..supervisor.main import Supervisor
from ..supervisor.settings import Settings

_LOOK_EVERY_S = 2.0

class ParkedSupervisor(Supervisor):
    def __init__(self, group: cgroup.Group, kernel: KernelProcess, idle_exit_s: float) -> None:
        super().__init__(Settings.provisional(group, is_isolated=True), kernel)
        self._idle_exit_s = idle_exit_s
        self._is_parked = False

    async def park(self, listener: socket.socket) -> None:
        """Until it ends, whether it became a sandbox or not."""
        self._is_parked = True
        self.settings.orphan_timeout_s = self._idle_exit_s
        watching = asyncio.create_task(self._watch_folder())
        await self.serve(listener)
        watching.cancel()

    async def _dispatch(self, call: Call) -> tuple[Any, bytes] | None:
        if not self._is_parked:
            return await super()._dispatch(call)
        if call.method == "hold":
            self._hold(call.connection)
            return {"memoryLimit": "cgroup" if self.settings.group.limits_memory else "process"}, b""
        if call.method == "create":
            return await self._become_sandbox(call)
        raise GuestError("not_found", "this sandbox is nobody's yet")

    async def _become_sandbox(self, call: Call) -> tuple[Any, bytes]:
        settings = Settings.from_request(call.params, self.settings.group, is_isolated=True)
        self._is_parked = False
        await self._limit(settings.limits)
        self._hold(call.connection)
        # Those who held it for a sandbox to come have no part in this one.
        for connection in self._clients - {call.connection}:
            connection.take_over().close()
        self.become(settings)
        return self.hello(), b""

    async def _limit(self, limits: dict[str, Any]) -> None:
        own = privileges.process_limits(limits, self.settings.group.limits_memory)
        # It would count the processes of all containers that run as the same user; the engine counts those of this one.
        del own[resource.RLIMIT_NPROC]
        # Set by the engine already; gVisor knows no such limits.
        del own[resource.RLIMIT_MSGQUEUE]
        del own[resource.RLIMIT_SIGPENDING]
        # Here the libraries are part of what the sandbox may have.
        own[resource.RLIMIT_DATA] -= min(_libraries_bytes(), limits["memoryBytes"] // 2)
        privileges.limit_supervisor(own)
        for context in self.contexts.all():
            try:
                privileges.apply_limits(own, context.pid)
            except PermissionError:  # gVisor limits no other process: a new kernel has the limits from its start.
                await context.restart()

    async def _watch_folder(self) -> None:
        """A sandbox whose folder was removed under it can be found by nobody."""
        while self._is_parked:
            await asyncio.sleep(_LOOK_EVERY_S)
            if self._is_parked and not _is_there("/session"):
                self._ended.set()


def _libraries_bytes() -> int:
    with open("/proc/self/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return int(fields.get("RssAnon", fields["VmRSS"]).split()[0]) * 1024


def _is_there(folder: str) -> bool:
    try:
        return os.stat(folder).st_nlink > 0
    except OSError:
        return False
