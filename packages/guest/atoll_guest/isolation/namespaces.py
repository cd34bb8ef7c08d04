"""A process in namespaces of its own."""

from __future__ import annotations

import fcntl
import os
import socket
import struct

from . import syscalls

_ALL = (
    syscalls.CLONE_NEWUSER
    | syscalls.CLONE_NEWNS
    | syscalls.CLONE_NEWPID
    | syscalls.CLONE_NEWIPC
    | syscalls.CLONE_NEWUTS
    | syscalls.CLONE_NEWNET
)
USER_ID = 1000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1


def fork_isolated() -> int:
    """Forks; the child is process 1 of new user, mount, pid, ipc, uts and network namespaces, as an ordinary user."""
    outer_user, outer_group = os.geteuid(), os.getegid()
    pid = syscalls.fork_into_namespaces(_ALL)
    if pid == 0:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{USER_ID} {outer_user} 1")
        _write("/proc/self/gid_map", f"{USER_ID} {outer_group} 1")
        os.setsid()
        socket.sethostname("atoll")
        _bring_loopback_up()
    return pid


def hide_cgroups() -> None:
    """From here on the process sees the group it is in as the root."""
    syscalls.unshare(syscalls.CLONE_NEWCGROUP)


def _bring_loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack_from("16sh", fcntl.ioctl(sock, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(sock, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))


def _write(path: str, text: str) -> None:
    # One write call: the kernel takes a map only whole.
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
