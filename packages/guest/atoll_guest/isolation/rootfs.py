"""The file system a sandbox sees, built inside its own mount namespace.

Built in two steps, because a parked sandbox does not know yet whose it will be: `build` makes all that every sandbox
has in common; `adopt` brings in one sandbox's folders, takes the way to the others' away and makes the root read-only.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from . import kernel_limits
from .syscalls import MS_BIND, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY, MS_REC, MS_REMOUNT, MS_SLAVE
from .syscalls import attach_mount, call, mount, unmount

# Read-only in the jail already, so a bind is read-only here and cannot be made writable.
_SYSTEM = ("usr", "etc", "opt", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
# Of what /proc tells of the whole machine, as much as programs need; all else is hidden, also what newer kernels add.
_SHOWN_IN_PROC = {
    "cpuinfo", "meminfo", "stat", "uptime", "loadavg", "version", "filesystems", "swaps", "vmstat", "cgroups",
    "sys", "sysvipc",
}  # fmt: skip
STORE = "/.store"


@dataclass(frozen=True)
class Folders:
    """One sandbox's folders, as names below the store; None where it has none."""

    workspace: str
    session: str
    outputs: str
    data: str | None = None
    work: str | None = None


def build(store: str | int, new_root: str) -> None:
    """`store` is the folder of all sandboxes and data sets, as the jail sees it, or a mount of it as a descriptor."""
    mount("none", "/", flags=MS_SLAVE | MS_REC)
    mount("tmpfs", new_root, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=4m")
    os.chdir(new_root)
    for name in _SYSTEM:
        _copy_or_bind(f"/{name}", name)
    for name in ("proc", "dev", "tmp", "workspace", "session", "data", "work", "run", "var", "home", ".old", STORE[1:]):
        os.mkdir(name)
    os.symlink("/tmp", "var/tmp")
    mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    kernel_limits.apply("proc")
    _hide_in_proc()
    _make_dev()
    if isinstance(store, int):
        attach_mount(store, STORE[1:])
    else:
        mount(store, STORE[1:], flags=MS_BIND | MS_REC)
    call("pivot_root", b".", b".old")
    os.chdir("/")
    unmount("/.old")
    os.rmdir("/.old")


def adopt(folders: Folders, tmp_bytes: int) -> None:
    scratch = f"mode=1777,size={tmp_bytes}"
    mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, scratch)
    mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, scratch)
    for name in ("workspace", "session", "data", "work"):
        if source := getattr(folders, name):
            mount(f"{STORE}/{source}", f"/{name}", flags=MS_BIND)
    if folders.data is None:
        os.makedirs("/data/outputs")
    mount(f"{STORE}/{folders.outputs}", "/data/outputs", flags=MS_BIND)
    if folders.work is None:
        os.rmdir("/work")
    unmount(STORE)
    os.rmdir(STORE)
    mount("none", "/dev", flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC)
    mount("none", "/", flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def _copy_or_bind(source: str, target: str) -> None:
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
    elif os.path.isdir(source):
        os.mkdir(target)
        mount(source, target, flags=MS_BIND | MS_REC)


def _hide_in_proc() -> None:
    with os.scandir("proc") as entries:
        hidden = [entry for entry in entries if not entry.name.isdigit() and entry.name not in _SHOWN_IN_PROC]
    for entry in hidden:
        if entry.is_dir(follow_symlinks=False):
            mount("tmpfs", entry.path, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=0")
        elif not entry.is_symlink():
            mount("/dev/null", entry.path, flags=MS_BIND)
    mount("proc/sys", "proc/sys", flags=MS_BIND | MS_REC)
    mount("none", "proc/sys", flags=MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)


def _make_dev() -> None:
    mount("tmpfs", "dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k")
    for name in _DEVICES:
        os.close(os.open(f"dev/{name}", os.O_CREAT | os.O_WRONLY, 0o666))
        mount(f"/dev/{name}", f"dev/{name}", flags=MS_BIND)
    os.mkdir("dev/shm")
    os.mkdir("dev/pts")
    mount("devpts", "dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, f"newinstance,ptmxmode=0666,mode=0620,max={kernel_limits.PTYS}")
    for name, target in (("ptmx", "pts/ptmx"), ("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"),
                         ("stdout", "/proc/self/fd/1"), ("stderr", "/proc/self/fd/2")):  # fmt: skip
        os.symlink(target, f"dev/{name}")
