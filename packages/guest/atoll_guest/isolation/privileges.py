"""Giving up every privilege a process could still use or regain."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource

from . import syscalls

_CAPABILITY_VERSION_3 = 0x20080522
_SUPERVISOR_OPEN_FILES = 1024
_PENDING_SIGNALS = 256
# Descriptors on their way through sockets are counted for a user and held against the sender's own limit: with one user
# for all, the zygote can hand connections on only while its limit is above what sandboxes may have on the way.
_ZYGOTE_OPEN_FILES = 512


def close_bounding_set() -> None:
    """From here on no executed file can bring a capability, in this process and all it will start."""
    with open("/proc/sys/kernel/cap_last_cap") as file:
        last = int(file.read())
    for capability in range(last + 1):
        syscalls.prctl(syscalls.PR_CAPBSET_DROP, capability)


def drop_capabilities() -> None:
    """Leaves no capability in any set of this process."""
    syscalls.prctl(syscalls.PR_CAP_AMBIENT, syscalls.PR_CAP_AMBIENT_CLEAR_ALL)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    syscalls.call("capset", ctypes.byref(header), ctypes.byref(nothing))


def forbid_new_privileges() -> None:
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)


def hide_memory() -> None:
    """Other processes of the same user can no longer open this one's /proc/<pid>/mem, environ or fd."""
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)


def show_memory() -> None:
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)


def process_limits(limits: dict[str, int], has_memory_group: bool) -> dict[int, int]:
    """The rlimits of user code."""
    chosen = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 64 * 1024,
        # Summed over all sandboxes, these end at what the launcher may have: a share that leaves some to the others.
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: _PENDING_SIGNALS,
        resource.RLIMIT_NOFILE: min(limits["openFiles"], _most_open_files()),
        resource.RLIMIT_FSIZE: min(limits["fileSizeBytes"], limits["diskBytes"]),
        # Counted within the sandbox's own user namespace (Linux 5.14 and later), supervisor included.
        resource.RLIMIT_NPROC: limits["processes"] + 1,
        # Data of one process: an allocation past it is a MemoryError in Python instead of a killed kernel.
        resource.RLIMIT_DATA: _data_in_use() + limits["memoryBytes"],
    }
    if has_memory_group:
        # Leaves the group's limit to processes that together hold more than one may.
        chosen[resource.RLIMIT_DATA] = _data_in_use() + int(limits["memoryBytes"] * 0.95)
    return chosen


def apply_limits(limits: dict[int, int], pid: int = 0) -> None:
    for name, value in limits.items():
        _, hard = resource.prlimit(pid, name)
        bounded = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.prlimit(pid, name, (bounded, bounded))


def limit_supervisor(limits: dict[int, int]) -> None:
    """As user code, which inherits them from here, but for the files: it must be able to answer when user code has none."""
    apply_limits({**limits, resource.RLIMIT_NOFILE: max(limits[resource.RLIMIT_NOFILE], _SUPERVISOR_OPEN_FILES)})


def limit_open_files(count: int) -> None:
    """In a process that the supervisor has started, before it runs user code."""
    apply_limits({resource.RLIMIT_NOFILE: count})


def needs_own_open_files(count: int) -> bool:
    """Whether a process started by the supervisor would inherit more than it may have."""
    return count < _SUPERVISOR_OPEN_FILES


def prefer_as_oom_victim() -> None:
    """When memory runs out the kernel picks this process before the supervisor."""
    # gVisor holds a full disk against this file too.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def _most_open_files() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1 << 30 if hard == resource.RLIM_INFINITY else max(hard - _ZYGOTE_OPEN_FILES, hard // 2)


def _data_in_use() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
