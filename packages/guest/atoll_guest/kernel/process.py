"""The kernel's own process: takes requests from its supervisor one by one and runs them in the shell."""

from __future__ import annotations

import base64
import contextlib
import errno
import gc
import io
import json
import math
import os
import random
import signal
import site
import socket
import sys
import tempfile
import threading
import time
from typing import Any, NoReturn

from ..isolation import privileges, syscalls
from ..protocol import BlockingChannel
from .. import snapshot
from . import libraries
from .interrupts import interruptible
from .late_imports import when_imported
from .shown_tables import shown_tables
from .table_pages import NoSuchTable, read_csv, read_page
from .table_rows import NoSuchColumn
from .tables import TABLE_MIME
from .variables import forget_variable, list_variables

_GUEST = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_NO_ROOM = (errno.EFBIG, errno.ENOSPC, errno.EDQUOT)
# What the supervisor takes: see `supervisor/kernels/kernel_frames.py`.
_MAX_NAME_CHARS = 2000
_MAX_TEXT_CHARS = 20_000
_MAX_ROWS = 10_000
_MAX_EXIT_CODE = 2**31 - 1
_NAMES_BY_MIME = {
    "text/plain": "text",
    "text/html": "html",
    "text/markdown": "markdown",
    "text/latex": "latex",
    "image/svg+xml": "svg",
    "image/png": "png",
    "image/jpeg": "jpeg",
    "application/json": "json",
    TABLE_MIME: "table",
}


def run_kernel(control: int) -> NoReturn:
    """After the fork, with standard streams in place. Never returns."""
    syscalls.set_name("atoll-kernel")
    gc.freeze()
    for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout = sys.__stdout__ = _stream(1)
    sys.stderr = sys.__stderr__ = _stream(2)
    reseed()
    Kernel(BlockingChannel(socket.socket(fileno=control))).serve()
    os._exit(0)


class Kernel:
    def __init__(self, channel: BlockingChannel) -> None:
        self._channel = channel
        self._shell = libraries.shell()
        self._definitions = snapshot.Definitions()
        self._baseline = set(self._shell.user_ns)
        self._pid = os.getpid()
        self._library_path = [path for path in sys.path if path != _GUEST]
        self._is_running = False
        self._deferred: list[tuple[dict[str, Any], bytes]] = []
        type(self._shell).emit = staticmethod(self._publish)

    def serve(self) -> None:
        while (frame := self._next()) is not None:
            header, body = frame
            operation = header.get("op")
            if operation == "run":
                self._send(self._run(body))
            elif operation == "warm_up":
                self._send(self._warm_up())
            elif operation == "configure":
                self._configure(header)
            elif operation == "env":
                _update_env(header["values"])
            elif operation != "shown":  # Left over from a display that was interrupted.
                self._send(self._answer(operation, header))

    def _next(self) -> tuple[dict[str, Any], bytes] | None:
        return self._deferred.pop(0) if self._deferred else self._channel.receive()

    def _send(self, header: dict[str, Any], body: bytes = b"") -> None:
        # A forked child of user code that falls back into our loop must not speak for the kernel.
        if os.getpid() != self._pid:
            os._exit(0)
        self._channel.send({"op": "done", **header}, body)

    def _configure(self, settings: dict[str, Any]) -> None:
        os.environ.clear()
        os.environ.update(settings["env"])
        os.chdir(settings["cwd"])
        if hasattr(time, "tzset"):
            time.tzset()
        site.ENABLE_USER_SITE, site.USER_BASE, site.USER_SITE = True, None, None
        # Set as a whole: a parked kernel is configured a second time when it knows whose it is.
        sys.path[:] = ["", *self._library_path, site.getusersitepackages()]
        privileges.limit_open_files(settings["openFiles"])
        # One that was imported ahead of time has one thread.
        if settings["cpus"] >= 2 or "numpy" not in sys.modules:
            threads = max(int(settings["cpus"]), 1)
            when_imported("numpy", lambda: libraries.use_threads(threads))

    def _run(self, body: bytes) -> dict[str, Any]:
        shell = self._shell
        shell.last_traceback = []
        shell.last_transformed = ""
        self._channel.send({"op": "started"})

        def work() -> Any:
            outcome = shell.run_cell(body.decode("utf-8", "replace"), store_history=True)
            libraries.flush_figures()
            return outcome

        self._is_running = True
        outcome, failure = interruptible(work)
        self._is_running = False
        if outcome is not None:
            failure = outcome.error_before_exec or outcome.error_in_exec
        if failure is None and shell.last_traceback:
            # A value that could not be displayed: the run went on, the reader is told why nothing is seen.
            print(self._traceback(), file=sys.stderr)
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        self._definitions.record(shell.last_transformed)
        reply: dict[str, Any] = {"count": shell.execution_count - 1}
        if isinstance(failure, SystemExit):
            reply["exitCode"] = _exit_code(failure)
            failure = failure if reply["exitCode"] else None
        return {**reply, "error": self._describe(failure)} if failure is not None else reply

    def _warm_up(self) -> dict[str, Any]:
        """Runs a cell as a user would and leaves no trace of it."""
        self._run(libraries.warmup_cell().encode())
        for name in set(self._shell.user_ns) - self._baseline:
            del self._shell.user_ns[name]
        self._shell.execution_count = 1
        self._definitions = snapshot.Definitions()
        shown_tables.clear()
        return {"count": 0}

    def _describe(self, error: BaseException) -> dict[str, str]:
        try:
            value = str(error)
        except Exception:
            value = "(its message cannot be shown)"
        name = type(error).__name__[:_MAX_NAME_CHARS]
        return {"name": name, "value": value[:_MAX_TEXT_CHARS], "traceback": self._traceback()}

    def _traceback(self) -> str:
        return "\n".join(self._shell.last_traceback)[-100_000:]

    def _answer(self, operation: object, header: dict[str, Any]) -> dict[str, Any]:
        self._channel.send({"op": "started"})
        reply, failure = interruptible(lambda: self._perform(operation, header))
        return {"reply": _bounded(reply)} if failure is None else {"error": _bounded(_explain(failure))}

    def _perform(self, operation: object, header: dict[str, Any]) -> dict[str, Any]:
        if operation == "table":
            self._channel.send({"op": "page"}, read_page(header))
            return {}
        if operation == "csv":
            lines, rows = read_csv(header)
            self._channel.send({"op": "page"}, lines)
            return {"rows": rows}
        if operation == "variables":
            self._channel.send({"op": "page"}, list_variables(self._shell, self._baseline))
            return {}
        if operation == "forget":
            return {"isForgotten": forget_variable(self._shell, self._baseline, header["name"])}
        path = header["path"]
        if operation == "snapshot":
            os.makedirs(os.path.dirname(path), exist_ok=True)
            return snapshot.save(
                self._shell,
                self._definitions,
                path,
                baseline=self._baseline,
                max_value_bytes=header["maxValueBytes"],
                max_bytes=header["maxBytes"],
                value_timeout_s=10.0,
                only=header.get("only"),
                leave_out=header.get("leaveOut") or (),
            )
        if operation == "check":
            snapshot.check(path)
            return {}
        return snapshot.load(
            self._shell,
            self._definitions,
            path,
            skip=header["skip"],
            is_added=header.get("isAdded", False),
            forget=header.get("forget") or (),
            on_value=self._name_value,
        )

    def _name_value(self, name: str) -> None:
        """So that the supervisor knows which value it was, should this kernel not survive it."""
        self._channel.send({"op": "value", "name": name[:_MAX_NAME_CHARS]})

    def _publish(self, data: dict[str, Any], is_main: bool) -> None:
        """What was printed before goes out first."""
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        known: dict[str, Any] = {"isMain": is_main}
        extra: dict[str, Any] = {}
        for mime, value in data.items():
            if name := _NAMES_BY_MIME.get(mime):
                known[name] = value
            else:
                extra[mime] = value
        if extra:
            known["extra"] = extra
        if os.getpid() != self._pid:
            return
        # The supervisor reads output and results on different ways. To keep their order, a value shown in mid-run
        # waits until it has been taken; nothing follows a main value.
        waits = not is_main and self._is_running and threading.current_thread() is threading.main_thread()
        self._channel.send({"op": "result", "waits": waits}, json.dumps(_finite(known), default=_to_text).encode())
        while waits and (frame := self._channel.receive()) is not None and frame[0].get("op") != "shown":
            self._deferred.append(frame)


