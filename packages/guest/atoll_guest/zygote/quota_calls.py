"""The kernel's calls for project quotas: what project a file is of, and what all files of a project may use.

XFS and ext4 take the same ones. A descriptor of any file says which file system is meant.
Imports nothing of the package, as the launcher.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct
from dataclasses import dataclass

_GETXATTR, _SETXATTR = 0x801C581F, 0x401C5820
_FSXATTR = struct.Struct("=IIIII8x")  # Flags, extent size, extents, project, copy-on-write extent size.
_PROJINHERIT = 0x200

_QUOTACTL_FD = 443
_PROJECTS = 2
_GETQUOTA, _SETQUOTA, _GETNEXTQUOTA, _GETSTATE = 0x800007, 0x800008, 0x800009, 0x5805
# Hard and soft limit of KiB, bytes in use; of inodes; two grace times; which of them are meant; for GETNEXTQUOTA, whose.
_DQBLK = struct.Struct("=QQQQQQQQII")
_LIMITS_ARE_MEANT = 1 | 4
_COUNTED, _ENFORCED = 1 << 4, 1 << 5
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Quota:
    project: int
    hard_kib: int = 0
    hard_inodes: int = 0
    used_bytes: int = 0
    used_inodes: int = 0


def project_of(file: int) -> tuple[int, bool]:
    """A file's project, and whether what is made in it gets the same."""
    flags, _, _, project, _ = _FSXATTR.unpack(_attributes(file))
    return project, bool(flags & _PROJINHERIT)


def set_project(file: int, project: int, is_inherited: bool) -> None:
    flags, extent, extents, _, shared_extent = _FSXATTR.unpack(_attributes(file))
    flags = flags | _PROJINHERIT if is_inherited else flags & ~_PROJINHERIT
    fcntl.ioctl(file, _SETXATTR, _FSXATTR.pack(flags, extent, extents, project, shared_extent))


def is_enforced(file: int) -> bool:
    """Whether this file's file system counts what projects use and refuses what goes past their limits."""
    state = ctypes.create_string_buffer(1024)
    try:
        _quotactl(file, _GETSTATE, 0, state)
    except OSError:
        return False
    (flags,) = struct.unpack_from("=H", state, 2)
    return flags & (_COUNTED | _ENFORCED) == _COUNTED | _ENFORCED


def read_quota(file: int, project: int) -> Quota:
    return _read(file, _GETQUOTA, project) or Quota(project)


def next_quota(file: int, project: int) -> Quota | None:
    """Of the first project from this number on that has a limit or files."""
    return _read(file, _GETNEXTQUOTA, project)


def write_quota(file: int, quota: Quota) -> None:
    limits = (quota.hard_kib, 0, 0, quota.hard_inodes, 0, 0, 0, 0)
    block = ctypes.create_string_buffer(_DQBLK.pack(*limits, _LIMITS_ARE_MEANT, 0))
    _quotactl(file, _SETQUOTA, quota.project, block)


def _read(file: int, command: int, project: int) -> Quota | None:
    block = ctypes.create_string_buffer(_DQBLK.size)
    try:
        _quotactl(file, command, project, block)
    except OSError as error:
        # The file system has never heard of it.
        if error.errno in (errno.ENOENT, errno.ESRCH):
            return None
        raise
    hard_kib, _, used_bytes, hard_inodes, _, used_inodes, _, _, _, found = _DQBLK.unpack(block)
    return Quota(found if command == _GETNEXTQUOTA else project, hard_kib, hard_inodes, used_bytes, used_inodes)


def _attributes(file: int) -> bytes:
    return fcntl.ioctl(file, _GETXATTR, bytes(_FSXATTR.size))


def _quotactl(file: int, command: int, project: int, block: object) -> None:
    arguments = (ctypes.c_uint(file), ctypes.c_uint(command << 8 | _PROJECTS), ctypes.c_uint(project), block)
    if _libc.syscall(ctypes.c_long(_QUOTACTL_FD), *arguments) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"quotactl: {os.strerror(error)}")
