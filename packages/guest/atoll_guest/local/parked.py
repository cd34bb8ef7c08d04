"""A sandbox made ahead of time: in its namespaces, with its root built and a kernel forked, waiting to be somebody's."""

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

from ..isolation import cgroup, namespaces, privileges, rootfs, seccomp, syscalls
from ..protocol import encode
from ..supervisor.kernel_process import KernelProcess
from ..supervisor.main import Settings, Supervisor
from ..supervisor.rehearsal import rehearse
from .warden import JailConfig

_MAX_REQUEST_BYTES = 256 * 1024


@dataclass(frozen=True)
class Spare:
    pid: int
    control: socket.socket


def fork(config: JailConfig, group: cgroup.Group, foreign: list[int]) -> Spare:
    """`foreign` are the zygote's descriptors, which the new sandbox must not hold."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MAX_REQUEST_BYTES)
    pid = namespaces.fork_isolated()
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            for descriptor in (*foreign, ours.detach()):
                os.close(descriptor)
            _live(config, group, theirs)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(1)
    theirs.close()
    return Spare(pid, ours)


def _live(config: JailConfig, group: cgroup.Group, control: socket.socket) -> NoReturn:
    syscalls.set_name("atoll-guest")
    # Any process inside may send it to process 1. Not ignored outright, which every command would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    group.join()
    namespaces.hide_cgroups()
    rootfs.build(config.store, config.new_root)
    kernel = KernelProcess.fork(confine=_confine)
    asyncio.run(_wait_and_serve(group, control, kernel))
    os._exit(0)


async def _wait_and_serve(group: cgroup.Group, control: socket.socket, kernel: KernelProcess) -> None:
    supervisor = Supervisor(Settings.provisional(group), kernel)
    await rehearse(supervisor)
    gc.freeze()
    request, client = await _receive(control)
    try:
        settings, listener = _become(request["params"], group, kernel)
    except Exception as error:
        client.sendall(encode({"id": request.get("id"), "error": {"code": "internal", "message": str(error)}}))
        raise
    supervisor.become(settings)
    await supervisor.serve(listener, first=(client, request["id"]))


async def _receive(control: socket.socket) -> tuple[dict[str, Any], socket.socket]:
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(control, readable.set)
    await readable.wait()
    loop.remove_reader(control)
    message, descriptors, _, _ = socket.recv_fds(control, _MAX_REQUEST_BYTES, 1, socket.MSG_CMSG_CLOEXEC)
    control.close()
    if not message or not descriptors:
        os._exit(0)  # The zygote is gone or has no use for this one.
    return json.loads(message), socket.socket(fileno=descriptors[0])


def _become(params: dict[str, Any], group: cgroup.Group, kernel: KernelProcess) -> tuple[Settings, socket.socket]:
    """From any sandbox to this one. Afterwards nothing in it has a privilege, and nothing can get one."""
    folders = rootfs.Folders(**params["folders"])
    own = f"{rootfs.STORE}/{params['home']}"
    rootfs.make_folders(folders)
    _write(f"{own}/info.json", json.dumps(params["info"]))
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    address = f"{own}/guest.sock"
    if os.path.lexists(address):
        os.unlink(address)
    listener.bind(address)
    listener.listen(16)
    rootfs.adopt(folders, params["limits"]["tmpBytes"])
    group.limit(params["limits"])
    limits = privileges.process_limits(params["limits"], group.limits_memory)
    privileges.apply_limits(limits, kernel.pid)
    privileges.apply_limits(limits)
    os.chdir("/")
    _confine()
    privileges.hide_memory()
    return Settings.from_request(params, group, is_isolated=True), listener


def _write(path: str, text: str) -> None:
    with open(f"{path}.partial", "w") as file:
        file.write(text)
    os.replace(f"{path}.partial", path)


def _confine() -> None:
    privileges.drop_capabilities()
    privileges.forbid_new_privileges()
    seccomp.install()