def _explain(failure: BaseException) -> dict[str, str]:
    message = str(failure)
    if isinstance(failure, snapshot.SnapshotInvalid):
        return {"code": "snapshot_invalid", "message": message}
    if isinstance(failure, NoSuchTable):
        return {"code": "not_found", "message": message}
    if isinstance(failure, NoSuchColumn):
        return {"code": "invalid_argument", "message": message}
    if isinstance(failure, FileNotFoundError):
        return {"code": "not_found", "message": f"no snapshot at {failure.filename}"}
    if isinstance(failure, OSError):
        return {"code": "disk_full" if failure.errno in _NO_ROOM else "internal", "message": message}
    if isinstance(failure, KeyboardInterrupt):
        return {"code": "busy", "message": "it was interrupted"}
    return {"code": "internal", "message": f"{type(failure).__name__}: {message}"}


def _finite(value: Any) -> Any:
    """JSON has no word for NaN and infinity; Python writes them all the same."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, (list, tuple)) else value


def reseed() -> None:
    """Two forks must never draw the same numbers. What reads the system's generator needs nothing."""
    random.seed()
    # It notices a fork by the process id, which in a namespace of its own is the same in every sandbox.
    tempfile._name_sequence = None
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(int.from_bytes(os.urandom(4), "little"))


def _stream(descriptor: int) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False), 1 << 16)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=True)


def _update_env(values: dict[str, str | None]) -> None:
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    # It keeps the proxies of its first use; pandas reads addresses through it.
    if "HTTP_PROXY" in values and (urllib_request := sys.modules.get("urllib.request")):
        urllib_request.install_opener(None)


def _exit_code(error: SystemExit) -> int:
    if error.code is None:
        return 0
    if not isinstance(error.code, int):
        return 1
    return int(error.code) if abs(error.code) <= _MAX_EXIT_CODE else error.code & 0xFF or 1


def _bounded(value: Any) -> Any:
    """A reply with names and lists of a length that the supervisor takes."""
    if isinstance(value, dict):
        return {name: _bounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_bounded(each) for each in value[:_MAX_ROWS]]
    return value[:_MAX_NAME_CHARS] if isinstance(value, str) else value


def _to_text(value: object) -> object:
    """Images come as bytes; anything else JSON cannot carry comes as its text."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return str(value)
