"""What the kernel counts for a user or for the whole machine, bounded in each sandbox's own namespaces.

Set once, while the sandbox may still write to its /proc/sys. Sums over all sandboxes stay the host's. What is counted
in user namespaces (inotify) is counted again for the user who made each namespace above, up to the jail's: there a user
for each sandbox does not help, so that a share is a part of what the host gives to one user.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

PTYS = 16

# So many sandboxes can have all of their share at once.
_SHARES = 42
# In the sandbox's namespace, of what the host gives to one user, and at most.
_PARTS = (
    ("user/max_inotify_instances", "fs/inotify/max_user_instances", 8),
    ("user/max_inotify_watches", "fs/inotify/max_user_watches", 8192),
)
_SETTINGS = {
    # Bytes of one socket: least, usual, most. There is no far end to be waited for.
    "net/ipv4/tcp_rmem": "4096 131072 1048576",
    "net/ipv4/tcp_wmem": "4096 16384 1048576",
    # No namespace inside of this one, also if the filter of system calls should let one pass.
    **{f"user/max_{kind}_namespaces": "0" for kind in ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time")},
}


def apply(proc: str) -> None:
    """`proc` is a procfs of the sandbox. A kernel without one of these has nothing to bound there."""
    for name, value in (*_SETTINGS.items(), *_parts(proc)):
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(f"{proc}/sys/{name}", os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(descriptor, value.encode())
            finally:
                os.close(descriptor)


def _parts(proc: str) -> Iterator[tuple[str, str]]:
    for name, source, most in _PARTS:
        with contextlib.suppress(FileNotFoundError), open(f"{proc}/sys/{source}") as file:
            yield name, str(max(1, min(most, int(file.read()) // _SHARES)))
