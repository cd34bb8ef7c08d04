"""The first process, process 1 of a jail: keeps a zygote at hand and reaps. It never imports a library and never runs user code.

It owns the socket on which sandboxes are asked for, so that a zygote that dies is replaced without a refused
connection, and it adopts the sandboxes of a dead zygote, so that they live on.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import sys
from dataclasses import dataclass, field
from typing import Any

from ..isolation import cgroup, syscalls
from . import home

_MAX_FAILURES = 3
_LAUNCHER = 3


@dataclass(frozen=True)
class ZygoteConfig:
    """Paths as the zygote sees them: inside its jail, if it has one."""

    run_folder: str
    store: str
    # A folder of the store for what is parked.
    parked: str
    # An empty folder to build the root of a sandbox in; None for no isolation at all.
    new_root: str | None
    spares: int = 3
    idle_exit_s: float = 600.0
    cgroups: dict[str, str] = field(default_factory=dict)
    # What a process of root outside of the jail gives sandboxes: `channel`, `users`, `limits_disk`. Empty: there is none.
    outside: dict[str, Any] = field(default_factory=dict)


def main() -> None:
    given = {name: json.loads(os.environ.pop(f"ATOLL_{name.upper()}", "{}")) for name in ("cgroups", "outside")}
    config = ZygoteConfig(**json.loads(sys.argv[1]), **given)
    syscalls.set_name("atoll-warden")
    lock = os.open(f"{config.run_folder}/lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _report_ready()  # Another jail serves this folder.
    home.clear(config.store, config.parked)
    warden = Warden(config, _listen(config.run_folder))
    _report_ready()
    warden.serve()


class Warden:
    def __init__(self, config: ZygoteConfig, listener: socket.socket) -> None:
        self._config = config
        self._listener = listener
        self._zygote: int | None = None
        self._failures = 0
        self._old_groups: set[str] = set()
        self._wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        """Until nobody asks for a sandbox and none is left."""
        self._start_zygote()
        while True:
            # While there is a zygote it takes the connections; without one, the next connection brings one back.
            watched: list[object] = [self._wake_read] if self._zygote else [self._wake_read, self._listener]
            ready, _, _ = select.select(watched, [], [])
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
                if not self._reap() and self._zygote is None:
                    break
            if self._listener in ready and self._zygote is None:
                self._start_zygote()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{self._config.run_folder}/zygote.sock")

    def _start_zygote(self) -> None:
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            os.close(self._wake_read)
            from .zygote import run_zygote

            run_zygote(self._config, self._listener)
        self._zygote = pid

    def _reap(self) -> bool:
        """True while any child is left."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self._zygote:
                    self._old_groups.add(f"{pid}-")
                    self._on_zygote_end(os.waitstatus_to_exitcode(status))
        except ChildProcessError:
            return self._zygote is not None
        finally:
            self._old_groups = {name for name in self._old_groups if not cgroup.remove(self._config.cgroups, name)}

    def _on_zygote_end(self, code: int) -> None:
        self._zygote = None
        if code == 0:
            return  # Idle: it comes back when somebody asks.
        print(f"the zygote ended with {code}; starting another", file=sys.stderr, flush=True)
        self._failures = self._failures + 1 if code == 1 else 0
        if self._failures >= _MAX_FAILURES:
            sys.exit("the zygote cannot start; giving up")
        self._start_zygote()


def _report_ready() -> None:
    """To whoever launched the jail: connections are taken from now on."""
    os.write(_LAUNCHER, b"ready")
    os.close(_LAUNCHER)


def _listen(folder: str) -> socket.socket:
    """By a relative name, because the kernel takes only 107 bytes of a socket's path."""
    os.chdir(folder)
    with contextlib.suppress(FileNotFoundError):
        os.unlink("zygote.sock")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    listener.bind("zygote.sock")
    os.chmod("zygote.sock", 0o600)
    listener.listen(1024)
    os.chdir("/")
    return listener
