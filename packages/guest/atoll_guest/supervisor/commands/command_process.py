"""One command: its process, its standard streams or terminal, and what it has written."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import errno
import fcntl
import os
import pty as pseudo_terminal
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Awaitable, Callable
from typing import Any

from ...isolation import privileges
from .. import reaper
from ..errors import GuestError, from_os_error
from ..output import Pump, Tail

Listener = Callable[[str, bytes, int], None]
_STATUS_BY_REASON = {"timeout": "timeout", "abort": "killed", "disk": "killed"}
_EXIT_BY_REASON = {"timeout": 124, "abort": 130}


class ProgramMissing(GuestError):
    """The program cannot be executed; nothing was started."""


class CommandProcess:
    def __init__(
        self,
        *,
        id: str,
        command: str | list[str],
        cwd: str,
        env: dict[str, str],
        has_stdin: bool,
        pty: dict[str, int] | None,
        limit: int,
        open_files: int,
        keeps_awake: bool = True,
    ) -> None:
        self.id = id
        self._keeps_awake = keeps_awake
        self._command = command
        self._open_files = open_files
        self.exited = asyncio.Event()
        self.end_reason: str | None = None
        self.tails = {"stdout": Tail(limit), "stderr": Tail(limit)}
        self.listeners: list[Listener] = []
        self._started_at = datetime.datetime.now(datetime.timezone.utc)
        self._started = time.monotonic()
        self._ended = 0.0
        self._exit_code: int | None = None
        self._terminal: int | None = None
        self._stdin: int | None = None
        self._unwritten = bytearray()
        self._closes_stdin = False
        self._flushed = asyncio.Event()
        self._flushed.set()
        self._held = False
        arguments = ["/bin/bash", "-c", command] if isinstance(command, str) else [str(part) for part in command]
        try:
            start = self._start_on_terminal if pty else self._start_on_pipes
            self.pid, outputs = start(arguments, cwd, env, has_stdin, pty or {})
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.EACCES, errno.ENOEXEC) and error.filename != cwd:
                raise ProgramMissing("not_found", f"{arguments[0]}: {error.strerror}") from error
            if error.errno == errno.EAGAIN:
                raise GuestError("busy", "the sandbox has as many processes as it may (limits.processes)") from error
            raise from_os_error(error, cwd if error.filename == cwd else arguments[0]) from error
        except ValueError as error:
            raise GuestError("invalid_argument", str(error)) from error
        with contextlib.suppress(OSError), open(f"/proc/{self.pid}/oom_score_adj", "w") as file:
            file.write("1000")
        self._pumps = [Pump(fd, self._labelled(name), self._on_change) for name, fd in outputs.items()]
        reaper.watch(self.pid, self._on_exit)

    @property
    def is_running(self) -> bool:
        return not self.exited.is_set()

    def describe(self) -> dict[str, Any]:
        facts = {
            "commandId": self.id,
            "pid": self.pid,
            "command": self._command,
            "isRunning": self.is_running,
            "keepsAwake": self._keeps_awake,
            "startedAt": self._started_at.isoformat().replace("+00:00", "Z"),
        }
        return facts if self.is_running else {**facts, "exitCode": self.describe_exit()["exitCode"]}

    def describe_exit(self) -> dict[str, Any]:
        code = self._exit_code or 0
        facts = {
            "status": _STATUS_BY_REASON.get(self.end_reason or "", "killed" if code < 0 else "ok" if code == 0 else "error"),
            "exitCode": _EXIT_BY_REASON.get(self.end_reason or "", 128 - code if code < 0 else code),
            "durationMs": (self._ended - self._started) * 1000,
        }
        if code < 0:
            facts["signal"] = _signal_name(-code)
        return facts

    def write(self, data: bytes, is_last: bool = False) -> None:
        if self._terminal is None and self._stdin is None:
            if data:
                raise GuestError("invalid_argument", "the command's stdin is closed; spawn it with stdin: true")
            return
        self._unwritten += data
        self._closes_stdin = self._closes_stdin or is_last
        self._flushed.clear()
        self._flush()

    async def written(self) -> None:
        await self._flushed.wait()

    def resize(self, cols: int, rows: int) -> None:
        if self._terminal is None:
            raise GuestError("invalid_argument", "the command has no terminal; spawn it with pty")
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def hold_output(self, until: Awaitable[None]) -> None:
        """Stops reading, so that the command blocks on its full pipe, until a reader has caught up."""
        if self._held:
            return
        self._held = True
        for pump in self._pumps:
            pump.pause()

        async def resume() -> None:
            await until
            self._held = False
            for pump in self._pumps:
                pump.resume()

        asyncio.create_task(resume())

    def _start_on_pipes(
        self, arguments: list[str], cwd: str, env: dict[str, str], has_stdin: bool, _: dict[str, int]
    ) -> tuple[int, dict[str, int]]:
        process = subprocess.Popen(
            arguments,
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE if has_stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            # Without it Python starts the process by vfork, which is quicker.
            preexec_fn=self._limit_files if privileges.needs_own_open_files(self._open_files) else None,
        )
        assert process.stdout and process.stderr
        outputs = {"stdout": os.dup(process.stdout.fileno()), "stderr": os.dup(process.stderr.fileno())}
        if process.stdin:
            self._stdin = os.dup(process.stdin.fileno())
            os.set_blocking(self._stdin, False)
            process.stdin.close()
        process.stdout.close()
        process.stderr.close()
        process.returncode = 0  # The reaper waits for it.
        return process.pid, outputs

    def _start_on_terminal(
        self, arguments: list[str], cwd: str, env: dict[str, str], _: bool, size: dict[str, int]
    ) -> tuple[int, dict[str, int]]:
        ours, theirs = pseudo_terminal.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size.get("rows", 24), size.get("cols", 80), 0, 0))
        try:
            process = subprocess.Popen(
                arguments,
                cwd=cwd,
                env={"TERM": "xterm-256color", **env},
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                start_new_session=True,
                preexec_fn=self._enter_terminal,
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        process.returncode = 0
        self._terminal = os.dup(ours)
        os.set_blocking(self._terminal, False)
        return process.pid, {"stdout": ours}

    def _limit_files(self) -> None:
        privileges.limit_open_files(self._open_files)

    def _enter_terminal(self) -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self._limit_files()

    def _flush(self) -> None:
        target = self._terminal if self._terminal is not None else self._stdin
        loop = asyncio.get_running_loop()
        try:
            while self._unwritten and target is not None:
                written = os.write(target, self._unwritten[: 1 << 16])
                del self._unwritten[:written]
        except BlockingIOError:
            loop.add_writer(target, self._flush)
            return
        except OSError:
            self._unwritten.clear()  # The command no longer reads.
        if target is not None:
            loop.remove_writer(target)
        self._flushed.set()
        if self._closes_stdin and self._stdin is not None:
            os.close(self._stdin)
            self._stdin = None
        elif self._closes_stdin and self._terminal is not None:
            self._closes_stdin = False
            with contextlib.suppress(OSError):
                os.write(self._terminal, b"\x04")

    def _labelled(self, name: str) -> Callable[[bytes], None]:
        def feed(chunk: bytes) -> None:
            offset = self.tails[name].end
            self.tails[name].feed(chunk)
            for listener in list(self.listeners):
                listener(name, chunk, offset)

        return feed

    def _on_exit(self, code: int) -> None:
        self._exit_code = code
        self._ended = time.monotonic()
        for pump in self._pumps:
            pump.drain()
        self._on_change()

    def _on_change(self) -> None:
        """Over when the process has ended. A program it left behind may hold the pipes; they are read on for its sake."""
        if self._exit_code is None or self.exited.is_set():
            return
        self.exited.set()
        loop = asyncio.get_running_loop()
        for descriptor in (self._terminal, self._stdin):
            if descriptor is not None:
                loop.remove_writer(descriptor)
                os.close(descriptor)
        self._terminal = self._stdin = None
        self._flushed.set()


def _signal_name(number: int) -> str:
    """Those of real time have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"
