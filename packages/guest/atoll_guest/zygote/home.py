"""A sandbox's own folder: made while it is parked, because making folders is the slowest part of a sandbox's birth."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import socket
from typing import Any

from ..supervisor.errors import GuestError

_FOLDERS = ("workspace", "session", "session/artifacts", "outputs")


class Home:
    """Below `parked` until it gets its name. The guest's socket is bound in it from the start and moves along."""

    def __init__(self, store: str, parked: str) -> None:
        self._store = store
        self._folder = self._parked = f"{store}/{parked}"
        make(self._parked)
        self.listener = _listen(self._parked)

    def settle(self, name: str, info: dict[str, Any], has_work: bool) -> None:
        """Takes its place as `name` in one step, or joins the folder that a sandbox of that name left."""
        with open(f"{self._parked}/info.json", "w") as file:
            json.dump(info, file)
        if has_work:
            make_work(self._parked)
        self._folder = target = f"{self._store}/{name}"
        try:
            os.rename(self._parked, target)
        except OSError:
            if not os.path.isdir(target):
                raise
            self._join(target)

    def note_process(self) -> None:
        """By which the host finds this process where it has no namespace of its own: its number, and when it started."""
        started = ""
        with contextlib.suppress(OSError), open("/proc/self/stat") as file:
            started = file.read().rpartition(")")[2].split()[19]
        with open(f"{self._folder}/guest.pid", "w") as file:
            file.write(f"{os.getpid()} {started}")

    def _join(self, target: str) -> None:
        """Two may want the same folder at once: the lock lets the second see that the first lives."""
        folder = os.open(target, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            if _is_answered(target):
                raise GuestError("already_exists", "a sandbox of this id is running: attach to it, or destroy it first")
            for entry in ("info.json", "guest.sock"):
                os.rename(f"{self._parked}/{entry}", f"{target}/{entry}")
            make(target)
        finally:
            os.close(folder)
            self.discard()

    def discard(self) -> None:
        shutil.rmtree(self._parked, ignore_errors=True)


def make(folder: str) -> None:
    """What is there already stays."""
    for name in ("", *_FOLDERS):
        with contextlib.suppress(FileExistsError):
            os.mkdir(f"{folder}/{name}", 0o755 if name else 0o700)


def make_work(folder: str) -> None:
    os.makedirs(f"{folder}/work/artifacts", exist_ok=True)


def clear(store: str, parked: str) -> None:
    """Makes the place for parked folders, without those of a zygote that died."""
    shutil.rmtree(f"{store}/{parked}", ignore_errors=True)
    with contextlib.suppress(FileExistsError):
        os.mkdir(f"{store}/{parked}", 0o700)


def _is_answered(folder: str) -> bool:
    """One that has no room for another connection, or takes too long over it, lives too."""
    os.chdir(folder)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK) as probe:
            probe.connect("guest.sock")
            return True
    except (FileNotFoundError, ConnectionRefusedError, PermissionError):
        return False  # A guest's own socket lets its user in.
    except OSError:
        return True
    finally:
        os.chdir("/")


def _listen(folder: str) -> socket.socket:
    """By a relative name, because the kernel takes only 107 bytes of a socket's path."""
    os.chdir(folder)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind("guest.sock")
    os.chmod("guest.sock", 0o600)
    listener.listen(1024)
    os.chdir("/")
    return listener
