"""Shell commands: run to the end, or kept in the background with output that can be read again by offset."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from .. import reaper
from .command_process import CommandProcess, ProgramMissing
from ..connection import Call
from ..errors import GuestError
from ..notices import Notice, memory_notice, notice
from ..output import Head, cut_notices
from .processes import signal_number

if TYPE_CHECKING:
    from ..main import Supervisor

_KEPT_ENDED = 100
_MAX_MESSAGE_CHARS = 4000


class Commands:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._all: dict[str, CommandProcess] = {}
        self._serial = 0

    def methods(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes] | None]]]:
        return {
            "commands.run": self._run,
            "commands.spawn": self._spawn,
            "commands.list": self._list,
            "commands.get": self._get,
            "commands.write": self._write,
            "commands.close": self._close,
            "commands.signal": self._signal,
            "commands.resize": self._resize,
            "commands.output": self._output,
            "commands.follow": self._follow,
            "commands.wait": self._wait,
        }

    @property
    def is_any_running(self) -> bool:
        return any(command.is_running for command in self._all.values())

    def kill_all(self, reason: str) -> None:
        for command in self._all.values():
            if command.is_running:
                command.end_reason = command.end_reason or reason
                reaper.kill_tree(command.pid)

    async def _run(self, call: Call) -> tuple[Any, bytes]:
        params = call.params
        limit = params["maxOutputBytes"]
        timeout_s = params["timeoutMs"] / 1000
        ooms = self._supervisor.memory.kills()
        try:
            command = self._start(params, has_stdin=params.get("stdin", False), limit=0)
        except ProgramMissing as error:
            return _missing_program(call, str(error)), b""
        heads = {
            name: Head(limit, lambda chunk, name=name: call.emit(name, body=chunk)) for name in ("stdout", "stderr")
        }
        command.listeners.append(lambda name, chunk, offset: heads[name].feed(chunk))
        if params.get("stdin"):
            command.write(call.body, is_last=True)
        with self._supervisor.work(call, timeout_s) as stop:
            exited = asyncio.ensure_future(command.exited.wait())
            await asyncio.wait({exited, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not exited.done():
                command.end_reason = stop.result()
                reaper.kill_tree(command.pid)
            await exited
        del self._all[command.id]
        ooms = self._supervisor.memory.kills() - ooms
        result = command.describe_exit()
        result["commandId"] = command.id
        result["truncated"] = {name: head.is_cut for name, head in heads.items()}
        result["notices"] = self._notices(command.end_reason, timeout_s, ooms) + cut_notices(heads)
        return result, b""

    async def _spawn(self, call: Call) -> tuple[Any, bytes]:
        params = call.params
        command = self._start(params, has_stdin=bool(params.get("stdin")), limit=params["maxOutputBytes"])
        self._supervisor.watch_limits()
        if params.get("timeoutMs") is not None:
            asyncio.create_task(self._end_after(command, params["timeoutMs"] / 1000))
        return command.describe(), b""

    async def _end_after(self, command: CommandProcess, seconds: float) -> None:
        clock = asyncio.create_task(self._supervisor.clock.sleep(seconds))
        exited = asyncio.create_task(command.exited.wait())
        await asyncio.wait({clock, exited}, return_when=asyncio.FIRST_COMPLETED)
        if command.is_running:
            command.end_reason = "timeout"
            reaper.kill_tree(command.pid)
        clock.cancel()

    def _start(self, params: dict[str, Any], has_stdin: bool, limit: int) -> CommandProcess:
        self._forget_oldest()
        self._serial += 1
        settings = self._supervisor.settings
        command = CommandProcess(
            id=f"c{self._serial}",
            command=params["command"],
            cwd=self._supervisor.resolve(params.get("cwd") or "."),
            env={**settings.env, **(params.get("env") or {})},
            has_stdin=has_stdin,
            pty=params.get("pty"),
            limit=limit,
            open_files=settings.limits["openFiles"],
            keeps_awake=params.get("keepsAwake", True) is not False,
        )
        self._all[command.id] = command
        return command

    def _forget_oldest(self) -> None:
        ended = [command.id for command in self._all.values() if not command.is_running]
        for name in ended[: len(ended) - _KEPT_ENDED]:
            del self._all[name]

    def _find(self, call: Call) -> CommandProcess:
        if (command := self._all.get(call.params["commandId"])) is None:
            raise GuestError("not_found", f"no command {call.params['commandId']!r}")
        return command

    async def _list(self, call: Call) -> tuple[Any, bytes]:
        return [command.describe() for command in self._all.values()], b""

    async def _get(self, call: Call) -> tuple[Any, bytes]:
        return self._find(call).describe(), b""

    async def _write(self, call: Call) -> tuple[Any, bytes]:
        command = self._find(call)
        command.write(call.body)
        await command.written()
        return None, b""

    async def _close(self, call: Call) -> tuple[Any, bytes]:
        self._find(call).write(b"", is_last=True)
        return None, b""

    async def _signal(self, call: Call) -> tuple[Any, bytes]:
        command, number = self._find(call), signal_number(call.params["signal"])
        if command.is_running:
            reaper.kill_tree(command.pid, number)
        return None, b""

    async def _resize(self, call: Call) -> tuple[Any, bytes]:
        self._find(call).resize(call.params["cols"], call.params["rows"])
        return None, b""

    async def _output(self, call: Call) -> tuple[Any, bytes]:
        command = self._find(call)
        stdout_at, stdout = command.tails["stdout"].since(call.params["stdoutOffset"])
        stderr_at, stderr = command.tails["stderr"].since(call.params["stderrOffset"])
        places = {"stdoutOffset": stdout_at, "stdoutBytes": len(stdout), "stderrOffset": stderr_at}
        return {**places, "isRunning": command.is_running}, stdout + stderr

    async def _follow(self, call: Call) -> tuple[Any, bytes]:
        """Sends what is there, then what comes. A slow reader holds the command up instead of filling our memory."""
        command = self._find(call)
        ended = asyncio.ensure_future(command.exited.wait())

        wanted = {name: call.params[f"{name}Offset"] for name in command.tails}

        def send(name: str, chunk: bytes, offset: int) -> None:
            skipped = max(0, wanted[name] - offset)
            if skipped >= len(chunk):
                return
            call.emit(name, {"offset": offset + skipped}, chunk[skipped:])
            if call.connection.is_congested:
                command.hold_output(call.connection.drained())

        for name, tail in command.tails.items():
            offset, chunk = tail.since(wanted[name])
            if chunk:
                send(name, chunk, offset)
        command.listeners.append(send)
        try:
            closed = asyncio.get_running_loop().create_future()
            call.connection.closers.append(lambda: closed.done() or closed.set_result(None))
            await asyncio.wait({ended, closed}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            command.listeners.remove(send)
            ended.cancel()
        return None, b""

    async def _wait(self, call: Call) -> tuple[Any, bytes]:
        command = self._find(call)
        await command.exited.wait()
        return command.describe_exit(), b""

    def _notices(self, reason: str | None, timeout_s: float, ooms: int) -> list[Notice]:
        limits = self._supervisor.settings.limits
        known = {
            "timeout": notice("timeout", seconds=timeout_s),
            "abort": notice("stopped_by_caller"),
        }
        notices = [known[reason]] if reason in known else []
        notices += self._supervisor.disk.notices(reason)
        if ooms:
            notices.append(memory_notice(limits["memoryBytes"]))
        return notices




def _missing_program(call: Call, message: str) -> dict[str, Any]:
    """As a shell reports it: a result, not an exception."""
    call.emit("stderr", body=f"{message[:_MAX_MESSAGE_CHARS]}\n".encode("utf-8", "replace"))
    cut = {"stdout": False, "stderr": False}
    return {"commandId": "", "status": "error", "exitCode": 127, "durationMs": 0, "truncated": cut, "notices": []}
