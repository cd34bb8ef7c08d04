"""The guest without a boundary around it, for the host driver: `main` with the sandbox's settings as argument."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import signal
import socket
import sys

from .isolation import cgroup, privileges, syscalls
from .kernel import libraries
from .supervisor.kernel_process import KernelProcess
from .supervisor.main import Settings, Supervisor

_LAUNCHER = 3
# Counted over all processes of the user, not of the sandbox.
_NOT_OURS = (resource.RLIMIT_NPROC,)


def main() -> None:
    params = json.loads(sys.argv[1])
    # A process that outlives its parent becomes ours, so that pause and destroy reach it.
    syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGINT, lambda *_: None)
    libraries.preload()
    gc.collect()
    gc.freeze()
    paths = params["paths"]
    for name in ("workspace", "artifacts", "outputs"):
        os.makedirs(paths[name], exist_ok=True)
    with open(f"{params['folder']}/info.json", "w") as file:
        json.dump(params["info"], file)
    listener = _listen(params["folder"])
    limits = privileges.process_limits(params["limits"], has_memory_group=False)
    privileges.apply_limits({name: value for name, value in limits.items() if name not in _NOT_OURS})
    kernel = KernelProcess.fork()
    os.write(_LAUNCHER, b"ready")
    os.close(_LAUNCHER)
    settings = Settings.from_request(params, cgroup.Group({}, ""), is_isolated=False)
    asyncio.run(_serve(settings, listener, kernel))
    os._exit(0)


async def _serve(settings: Settings, listener: socket.socket, kernel: KernelProcess) -> None:
    await Supervisor(settings, kernel).serve(listener)


def _listen(folder: str) -> socket.socket:
    """By a relative name, because the kernel takes only 107 bytes of a socket's path."""
    os.chdir(folder)
    if os.path.lexists("guest.sock"):
        os.unlink("guest.sock")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind("guest.sock")
    os.chmod("guest.sock", 0o600)
    listener.listen(16)
    return listener
