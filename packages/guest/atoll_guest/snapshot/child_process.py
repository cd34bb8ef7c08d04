"""A forked copy of the kernel that does one piece of work and reports; it may hang, crash or be killed."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import resource
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)

Report = Callable[..., None]


class Child:
    def __init__(self, pid: int, reports: int) -> None:
        self._pid = pid
        self._reports = reports
        self._buffer = b""
        self._ended_by: str | None = None

    def receive(self, wait_s: float) -> Any:
        """The next report. Raises TimeoutError, EOFError when the child has ended, ValueError at nonsense."""
        deadline = time.monotonic() + wait_s
        poll = select.poll()
        poll.register(self._reports, select.POLLIN)
        while b"\n" not in self._buffer:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not poll.poll(left_s * 1000):
                raise TimeoutError
            chunk = os.read(self._reports, 65536)
            if not chunk:
                raise EOFError
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(line)

    def end(self) -> str:
        """Kills the child and whatever it started, unless it is gone. Says how it ended."""
        if self._ended_by is None:
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    kill(self._pid, signal.SIGKILL)
            self._ended_by = _wait(self._pid)
        return self._ended_by


@contextlib.contextmanager
def forked(work: Callable[[Report], None], keep_fd: int, memory_bytes: int) -> Iterator[Child]:
    """The child has the kernel's memory and `keep_fd`, and nothing else of it. It ends with the block."""
    reading, writing = os.pipe()
    try:
        pid = _fork()
        if pid == 0:
            try:
                _isolate(sorted((keep_fd, writing)), memory_bytes)
                work(lambda *parts: _write_line(writing, parts))
            finally:
                os._exit(0)
    except OSError:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    child = Child(pid, reading)
    try:
        yield child
    finally:
        child.end()
        os.close(reading)


def _fork() -> int:
    with warnings.catch_warnings():
        # Python warns that other threads are not copied, which is as it should be.
        warnings.simplefilter("ignore")
        return os.fork()


def _isolate(keep: list[int], memory_bytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setpgid(0, 0)
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # A collection would run finalizers, some of which remove files that the kernel still uses.
    gc.disable()
    sys.settrace(None)
    sys.setprofile(None)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    for above, below in zip([2, *keep], [*keep, os.sysconf("SC_OPEN_MAX")]):
        os.closerange(above + 1, below)
    sys.stdin, sys.stdout, sys.stderr = open(os.devnull), open(os.devnull, "w"), open(os.devnull, "w")
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _limit_memory(memory_bytes)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        # When memory runs out, this process is to go and not the kernel.
        file.write("1000")


def _limit_memory(more_bytes: int) -> None:
    with open("/proc/self/statm") as file:
        in_use = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    bounds = [*resource.getrlimit(resource.RLIMIT_AS), in_use + more_bytes]
    least = min(bound for bound in bounds if bound != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_AS, (least, least))


def _write_line(fd: int, parts: tuple[object, ...]) -> None:
    line = json.dumps(parts).encode() + b"\n"
    while line:
        line = line[os.write(fd, line) :]


def _wait(pid: int) -> str:
    try:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:
        return "it ended"
    if code >= 0:
        return f"exit code {code}"
    return next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
