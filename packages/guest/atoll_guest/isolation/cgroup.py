"""A control group for each sandbox, below a folder that the jail's launcher has handed to the jail's user.

`base` maps a controller's name to that folder: one folder a controller on cgroup v1, the same one for all on v2.
Where the machine hands out none, the base is empty and a group limits nothing: process limits and watches remain.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .pulse import Pulse

_PERIOD_US = 100_000
# On v1 the buffers of sockets are counted beside the memory, on v2 as part of it.
_SOCKETS_SHARE, _SOCKETS_LEAST = 16, 16 * 1024 * 1024
_SOCKETS_LIMIT, _SOCKETS_USED = "memory.kmem.tcp.limit_in_bytes", "memory.kmem.tcp.usage_in_bytes"
# Controller and file, in the order in which limits are written.
_FILES_V1 = (
    ("memory", "memory.limit_in_bytes"), ("memory", "memory.memsw.limit_in_bytes"), ("pids", "pids.max"),
    ("cpu", "cpu.cfs_period_us"), ("cpu", "cpu.cfs_quota_us"),
    ("memory", _SOCKETS_LIMIT), ("memory", _SOCKETS_USED),
    ("memory", "memory.usage_in_bytes"), ("memory", "memory.oom_control"),
)  # fmt: skip
_FILES_V2 = (
    ("memory", "memory.max"), ("memory", "memory.swap.max"), ("pids", "pids.max"), ("cpu", "cpu.max"),
    ("memory", "memory.current"), ("memory", "memory.events"),
)  # fmt: skip


class Group:
    def __init__(self, base: dict[str, str], name: str) -> None:
        self._folders = {controller: Path(folder) / name for controller, folder in base.items()}
        self._is_v2 = any((Path(folder) / "cgroup.controllers").exists() for folder in base.values())
        self._files: dict[str, int] = {}
        self.pulse = Pulse()
        self._gives_way = False
        self._limits_sockets = False

    @property
    def limits_memory(self) -> bool:
        return "memory" in self._folders

    @property
    def limits_sockets(self) -> bool:
        """False where it is counted apart from other memory and nothing bounds it: engines set no such limit on v1."""
        return self._limits_sockets or _SOCKETS_USED not in self._files

    def make(self) -> None:
        for folder in set(self._folders.values()):
            folder.mkdir(exist_ok=True)

    def join(self) -> None:
        """Moves this process, with all it will start, into the group.

        Opens what `limit` and `usage` need: the sandbox loses sight of the control groups before it knows its limits.
        """
        self.pulse.keep_from_forks()
        for folder in set(self._folders.values()):
            (folder / "cgroup.procs").write_text("0")
        for controller, name in _FILES_V2 if self._is_v2 else _FILES_V1:
            if controller in self._folders:
                with contextlib.suppress(FileNotFoundError):
                    self._files[name] = os.open(self._folders[controller] / name, _flags(name) | os.O_CLOEXEC)

    def give_way(self, is_giving_way: bool) -> None:
        """A group that nobody waits for leaves the processors to the others."""
        self._gives_way = is_giving_way
        for name, least, usual in (("cpu.shares", "2", "1024"), ("cpu.weight", "1", "100")):
            if "cpu" in self._folders and (path := self._folders["cpu"] / name).exists():
                path.write_text(least if is_giving_way else usual)

    def balance(self) -> None:
        """What has been at work for long leaves the processors to what somebody waits for."""
        if (is_long := self.pulse.is_long_at_work()) != self._gives_way:
            with contextlib.suppress(OSError):
                self.give_way(is_long)

    def limit(self, limits: dict[str, int | float]) -> None:
        memory, processes = str(int(limits["memoryBytes"])), str(int(limits["processes"]) + 1)
        quota = str(max(1000, int(float(limits["cpus"]) * _PERIOD_US)))
        wanted = {
            "memory.max": memory, "memory.swap.max": "0", "cpu.max": f"{quota} {_PERIOD_US}", "pids.max": processes,
            "memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory,
            _SOCKETS_LIMIT: str(socket_limit(limits)),
            "cpu.cfs_period_us": str(_PERIOD_US), "cpu.cfs_quota_us": quota,
        }  # fmt: skip
        for name, value in wanted.items():
            if name in self._files:
                descriptor = self._files.pop(name)
                os.write(descriptor, value.encode())
                os.close(descriptor)
                self._limits_sockets |= name == _SOCKETS_LIMIT

    def memory_bytes(self) -> int | None:
        parts = ("memory.current", "memory.usage_in_bytes", _SOCKETS_USED)
        used = [int(os.pread(self._files[name], 64, 0)) for name in parts if name in self._files]
        return sum(used) if used else None

    def oom_kills(self) -> int:
        events = self._files.get("memory.events", self._files.get("memory.oom_control"))
        if events is None:
            return 0
        pairs = (line.split() for line in os.pread(events, 1024, 0).decode().splitlines())
        return next((int(value) for name, value in pairs if name == "oom_kill"), 0)


def socket_limit(limits: dict[str, int | float]) -> int:
    """How many bytes may wait in sockets where they are counted apart from other memory."""
    return max(int(limits["memoryBytes"]) // _SOCKETS_SHARE, _SOCKETS_LEAST)


def of_container() -> Group:
    """The group that a container's engine made and limits: to be read, not changed. Empty where it cannot be seen."""
    for folder, names in (("/sys/fs/cgroup", _FILES_V2), ("/sys/fs/cgroup/memory", _FILES_V1)):
        read = [name for controller, name in names if controller == "memory" and _flags(name) == os.O_RDONLY]
        if all(os.path.exists(f"{folder}/{name}") for name in read):
            group = Group({"memory": folder}, "")
            group._files = {name: os.open(f"{folder}/{name}", os.O_RDONLY | os.O_CLOEXEC) for name in read}
            return group
    return Group({}, "") if os.path.exists("/proc/self/smaps_rollup") else OwnKernel()


class OwnKernel(Group):
    """Under gVisor a sandbox has a kernel to itself, which counts what all its processes have but limits none of it."""

    def __init__(self) -> None:
        super().__init__({}, "")

    def memory_bytes(self) -> int | None:
        with open("/proc/meminfo") as file:
            fields = dict(line.split(":") for line in file)
        return sum(int(fields[name].split()[0]) * 1024 for name in ("AnonPages", "Shmem"))


def remove(base: dict[str, str], prefix: str) -> bool:
    """Removes the groups whose name starts so. False if one still has a process in it."""
    is_done = True
    for folder in set(base.values()):
        for name in os.listdir(folder):
            if name.startswith(prefix):
                try:
                    os.rmdir(os.path.join(folder, name))
                except NotADirectoryError:
                    continue
                except OSError:
                    is_done = False
    return is_done


def _flags(name: str) -> int:
    return os.O_RDONLY if name.endswith(("usage_in_bytes", "oom_control", "current", "events")) else os.O_RDWR
