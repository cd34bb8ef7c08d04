"""What stands between a sandbox and the rest: everything the kernel offers, or, for the host driver, nothing."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Callable
from typing import Any, Protocol

from ..isolation import cgroup, namespaces, privileges, rootfs, seccomp, syscalls
from ..isolation.users import User


class Boundary(Protocol):
    """In the order of its use: `fork`, then in the child `enter`, and when the sandbox knows whose it is, `close`."""

    is_isolated: bool
    group: cgroup.Group
    # Where the folders of all sandboxes are while the boundary is open, and below it this one's until it has a name.
    store: str
    parked: str
    # Gives up every privilege; for a kernel, which is forked before the boundary is closed.
    confine: Callable[[], None] | None

    def fork(self, is_wanted: bool) -> int: ...
    def enter(self) -> None: ...
    def close(self, folders: rootfs.Folders, limits: dict[str, Any], kernel: int) -> None: ...


class Isolation:
    is_isolated = True
    store = rootfs.STORE

    def __init__(self, group: cgroup.Group, store: str, new_root: str, parked: str, user: User | None) -> None:
        """Without a user of its own a sandbox is the jail's."""
        self.group = group
        self.parked = parked
        self._user = user
        self._outer_store = store
        self._new_root = new_root

    def fork(self, is_wanted: bool) -> int:
        # Not in the child: one that is wanted before it got there would take back what its client was given.
        # Without a group it ends when it is about to join.
        with contextlib.suppress(OSError):
            self.group.make()
            if not is_wanted:
                self.group.give_way(True)
        return namespaces.fork_isolated(self._user.id if self._user else None)

    def enter(self) -> None:
        self.group.join()
        namespaces.hide_cgroups()
        if self._user:
            namespaces.become_user()
        rootfs.build(self._user.store if self._user else self._outer_store, self._new_root)
        if self._user:
            self._user.forget()
        privileges.close_bounding_set()

    def close(self, folders: rootfs.Folders, limits: dict[str, Any], kernel: int) -> None:
        """Afterwards nothing in the sandbox has a privilege, and nothing can get one."""
        rootfs.adopt(folders, limits["tmpBytes"])
        self.group.limit(limits)
        own = privileges.process_limits(limits, self.group.limits_memory)
        privileges.apply_limits(own, kernel)
        privileges.limit_supervisor(own)
        self.confine()
        privileges.hide_memory()

    def confine(self) -> None:
        privileges.drop_capabilities()
        privileges.forbid_new_privileges()
        seccomp.install()


class NoIsolation:
    is_isolated = False
    confine = None

    def __init__(self, store: str, parked: str) -> None:
        self.parked = parked
        self.group = cgroup.Group({}, "")
        self.store = store

    def fork(self, is_wanted: bool) -> int:
        return os.fork()

    def enter(self) -> None:
        os.setsid()
        # A process that outlives its parent becomes ours, so that pause and destroy reach it.
        syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)

    def close(self, folders: rootfs.Folders, limits: dict[str, Any], kernel: int) -> None:
        own = privileges.process_limits(limits, has_memory_group=False)
        # It would count all processes of the user, not those of the sandbox.
        del own[resource.RLIMIT_NPROC]
        privileges.apply_limits(own, kernel)
        privileges.limit_supervisor(own)
