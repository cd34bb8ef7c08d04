"""A sandbox made ahead of time: behind its boundary, with a kernel forked, waiting to be somebody's."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import socket
import sys
import traceback
from dataclasses import dataclass
from typing import Any, NoReturn

from ..isolation import rootfs, syscalls
from ..protocol import encode
from ..supervisor.errors import GuestError
from ..supervisor.kernels.kernel_process import KernelProcess
from ..supervisor.main import Supervisor
from ..supervisor.warmup import warm_up
from ..supervisor.settings import Settings
from .boundary import Boundary
from .home import Home

MAX_REQUEST_BYTES = 256 * 1024


@dataclass(frozen=True)
class Spare:
    pid: int
    control: socket.socket
    boundary: Boundary


def fork(boundary: Boundary, foreign: list[int], is_wanted: bool) -> Spare:
    """`foreign` are the zygote's descriptors, which the new sandbox must not hold. One that is wanted skips the warm-up."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_REQUEST_BYTES)
    pid = boundary.fork(is_wanted)
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            for descriptor in (*foreign, ours.detach()):
                os.close(descriptor)
            _live(boundary, theirs, is_wanted)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(1)
    theirs.close()
    return Spare(pid, ours, boundary)


def _live(boundary: Boundary, control: socket.socket, is_wanted: bool) -> NoReturn:
    syscalls.set_name("atoll-guest")
    # Any process inside may send it to process 1. Not ignored outright, which every command would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    boundary.enter()
    home = Home(boundary.store, boundary.parked)
    kernel = KernelProcess.fork(boundary.confine)
    asyncio.run(_wait_and_serve(boundary, home, control, kernel, is_wanted))
    os._exit(0)


async def _wait_and_serve(
    boundary: Boundary, home: Home, control: socket.socket, kernel: KernelProcess, is_wanted: bool
) -> None:
    supervisor = Supervisor(Settings.provisional(boundary.group, boundary.is_isolated), kernel)
    if not is_wanted:
        await warm_up(supervisor)
        gc.freeze()
    if (received := await _receive(control)) is None:
        home.discard()
        os._exit(0)
    request, client = received
    params = request["params"]
    try:
        folders = rootfs.Folders(**params["folders"])
        home.settle(params["home"], params["info"], has_work=folders.work is not None)
        if not boundary.is_isolated:
            home.note_process()
        os.makedirs(params["paths"]["data"], exist_ok=True)
        boundary.close(folders, params["limits"], kernel.pid)
    except Exception as error:
        code = error.code if isinstance(error, GuestError) else "internal"
        client.sendall(encode({"id": request.get("id"), "error": {"code": code, "message": str(error)}}))
        raise
    supervisor.become(Settings.from_request(params, boundary.group, boundary.is_isolated))
    await supervisor.serve(home.listener, first=(client, request["id"]))
    os._exit(0)  # At once: calls under way see the connection end, not an error of their own.


async def _receive(control: socket.socket) -> tuple[dict[str, Any], socket.socket] | None:
    """Whose it is to be, and the client; None when the zygote is gone or has no use for this one."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(control, readable.set)
    await readable.wait()
    loop.remove_reader(control)
    message, descriptors, _, _ = socket.recv_fds(control, MAX_REQUEST_BYTES, 1, socket.MSG_CMSG_CLOEXEC)
    control.close()
    if not message or not descriptors:
        return None
    return json.loads(message), socket.socket(fileno=descriptors[0])
