"""Holds the imported libraries and makes sandboxes by forking itself.

A few sandboxes are made ahead of time and parked. To create one is to hand the client's connection, with what it asked
for, to a parked one; all further talk is between those two.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from typing import Any, NoReturn

from ..isolation import cgroup, hugepages, seccomp, syscalls
from ..isolation.outside import Outside
from ..isolation.users import User, Users
from ..kernel import libraries
from ..protocol import FrameReader, ProtocolError, encode
from . import disk_limit, parked
from .boundary import Boundary, Isolation, NoIsolation
from .warden import ZygoteConfig

_LOOK_EVERY_S = 5.0
_BALANCE_EVERY_S = 0.25
_REFILL_AFTER_S = 0.03
_MAX_LOST_SPARES = 3
_SHORT_OF_DESCRIPTORS_S = 0.01


def run_zygote(config: ZygoteConfig, listener: socket.socket) -> NoReturn:
    syscalls.set_name("atoll-zygote")
    try:
        libraries.preload()
    except Exception as error:
        print(f"zygote: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    seccomp.prepare()
    gc.collect()
    gc.freeze()
    hugepages.collapse_heap()
    try:
        Zygote(config, listener).serve()
    except BaseException:
        # Not as one that cannot start: the next one may well serve.
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(2)
    os._exit(0)


class Zygote:
    def __init__(self, config: ZygoteConfig, listener: socket.socket) -> None:
        self._config = config
        self._listener = listener
        self._spares: list[parked.Spare] = []
        self._children: dict[int, str] = {}
        # Of sandboxes that are somebody's.
        self._groups: dict[int, cgroup.Group] = {}
        self._balanced_at = 0.0
        self._old_groups: set[str] = set()
        self._pending: dict[socket.socket, FrameReader] = {}
        self._holders: set[socket.socket] = set()
        outside = Outside(config.outside["channel"]) if config.outside else None
        self._outside = outside
        users = config.outside.get("users")
        self._users = Users(outside, *users, run_folder=config.run_folder) if outside and users else None
        limits_disk = config.outside.get("limits_disk")
        self._disk = disk_limit.DiskLimit(outside, config.store, config.parked) if outside and limits_disk else None
        self._serial = 0
        # Parked sandboxes that ended unasked since the last request: when none can live, none are made any more.
        self._lost_spares = 0
        self._last_use = time.monotonic()
        self._selector = selectors.DefaultSelector()
        self._wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        """Until no sandbox is left, nobody holds on and the idle time has passed."""
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        while not self._is_idle():
            wanting = len(self._spares) < self._config.spares and self._lost_spares < _MAX_LOST_SPARES
            events = self._selector.select(self._select_timeout(wanting))
            for key, _ in events:
                self._handle(key.fileobj)
            self._balance()
            if wanting and not events:
                self._park()
        for spare in self._spares:
            spare.control.close()

    def _select_timeout(self, wanting: bool) -> float:
        """How long to wait for a request. While one is parked, the next is made when the latest client had its start."""
        if wanting:
            return _REFILL_AFTER_S if self._spares else 0
        every = _BALANCE_EVERY_S if self._groups else _LOOK_EVERY_S
        return min(self._config.idle_exit_s, every)

    def _balance(self) -> None:
        if (now := time.monotonic()) - self._balanced_at >= _BALANCE_EVERY_S:
            self._balanced_at = now
            for group in self._groups.values():
                group.balance()

    def _is_idle(self) -> bool:
        if len(self._children) > len(self._spares) or self._pending:
            self._last_use = time.monotonic()
            return False
        if not os.path.exists(f"{self._config.run_folder}/zygote.sock"):
            return True  # The data folder is gone: nobody can ask any more.
        if self._holders:
            self._last_use = time.monotonic()
        return time.monotonic() - self._last_use >= self._config.idle_exit_s

    def _handle(self, source: object) -> None:
        if source is self._listener:
            self._accept()
        elif source == self._wake_read:
            os.read(self._wake_read, 4096)
            self._reap()
        elif isinstance(source, socket.socket):
            self._read(source)

    def _park(self) -> None:
        """What cannot be made ahead of time is not missed: it is made when it is asked for."""
        try:
            self._spares.append(self._make_spare())
        except OSError as error:
            self._lost_spares += 1
            print(f"zygote: no sandbox could be parked: {error}", file=sys.stderr, flush=True)

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except BlockingIOError:
            return
        except OSError:
            # No descriptor is free: those who wait in the queue are served when others have been.
            return time.sleep(_SHORT_OF_DESCRIPTORS_S)
        connection.setblocking(False)
        self._pending[connection] = FrameReader()
        self._selector.register(connection, selectors.EVENT_READ)

    def _read(self, connection: socket.socket) -> None:
        reader = self._pending.get(connection)
        try:
            chunk = connection.recv(1 << 16)
            if not chunk or reader is None:
                return self._drop(connection) if not chunk else None
            reader.feed(chunk)
            frame = reader.next()
        except (OSError, ProtocolError):
            return self._drop(connection)
        if frame is None:
            return None
        header, _ = frame
        self._last_use = time.monotonic()
        if header.get("method") == "hold":
            self._holders.add(self._forget(connection))
            self._selector.register(connection, selectors.EVENT_READ)
            with contextlib.suppress(OSError):
                connection.sendall(encode({"id": header.get("id"), "done": self._abilities()}))
        else:
            self._hand_over(self._forget(connection), header)
        return None

    def _abilities(self) -> dict[str, object]:
        return {
            "memoryLimit": "cgroup" if "memory" in self._config.cgroups else "process",
            "diskLimit": "enforced" if self._disk else "watched",
            "ownUser": self._users is not None,
        }

    def _hand_over(self, connection: socket.socket, request: dict[str, Any]) -> None:
        """The parked sandbox answers; should it have died, the next one is asked."""
        message = json.dumps(request, ensure_ascii=False).encode(errors="surrogatepass")
        if len(message) > parked.MAX_REQUEST_BYTES:
            # None could take it, however many were asked.
            reason = f"the request is larger than {parked.MAX_REQUEST_BYTES} bytes"
            return _refuse(connection, request, "invalid_argument", reason)
        if self._disk and not disk_limit.is_complete(request):
            return _refuse(connection, request, "invalid_argument", "the request names no folder or no disk limit")
        self._lost_spares = 0
        reason = ""
        for _ in range(len(self._spares) + _MAX_LOST_SPARES):
            try:
                spare = self._spares.pop(0) if self._spares else self._make_spare(wanted_by=connection)
            except OSError as error:
                reason = str(error)
                break
            try:
                if refusal := self._limit_disk(spare, request):
                    return _refuse(connection, request, "unavailable", refusal)
                spare.boundary.group.give_way(False)
                connection.setblocking(True)
                socket.send_fds(spare.control, [message], [connection.fileno()])
                self._groups[spare.pid] = spare.boundary.group
                return connection.close()
            except OSError as error:
                reason = str(error)
            finally:
                spare.control.close()
        return _refuse(connection, request, "internal", f"no sandbox could be made: {reason}")

    def _make_spare(self, wanted_by: socket.socket | None = None) -> parked.Spare:
        self._serial += 1
        owned = [self._listener, *self._pending, *self._holders, *(spare.control for spare in self._spares)]
        if wanted_by is not None:
            # It is handed over like any other: with a second copy the sandbox could not end it.
            owned.append(wanted_by)
        foreign = [sock.fileno() for sock in owned]
        user = self._take_user()
        for channel in (self._outside, self._users):
            foreign += channel.filenos() if channel else []
        name = f"{os.getpid()}-{self._serial}-"
        try:
            if self._disk:
                self._disk.prepare(name)
            spare = parked.fork(self._boundary(name, user), foreign, wanted_by is not None)
        finally:
            if user:
                user.forget()
        self._children[spare.pid] = name
        return spare

    def _limit_disk(self, spare: parked.Spare, request: dict[str, Any]) -> str | None:
        """Why there is none, where the client was told that the file system keeps it: such a sandbox gets no other."""
        try:
            if self._disk:
                return self._disk.apply(self._children[spare.pid], request["params"])
        except TimeoutError:
            return "the files of this sandbox take long to count; try again"
        except ConnectionError as error:
            print(f"zygote: no quotas of the file system any more: {error}", file=sys.stderr, flush=True)
            self._disk = None
            for holder in list(self._holders):  # They ask again what sandboxes can have.
                self._drop(holder)
        is_promised = disk_limit.is_promised(request)
        return "the file system keeps no disk limits any more; try again, for one that is watched" if is_promised else None

    def _take_user(self) -> User | None:
        try:
            return self._users.take() if self._users else None
        except OSError as error:
            # Sandboxes that are the jail's user, as where there is no root, before none at all; `hold` says so from now on.
            print(f"zygote: no user for each sandbox any more: {error}", file=sys.stderr, flush=True)
            self._users = None
            return None

    def _boundary(self, name: str, user: User | None) -> Boundary:
        config, parked_folder = self._config, f"{self._config.parked}/{name}"
        if config.new_root is None:
            return NoIsolation(config.store, parked_folder)
        return Isolation(cgroup.Group(config.cgroups, name), config.store, config.new_root, parked_folder, user)

    def _reap(self) -> None:
        try:
            while (pid := os.waitpid(-1, os.WNOHANG)[0]) != 0:
                self._old_groups.add(self._children.pop(pid))
                if group := self._groups.pop(pid, None):
                    group.pulse.close()
                kept = [spare for spare in self._spares if spare.pid != pid]
                self._lost_spares += len(self._spares) - len(kept)
                self._spares = kept
        except ChildProcessError:
            pass
        self._old_groups = {name for name in self._old_groups if not cgroup.remove(self._config.cgroups, name)}

    def _forget(self, connection: socket.socket) -> socket.socket:
        self._selector.unregister(connection)
        self._pending.pop(connection, None)
        return connection

    def _drop(self, connection: socket.socket) -> None:
        self._forget(connection).close()
        self._holders.discard(connection)


def _refuse(connection: socket.socket, request: dict[str, object], code: str, message: str) -> None:
    with contextlib.suppress(OSError):
        connection.sendall(encode({"id": request.get("id"), "error": {"code": code, "message": message}}))
    connection.close()
