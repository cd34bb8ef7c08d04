"""The ways out of the interpreter: files below /dev/atoll, whose other side is the program around it."""

from __future__ import annotations

import json
import os
import struct
from typing import Any

_FOLDER = "/dev/atoll"
_SECONDS = struct.Struct("<d")
_CHUNK_BYTES = 1 << 20


class Devices:
    """Opening them closes the way to JavaScript for good."""

    def __init__(self) -> None:
        self._input = os.open(f"{_FOLDER}/input", os.O_RDONLY)
        self._pending = os.open(f"{_FOLDER}/pending", os.O_RDONLY)
        self._output = os.open(f"{_FOLDER}/output", os.O_WRONLY)
        self._reply = os.open(f"{_FOLDER}/reply", os.O_WRONLY)
        self._sleep = os.open(f"{_FOLDER}/sleep", os.O_WRONLY)
        self._facts = os.open(f"{_FOLDER}/facts", os.O_RDONLY)
        self._alarm = os.open(f"{_FOLDER}/alarm", os.O_WRONLY)
        os.write(os.open(f"{_FOLDER}/close", os.O_WRONLY), b"\1")

    def wait(self) -> bytes:
        """At least a byte of what the host sends."""
        return os.read(self._input, _CHUNK_BYTES)

    def poll(self) -> bytes:
        """What has arrived by now; nothing if nothing has."""
        return os.read(self._pending, _CHUNK_BYTES)

    def send(self, frame: bytes) -> None:
        _write_all(self._output, frame)

    def reply(self, frame: bytes) -> None:
        """The same, after what has become of the files was told: who hears a reply can rely on them."""
        _write_all(self._reply, frame)

    def sleep(self, seconds: float) -> None:
        """Until the time is over or something arrives."""
        os.write(self._sleep, _SECONDS.pack(seconds))

    def facts(self) -> Any:
        """What the interpreter and its files take up."""
        return json.loads(os.read(self._facts, _CHUNK_BYTES))

    def ring(self, seconds: float) -> None:
        """SIGALRM after this time; 0 for never."""
        os.write(self._alarm, _SECONDS.pack(seconds))


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
