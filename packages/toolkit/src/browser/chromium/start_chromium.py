"""Starts Chromium with its debugging pipe on one connection: nothing else can reach it, and it ends with the connection."""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import socket
import sys

_PROGRAMS = (
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
)
_NO_PROGRAM = 127
_DATA_STEP = 1 << 26
_CONNECT_S = 60.0


def main(profile: str, flags: list[str]) -> None:
    program = next((path for path in _PROGRAMS if os.access(path, os.X_OK)), None)
    if program is None:
        sys.exit(_NO_PROGRAM)
    _unlock(profile)
    _round_data_limit()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(_CONNECT_S)
        print(server.getsockname()[1], flush=True)
        connection, _ = server.accept()
    connection.setblocking(True)
    # Many small messages, each of which a caller waits for.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    high = fcntl.fcntl(connection.fileno(), fcntl.F_DUPFD, 100)
    for place in (3, 4):  # Chromium reads commands from 3 and writes answers to 4.
        os.dup2(high, place)
    os.dup2(2, 1)
    os.execv(program, [program, "--remote-debugging-pipe", f"--user-data-dir={profile}", *flags])


def _unlock(profile: str) -> None:
    """One that was killed leaves its lock, which names a process id that another one has by now."""
    for name in ("SingletonLock", "SingletonSocket", "SingletonCookie"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(profile, name))


def _round_data_limit() -> None:
    """Chromium's script engine takes an eighth of this limit for code, and crashes if that is no round number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft != resource.RLIM_INFINITY and soft >= _DATA_STEP:
        resource.setrlimit(resource.RLIMIT_DATA, (soft // _DATA_STEP * _DATA_STEP, hard))


main(sys.argv[1], sys.argv[2:])
