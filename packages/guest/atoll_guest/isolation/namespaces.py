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


def fork_isolated(user: int | None) -> int:
    """Forks; the child is process 1 of new user, mount, pid, ipc, uts and network namespaces, as an ordinary user.

    With `user`, which its parent may map, it can `become_user` and is this one's until then.
    """
    ids = (os.geteuid(), os.getegid())
    is_mapped, mapping = os.pipe2(os.O_CLOEXEC)
    try:
        pid = syscalls.fork_into_namespaces(_ALL)
        if pid == 0 and user is None:
            _map("self", *ids)
        elif pid == 0:
            os.close(mapping)
            mapping = -1
            if not os.read(is_mapped, 1):
                os._exit(1)  # The zygote could not map this sandbox's user, and says why.
        elif user is not None:
            _map(str(pid), user, user)
            os.write(mapping, b"x")
    finally:
        os.close(is_mapped)
        if mapping >= 0:
            os.close(mapping)
    if pid == 0:
        os.setsid()
        socket.sethostname("atoll")
        _bring_loopback_up()
    return pid


def become_user() -> None:
    """Takes the user that was mapped for this namespace, with all its groups, and stays visible to itself in /proc."""
    os.setresgid(USER_ID, USER_ID, USER_ID)
    os.setresuid(USER_ID, USER_ID, USER_ID)
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)


def hide_cgroups() -> None:
    """From here on the process sees the group it is in as the root."""
    syscalls.unshare(syscalls.CLONE_NEWCGROUP)


def _bring_loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack_from("16sh", fcntl.ioctl(sock, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(sock, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))


def _map(process: str, user: int, group: int) -> None:
    _write(f"/proc/{process}/setgroups", "deny")
    _write(f"/proc/{process}/uid_map", f"{USER_ID} {user} 1")
    _write(f"/proc/{process}/gid_map", f"{USER_ID} {group} 1")


def _write(path: str, text: str) -> None:
    # One write call: the kernel takes a map only whole.
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
