"""The one process that stays root: outside of the jail, for what only root can give sandboxes.

It gives mounts of the store on which the jail's user is shown as a sandbox's own, and limits of the file system for
sandboxes' folders. It reads short lines from the zygote, which may be hostile: one that it cannot read ends it.
Imports nothing of the package, as the launcher.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import NoReturn

import users
from projects import Projects

_LONGEST_REQUEST = 256
_LONGEST_REASON = 200


@dataclass(frozen=True)
class Offer:
    """What this machine can give: each is None where it cannot."""

    store: str
    owner: int
    # First, and how many.
    users: tuple[int, int] | None
    projects: tuple[int, int] | None
    parked: str


def serve(channel: socket.socket, offer: Offer) -> NoReturn:
    """Until the jail has ended. A request is `<number> user <id>` or `<number> limit <kind> <folder> <bytes>`."""
    status = 1
    try:
        sandboxes = f"{offer.store}/sandboxes"
        projects = Projects(sandboxes, offer.parked, offer.owner, *offer.projects) if offer.projects else None
        _answer_all(channel, offer, projects)
        if projects:
            projects.sweep(every_s=0)
        status = 0
    finally:
        os._exit(status)


def _answer_all(channel: socket.socket, offer: Offer, projects: Projects | None) -> None:
    channel.settimeout(5 if projects else None)
    while True:
        if projects:
            projects.sweep()
        try:
            request = channel.recv(_LONGEST_REQUEST)
        except TimeoutError:
            continue
        if not request:
            return
        number, kind, *words = request.decode("ascii").split(" ")
        if kind == "user" and offer.users:
            first, count = offer.users
            user = int(words[0])
            if not first <= user < first + count:
                return
            mount = users.mount_as(offer.store, offer.owner, user)
            socket.send_fds(channel, [number.encode()], [mount])
            os.close(mount)
        elif kind == "limit" and projects:
            channel.send(f"{number} {_limit(projects, *words)}".encode())
        else:
            return


def _limit(projects: Projects, kind: str, name: str, size: str) -> str:
    """What the file system refuses, of this one folder, is the answer: empty if nothing."""
    try:
        projects.limit(kind, name, int(size))
    except OSError as error:
        return str(error)[:_LONGEST_REASON]
    return ""
