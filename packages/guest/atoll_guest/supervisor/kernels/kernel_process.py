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

from ...isolation import privileges
from ...kernel.process import run_kernel
from ...protocol import FrameReader, ProtocolError, encode
from .. import reaper
from .kernel_frames import MAX_BODY_BYTES, MAX_HEADER_BYTES
from ..output import Pump

_CONTROL = 3  # The kernel's end of the socket; 0, 1 and 2 are its standard streams.
_CHUNK_BYTES = 1 << 18
# At a time: whoever floods us must not keep the loop from all else.
_FRAMES_AT_ONCE = 200
_LAST_CHUNKS = 8


class KernelProcess:
    def __init__(self, pid: int, control: socket.socket, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.is_alive = True
        self._control = control
        self._outputs = (stdout, stderr)
        self._pumps: list[Pump] = []
        self._reader = FrameReader(MAX_HEADER_BYTES, MAX_BODY_BYTES)
        self._unsent = bytearray()
        # Why it was ended, if it broke the protocol.
        self.violation: str | None = None
        self._is_listening = False
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
        """Needs a running loop; a parked sandbox has none yet when it forks.

        A ProtocolError of `on_frame` ends the kernel, as does a frame that is none.
        """
        self._on_frame = on_frame
        names = ("stdout", "stderr")
        self._pumps = [Pump(fd, _labelled(on_output, name)) for fd, name in zip(self._outputs, names)]
        self._control.setblocking(False)
        self._listen(True)

        def end(code: int) -> None:
            # A bounded number: a process that it left behind may hold the other end and go on writing.
            for _ in range(_LAST_CHUNKS):
                if not self._read():
                    break
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

    @property
    def has_unsent(self) -> bool:
        """It has not read all that it was sent."""
        return bool(self._unsent)

    def _read(self) -> bool:
        """One chunk. False when there is nothing more to read."""
        if not self.is_alive or self.violation is not None:
            return False
        try:
            chunk = self._control.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        if not chunk:
            # Closed by user code or by its end; the exit, if it is one, is reported by the reaper.
            self._listen(False)
            self.kill()
            return False
        self._reader.feed(chunk)
        self._take_frames()
        return True

    def _take_frames(self) -> None:
        try:
            for _ in range(_FRAMES_AT_ONCE):
                if not self.is_alive or self.violation is not None or (frame := self._reader.next()) is None:
                    return self._listen(True)
                # What was printed before a frame was sent is already in the pipes: keep the order.
                self._drain()
                self._on_frame(*frame)
        except ProtocolError as error:
            self.violation = str(error)
            self._listen(False)
            with contextlib.suppress(OSError):
                print(f"kernel {self.pid} broke the protocol: {error}", file=sys.stderr)
            return self.kill()
        # The others first; nothing more is read until these are taken.
        self._listen(False)
        asyncio.get_running_loop().call_soon(self._take_frames)

    def _listen(self, is_wanted: bool) -> None:
        is_wanted = is_wanted and self.is_alive and self.violation is None
        if is_wanted == self._is_listening:
            return
        self._is_listening = is_wanted
        loop = asyncio.get_running_loop()
        if is_wanted:
            loop.add_reader(self._control, self._read)
        else:
            loop.remove_reader(self._control)

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
        self._listen(False)
        loop = asyncio.get_running_loop()
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
