"""The supervisor: process 1 of a sandbox. It answers clients, looks after kernels and commands, and runs no user code."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from .. import PROTOCOL_VERSION
from . import paths, reaper
from .kernels.artifacts import Artifacts
from .clock import Clock
from .commands.commands import Commands
from .connection import Call, Connection, adopt_socket
from .kernels.contexts import Contexts
from .limits.disk import DiskGuard
from .network.egress import Egress
from .errors import GuestError
from .files.file_calls import FileCalls
from .kernels.kernel_process import KernelProcess
from .limits.memory import MemoryGuard
from .network.ports import Ports
from .commands.processes import Processes
from .kernels.python_calls import PythonCalls
from .settings import Settings
from .files.tree_calls import TreeCalls

_ACCEPT_AGAIN_S = 0.05
_HELD_BACK_S, _SINCE_EVER = 10.0, 1e-3
_WHILE_PAUSED = {"egress.env", "egress.listen", "hello", "pause", "resume", "shutdown", "state"}
_BEFORE_THE_FENCE = {"hello", "state"}
_TAKEN_OVER = "another owner has taken this sandbox over"


class Supervisor:
    """Made with provisional settings where it has to wait for its real ones, which `become` then brings."""

    def __init__(self, settings: Settings, kernel: KernelProcess) -> None:
        reaper.start()
        self.settings = settings
        self._ended = asyncio.Event()
        self.is_paused = False
        self.clock = Clock()
        self._started = time.monotonic()
        self._clients: set[Connection] = set()
        self._fence = 0
        self._listener: socket.socket | None = None
        self._orphan_timer: asyncio.TimerHandle | None = None
        # What runs, and since when.
        self._stops: dict[asyncio.Future[str], float] = {}
        # How many pieces of work there have been.
        self.works = 0
        self._held_back_until = 0.0
        self.contexts = Contexts(kernel, self._kernel_setup)
        self.artifacts = Artifacts(settings.paths)
        self.disk = DiskGuard(self)
        self.memory = MemoryGuard(self)
        self.commands = Commands(self)
        self.processes = Processes(self)
        self._methods = self._table()

    def become(self, settings: Settings) -> None:
        self.settings = settings
        self.artifacts = Artifacts(settings.paths)
        for context in self.contexts.all():
            context.set_up()

    async def serve(self, listener: socket.socket, first: tuple[socket.socket, Any] | None = None) -> None:
        """Until `shutdown`, or until nobody has been connected for the orphan time."""
        self._started = time.monotonic()
        if first is not None:
            connection = await self.adopt(first[0])
            self._clients.add(connection)
            connection.send({"id": first[1], "done": self.hello()})
        self._expect_client()
        self._listener = listener
        listener.setblocking(False)
        accepting = asyncio.create_task(self._accept(listener))
        await self._ended.wait()
        accepting.cancel()

    def hello(self) -> dict[str, Any]:
        return {
            "protocol": PROTOCOL_VERSION,
            "id": self.settings.id,
            "state": "paused" if self.is_paused else "running",
        }

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                client, _ = await loop.sock_accept(listener)
                await self.adopt(client)
            except OSError:  # No descriptor or memory left for now; who waits outside is let in when there is.
                await asyncio.sleep(_ACCEPT_AGAIN_S)

    async def adopt(self, client: socket.socket) -> Connection:
        return await adopt_socket(client, self._dispatch, self._on_close)

    @contextlib.contextmanager
    def work(self, call: Call, timeout_s: float) -> Iterator[asyncio.Future[str]]:
        """While user code runs: gives a future that is set, with the reason, when it has to stop."""
        stop: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def wait(reason: str, event: Awaitable[Any]) -> None:
            await event
            if not stop.done():
                stop.set_result(reason)

        waiting = [
            asyncio.create_task(wait("timeout", self.clock.sleep(timeout_s))),
            asyncio.create_task(wait("abort", call.aborted.wait())),
        ]
        self._stops[stop] = time.monotonic()
        self.works += 1
        self.watch_limits()
        try:
            yield stop
        finally:
            del self._stops[stop]
            for task in waiting:
                task.cancel()

    def watch_limits(self) -> None:
        self.disk.wake()
        self.memory.wake()

    @property
    def is_working(self) -> bool:
        return bool(self._stops) or self.commands.is_any_running

    def busy_since(self) -> float | None:
        """The start of the longest piece of work that is not done yet."""
        if time.monotonic() < self._held_back_until:
            return _SINCE_EVER
        return min([*self._stops.values(), *self.processes.busy_leftovers_since()], default=None)

    def hold_back(self) -> None:
        """After a run that a limit has ended: who does that again and again is not short at work each time."""
        self._held_back_until = time.monotonic() + _HELD_BACK_S

    def stop_all(self, reason: str) -> None:
        for stop in self._stops:
            if not stop.done():
                stop.set_result(reason)
        self.commands.kill_all(reason)

    def snapshot_path(self, context: str) -> str:
        return paths.snapshot_path(self.settings.paths["session"], context)

    def resolve(self, path: object) -> str:
        return paths.resolve(self.settings.paths["workspace"], path)

    def _kernel_setup(self) -> dict[str, Any]:
        return {
            "op": "configure",
            "env": self.settings.env,
            "cwd": self.settings.paths["workspace"] if self.settings.id else "/",
            "cpus": self.settings.limits["cpus"],
            "openFiles": self.settings.limits["openFiles"],
        }

    async def _dispatch(self, call: Call) -> tuple[Any, bytes] | None:
        if call.method != "state":  # Who only asks whether the sandbox lives does not adopt it.
            self._hold(call.connection)
        if call.connection.fence < self._fence and call.method not in _BEFORE_THE_FENCE:
            raise GuestError("not_owner", _TAKEN_OVER)
        method = self._methods.get(call.method)
        if method is None:
            raise GuestError("not_supported", f"this guest has no method {call.method!r}")
        if self.is_paused and call.method not in _WHILE_PAUSED:
            raise GuestError("sandbox_paused", "the sandbox is paused; call resume() first")
        try:
            return await method(call)
        except (KeyError, TypeError, ValueError) as error:
            raise GuestError("invalid_argument", f"{call.method}: {type(error).__name__}: {error}") from error

    def _table(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes] | None]]]:
        egress = Egress()
        return {
            "hello": self._hello,
            "state": self._state,
            "pause": self._pause,
            "resume": self._resume,
            "shutdown": self._shutdown,
            "env.get": self._env_get,
            "env.set": self._env_set,
            "egress.env": self._env_set,
            "metrics": self._metrics,
            **PythonCalls(self).methods(),
            **Ports(egress).methods(),
            **egress.methods(),
            **self.commands.methods(),
            **self.processes.methods(),
            **FileCalls(self).methods(),
            **TreeCalls(self).methods(),
        }

    async def _hello(self, call: Call) -> tuple[Any, bytes]:
        if (fence := call.params.get("fence")) is not None:
            self._put_fence(call.connection, int(fence))
        return self.hello(), b""

    def _put_fence(self, connection: Connection, fence: int) -> None:
        """The highest is the present owner's: who came with a lower one, or with none, is cut off with all it runs."""
        if fence < self._fence:
            raise GuestError("not_owner", _TAKEN_OVER)
        connection.fence = fence
        self._fence = fence
        for other in [client for client in self._clients if client.fence < fence]:
            other.cut_off()

    async def _state(self, call: Call) -> tuple[Any, bytes]:
        return self.hello(), b""

    async def _pause(self, call: Call) -> tuple[Any, bytes]:
        if not self.is_paused:
            self.is_paused = True
            self.clock.pause()
            self.processes.signal_all(signal.SIGSTOP)
        return None, b""

    async def _resume(self, call: Call) -> tuple[Any, bytes]:
        if self.is_paused:
            self.processes.signal_all(signal.SIGCONT)
            self.clock.resume()
            self.is_paused = False
        return None, b""

    async def _shutdown(self, call: Call) -> tuple[Any, bytes] | None:
        """Replies when nothing is left that could still write a file, and nobody can connect any more."""
        try:
            self.processes.signal_all(signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                while True:
                    os.waitpid(-1, 0)
            if self._listener is not None:
                self._listener.close()
            call.reply(None)
            await asyncio.sleep(0)
        finally:
            # Also when the client closes its connection, and with it this call, as soon as it has its answer.
            self._ended.set()
        return None

    async def _env_get(self, call: Call) -> tuple[Any, bytes]:
        return self.settings.env, b""

    async def _env_set(self, call: Call) -> tuple[Any, bytes]:
        values: dict[str, str | None] = call.params["values"]
        for name, value in values.items():
            if value is None:
                self.settings.env.pop(name, None)
            else:
                self.settings.env[name] = value
        for context in self.contexts.all():
            context.tell({"op": "env", "values": values})
        return None, b""

    async def _metrics(self, call: Call) -> tuple[Any, bytes]:
        listed = self.processes.snapshot()
        limits = self.settings.limits
        return {
            "cpuMs": self.processes.cpu_ms(listed),
            "memoryBytes": self.memory.used(listed),
            "memoryLimitBytes": limits["memoryBytes"],
            "processes": len(listed),
            "diskBytes": self.disk.measure(),
            "diskLimitBytes": limits["diskBytes"],
            "uptimeMs": (time.monotonic() - self._started) * 1000,
        }, b""

    def _on_close(self, connection: Connection) -> None:
        self._clients.discard(connection)
        self._expect_client()

    def _hold(self, connection: Connection) -> None:
        self._clients.add(connection)
        if self._orphan_timer is not None:
            self._orphan_timer.cancel()
            self._orphan_timer = None

    def _expect_client(self) -> None:
        if not self._clients and self._orphan_timer is None and self.settings.orphan_timeout_s:
            loop = asyncio.get_running_loop()
            self._orphan_timer = loop.call_later(self.settings.orphan_timeout_s, self._ended.set)
