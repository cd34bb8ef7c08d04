"""A host user for each sandbox, where the launcher is root.

Root gives mounts of the store on which the jail's user is shown as a sandbox's own. On disk every file belongs to the
jail's user, whichever user a sandbox wakes as; a process that gets out of its mounts is a user who may enter no
sandbox's folder.
Imports nothing of the package, as the launcher.
"""

from __future__ import annotations

import ctypes
import os
import struct

_OPEN_TREE, _MOUNT_SETATTR = 428, 442
_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC = 0x1, 0x80000
_MOUNT_ATTR_NOSUID, _MOUNT_ATTR_NODEV, _MOUNT_ATTR_IDMAP = 0x2, 0x4, 0x00100000
_CLONE_NEWUSER = 0x10000000
_libc = ctypes.CDLL(None, use_errno=True)

Map = list[tuple[int, int, int]]


def mount_as(store: str, owner: int, user: int) -> int:
    """A mount on which what belongs to `owner` is shown as, and made by, `user`. OSError where the file system has none."""
    names = make_namespace([(owner, user, 1)])
    try:
        flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
        mount = _call(_OPEN_TREE, _AT_FDCWD, store.encode(), ctypes.c_uint(flags))
        wanted = _MOUNT_ATTR_NOSUID | _MOUNT_ATTR_NODEV | _MOUNT_ATTR_IDMAP
        attributes = struct.pack("QQQQ", wanted, 0, 0, names)
        try:
            _call(
                _MOUNT_SETATTR, mount, b"", ctypes.c_uint(_AT_EMPTY_PATH | _AT_RECURSIVE),
                attributes, ctypes.c_size_t(len(attributes)),
            )  # fmt: skip
        except OSError:
            os.close(mount)
            raise
        return mount
    finally:
        os.close(names)


def make_namespace(ids: Map, owner: int | None = None) -> int:
    """A user namespace with these users and groups (inside, outside, how many), made by `owner`, as a descriptor."""
    (made, making), (mapped, mapping) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(made)
            os.close(mapping)
            if owner is not None:
                os.setresgid(owner, owner, owner)
                os.setresuid(owner, owner, owner)
            if _libc.unshare(_CLONE_NEWUSER) == 0:
                os.write(making, b"x")
                os.read(mapped, 1)
        finally:
            os._exit(0)
    os.close(making)
    os.close(mapped)
    try:
        if not os.read(made, 1):
            raise OSError("a user namespace cannot be made")
        text = "\n".join(" ".join(map(str, line)) for line in ids).encode()
        for name in ("uid_map", "gid_map"):
            # One write call: the kernel takes a map only whole.
            descriptor = os.open(f"/proc/{pid}/{name}", os.O_WRONLY)
            try:
                os.write(descriptor, text)
            finally:
                os.close(descriptor)
        return os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(made)
        os.close(mapping)
        os.waitpid(pid, 0)


def _call(number: int, *arguments: object) -> int:
    result = _libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"system call {number}: {os.strerror(error)}")
    return int(result)
