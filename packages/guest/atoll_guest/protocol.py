"""Framed messages between a client and a guest, and between the guest's own processes.

A frame is two big-endian uint32 lengths, then a JSON header of the first length, then raw bytes of the second.
Raw bytes carry what is not structure: source code, file content, output. Both ends treat the other as untrusted.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from typing import Any

LENGTHS = struct.Struct(">II")
MAX_HEADER_BYTES = 8 * 1024 * 1024
MAX_BODY_BYTES = 128 * 1024 * 1024


class ProtocolError(Exception):
    """The other side sent something that is not a frame."""


def encode(header: dict[str, Any], body: bytes = b"") -> bytes:
    # surrogateescape'd file names come out as lone \udcXX escapes, which JSON can carry.
    head = json.dumps(header, separators=(",", ":")).encode()
    return LENGTHS.pack(len(head), len(body)) + head + body


class FrameReader:
    """Turns a stream of chunks into frames; feed it whatever has arrived."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, chunk: bytes) -> None:
        self._buffer += chunk

    def next(self) -> tuple[dict[str, Any], bytes] | None:
        if len(self._buffer) < LENGTHS.size:
            return None
        head_size, body_size = LENGTHS.unpack_from(self._buffer)
        if head_size > MAX_HEADER_BYTES or body_size > MAX_BODY_BYTES:
            raise ProtocolError(f"frame too large: {head_size} + {body_size} bytes")
        end = LENGTHS.size + head_size + body_size
        if len(self._buffer) < end:
            return None
        split = LENGTHS.size + head_size
        with memoryview(self._buffer) as view:
            head, body = bytes(view[LENGTHS.size : split]), bytes(view[split:end])
        del self._buffer[:end]
        try:
            header = json.loads(head)
        except ValueError as error:
            raise ProtocolError(f"header is not JSON: {error}") from None
        if not isinstance(header, dict):
            raise ProtocolError("header is not an object")
        return header, body


class BlockingChannel:
    """A frame channel for code that has nothing else to wait for: the kernel's side of its supervisor's socket."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._reader = FrameReader()
        self._sending = threading.Lock()

    def receive(self) -> tuple[dict[str, Any], bytes] | None:
        while (frame := self._reader.next()) is None:
            chunk = self._sock.recv(1 << 18)
            if not chunk:
                return None
            self._reader.feed(chunk)
        return frame

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        with self._sending:
            self._sock.sendall(encode(header, body))
