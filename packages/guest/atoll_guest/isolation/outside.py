"""The zygote's end of `zygote/root_process.py`, the process of root outside of the jail."""

from __future__ import annotations

import os
import socket

_TIMEOUT_S = 30.0


class Outside:
    def __init__(self, channel: int) -> None:
        self._channel = socket.socket(fileno=channel)
        self._channel.settimeout(_TIMEOUT_S)

    def filenos(self) -> list[int]:
        """What no sandbox may hold."""
        return [self._channel.fileno()]

    def ask(self, request: str) -> tuple[str, list[int]]:
        """The answer, and what descriptors came with it."""
        number = os.urandom(8).hex()
        self._channel.send(f"{number} {request}".encode())
        while True:
            message, descriptors, _, _ = socket.recv_fds(self._channel, 512, 1, socket.MSG_CMSG_CLOEXEC)
            if not message:
                raise ConnectionError("the process of root outside of the jail has ended")
            answered, _, answer = message.decode().partition(" ")
            if answered == number:
                return answer, descriptors
            for descriptor in descriptors:  # A zygote that died did not take its answer.
                os.close(descriptor)
