"""Process 1 of a container: imports the libraries, gives up what it does not need, and waits to be somebody's sandbox.

The container itself is the boundary: its engine has made the namespaces, dropped every capability and set the limits.
What the engine's own filter lets pass, the sandbox's filter still refuses, here and in all that is started from here.
"""

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
from typing import NoReturn

from ..isolation import cgroup, privileges, seccomp, syscalls
from ..kernel import libraries
from ..supervisor.kernels.kernel_process import KernelProcess
from ..supervisor.warmup import warm_up
from .parked import ParkedSupervisor


@dataclass(frozen=True)
class ContainerConfig:
    # Visible to the host as the guest's socket until the host takes it away, before any user code runs.
    socket: str
    # A file that says that the socket listens.
    ready: str
    # Where to say why it could not start: the container, with its log, is gone at its end.
    failure: str
    # How long it waits while nobody holds it.
    idle_exit_s: float
    # What to import ahead of time; None for the usual.
    preload: list[str] | None = None


def main() -> None:
    config = ContainerConfig(**json.loads(sys.argv[1]))
    try:
        _prepare(config)
        asyncio.run(_serve(config))
    except BaseException:
        with open(f"{config.failure}.new", "w") as file:
            traceback.print_exc(file=file)
        os.rename(f"{config.failure}.new", config.failure)
        raise


def _prepare(config: ContainerConfig) -> None:
    syscalls.set_name("atoll-guest")
    _check_powerless()
    # Any process inside may send it to process 1. Not ignored outright, which every command would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    gc.disable()  # Nothing of what is imported is garbage; to look for some costs more than it frees.
    if config.preload is None:
        libraries.preload()
    else:
        libraries.preload(config.preload)
    gc.freeze()
    gc.enable()
    privileges.forbid_new_privileges()
    seccomp.install()
    privileges.hide_memory()


def _check_powerless() -> None:
    """An engine that gave more than it was asked for is not one to run strangers' code on."""
    with open("/proc/self/status") as file:
        fields = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    held = [name for name in ("CapPrm", "CapEff", "CapBnd") if int(fields[name], 16)]
    if os.getuid() == 0 or held:
        raise PermissionError("the container runs as root or has capabilities: " + ", ".join(held))


async def _serve(config: ContainerConfig) -> NoReturn:
    supervisor = ParkedSupervisor(cgroup.of_container(), KernelProcess.fork(), config.idle_exit_s)
    await warm_up(supervisor)
    gc.freeze()
    await supervisor.park(_listen(config))
    os._exit(0)  # At once: calls under way see the connection end, not an error of their own.


def _listen(config: ContainerConfig) -> socket.socket:
    """Its mode comes from the umask: gVisor lets nobody change or rename a socket that the host can see."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    usual = os.umask(0o177)
    listener.bind(config.socket)
    listener.listen(1024)
    os.close(os.open(config.ready, os.O_CREAT | os.O_WRONLY))
    os.umask(usual)
    return listener
