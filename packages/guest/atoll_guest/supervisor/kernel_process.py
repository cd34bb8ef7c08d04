"""A kernel as its supervisor sees it: a forked process with a socket for frames and a pipe for each output stream."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any

from ..isolation import privileges
from ..kernel.process import run_kernel
from ..protocol import FrameReader, ProtocolError, encode
from . import reaper
from .output import Pump

_CONTROL = 3  # The kernel's end of the socket; 0, 1 and 2 are its standard streams.


class KernelProcess:
    def __init__(self, pid: int, control: socket.socket, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.is_alive = True
        self._control = control
        self._outputs = (stdout, stderr)
        self._pumps: list[Pump] = []
        self._reader = FrameReader()
        self._unsent = bytearray()
        self._on_frame: Callable[[dict[str, Any], bytes], None] = lambda header, body: None

    @staticmethod
    def fork(confine: Callable[[], None] | None = None) -> KernelProcess:
        """The child never returns from here. `confine` gives up the privileges the supervisor may still have."""
        ours, theirs = socket.socketpair()
        (stdout, stdout_end), (stderr, stderr_end) = os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                _become_kernel(theirs.fileno(), stdout_end, stderr_end, confine)
            except BaseException:
                traceback.print_exc(file=sys.__stderr__)
                sys.__stderr__.flush()
            finally:
                os._exit(70)
        theirs.close()
        os.close(stdout_end)
        os.close(stderr_end)
        return KernelProcess(pid, ours, stdout, stderr)

    def connect(
        self,
        on_frame: Callable[[dict[str, Any], bytes], None],
        on_output: Callable[[str, bytes], None],
        on_exit: Callable[[int], None],
    ) -> None:
        """Needs a running loop; a parked sandbox has none yet when it forks."""
        self._on_frame = on_frame
        names = ("stdout", "stderr")
        self._pumps = [Pump(fd, _labelled(on_output, name)) for fd, name in zip(self._outputs, names)]
        self._control.setblocking(False)
        asyncio.get_running_loop().add_reader(self._control, self._read)

        def end(code: int) -> None:
            self._read()
            self._drain()
            self._close()
            on_exit(code)

        reaper.watch(self.pid, end)

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        self._unsent += encode(header, body)
        self._write()

    def interrupt(self) -> None:
        """As Ctrl-C in a terminal: the kernel and the programs it started in the foreground."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGINT)

    def kill(self) -> None:
        reaper.kill_tree(self.pid)

    def _read(self) -> None:
        while self.is_alive:
            try:
                chunk = self._control.recv(1 << 18)
            except BlockingIOError:
                return
            except OSError:
                chunk = b""
            if not chunk:
                # Closed by user code or by its end; the exit, if it is one, is reported by the reaper.
                asyncio.get_running_loop().remove_reader(self._control)
                return self.kill()
            self._reader.feed(chunk)
            try:
                while (frame := self._reader.next()) is not None:
                    # What was printed before a frame was sent is already in the pipes: keep the order.
                    self._drain()
                    self._on_frame(*frame)
            except ProtocolError as error:
                with contextlib.suppress(OSError):
                    print(f"kernel {self.pid}: {error}", file=sys.stderr)
                return self.kill()

    def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._unsent and self.is_alive:
                with memoryview(self._unsent) as view:
                    sent = self._control.send(view[: 1 << 20])
                del self._unsent[:sent]
        except BlockingIOError:
            loop.add_writer(self._control, self._write)
            return
        except OSError:
            self._unsent.clear()
        if self.is_alive:
            loop.remove_writer(self._control)

    def _drain(self) -> None:
        for pump in self._pumps:
            pump.drain()

    def _close(self) -> None:
        self.is_alive = False
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._control)
        loop.remove_writer(self._control)
        self._control.close()
        for pump in self._pumps:
            pump.close()


def _labelled(on_output: Callable[[str, bytes], None], name: str) -> Callable[[bytes], None]:
    return lambda chunk: on_output(name, chunk)


def _become_kernel(control: int, stdout: int, stderr: int, confine: Callable[[], None] | None) -> None:
    signal.set_wakeup_fd(-1)
    asyncio._set_running_loop(None)
    os.setsid()
    stdin = os.open("/dev/null", os.O_RDONLY)
    # Moved out of the way first: any of them may be where another has to go.
    moved = [os.dup(descriptor) for descriptor in (stdin, stdout, stderr, control)]
    for target, source in enumerate(moved):
        os.dup2(source, target, inheritable=target != _CONTROL)
    os.closerange(_CONTROL + 1, os.sysconf("SC_OPEN_MAX"))
    privileges.show_memory()
    privileges.prefer_as_oom_victim()
    if confine is not None:
        confine()
    run_kernel(_CONTROL)
