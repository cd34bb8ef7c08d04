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
# The same in `packages/sandbox/src/guest/wire/frames.ts`; a test compares them. Requests carry paths in batches and leave
# content to bodies. Replies are larger: a scan of a tree lists up to 100,000 entries.
MAX_REQUEST_HEADER_BYTES = 8 * 1024 * 1024
MAX_REPLY_HEADER_BYTES = 48 * 1024 * 1024
MAX_BODY_BYTES = 128 * 1024 * 1024
# Each costs many times the bytes that it takes in JSON.
_MAX_CONTAINERS = 300_000


class ProtocolError(Exception):
    """The other side sent something that is not a frame."""


class FrameTooLarge(Exception):
    """The answer is longer than the other side would take."""


def encode(header: dict[str, Any], body: bytes = b"") -> bytes:
    """ValueError for a number that JSON has no word for."""
    # surrogateescape'd file names come out as lone \udcXX escapes, which JSON can carry.
    head = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    if len(head) > MAX_REPLY_HEADER_BYTES:
        raise FrameTooLarge(f"the answer has more than {MAX_REPLY_HEADER_BYTES} bytes: ask for less at a time (maxEntries)")
    return LENGTHS.pack(len(head), len(body)) + head + body


def parse_header(head: bytes) -> dict[str, Any]:
    """An object without NaN and infinity. What is nested beyond all measure is refused before it takes up memory."""
    if head.count(b"[") + head.count(b"{") > _MAX_CONTAINERS:
        raise ProtocolError("header has too many parts")
    try:
        header = _DECODER.decode(head.decode())
    except RecursionError:
        raise ProtocolError("header is nested too deep") from None
    except ValueError as error:
        raise ProtocolError(f"header is not JSON: {str(error)[:200]}") from None
    if not isinstance(header, dict):
        raise ProtocolError("header is not an object")
    return header


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


class FrameReader:
    """Turns a stream of chunks into frames; feed it whatever has arrived."""

    def __init__(self, max_header_bytes: int = MAX_REQUEST_HEADER_BYTES, max_body_bytes: int = MAX_BODY_BYTES) -> None:
        self._buffer = bytearray()
        self._max_header_bytes = max_header_bytes
        self._max_body_bytes = max_body_bytes

    def feed(self, chunk: bytes) -> None:
        self._buffer += chunk

    def next(self) -> tuple[dict[str, Any], bytes] | None:
        if len(self._buffer) < LENGTHS.size:
            return None
        head_size, body_size = LENGTHS.unpack_from(self._buffer)
        if head_size > self._max_header_bytes or body_size > self._max_body_bytes:
            raise ProtocolError(f"frame too large: {head_size} + {body_size} bytes")
        end = LENGTHS.size + head_size + body_size
        if len(self._buffer) < end:
            return None
        split = LENGTHS.size + head_size
        with memoryview(self._buffer) as view:
            head, body = bytes(view[LENGTHS.size : split]), bytes(view[split:end])
        del self._buffer[:end]
        return parse_header(head), body


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
