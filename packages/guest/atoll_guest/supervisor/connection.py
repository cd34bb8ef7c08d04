"""One client: frames in, frames out, a task for each call."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from ..protocol import FrameReader, FrameTooLarge, ProtocolError, encode
from .errors import GuestError, from_os_error

_MAX_MESSAGE_CHARS = 20_000
_HIGH_WATER_BYTES = 4 * 1024 * 1024
# Work in a kernel or a command is stopped first and then answered: cut off in the middle, its reply would be taken for
# that of the next call.
_STOPPED_BY_THEMSELVES = (".run", ".snapshot", ".restore", ".table", ".csv", ".variables", ".forget")


class Call:
    """One request: its arguments, and the way to answer it."""

    def __init__(self, connection: Connection, header: dict[str, Any], body: bytes) -> None:
        self.id = header.get("id")
        self.method = str(header.get("method"))
        params = header.get("params")
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        self.body = body
        self.connection = connection
        self.aborted = asyncio.Event()

    def emit(self, event: str, data: dict[str, Any] | None = None, body: bytes = b"") -> None:
        header: dict[str, Any] = {"id": self.id, "event": event}
        if data is not None:
            header["data"] = data
        self.connection.send(header, body)

    def reply(self, result: Any = None, body: bytes = b"") -> None:
        self.connection.send({"id": self.id, "done": result}, body)

    def fail(self, error: GuestError) -> None:
        message = str(error)[:_MAX_MESSAGE_CHARS]
        self.connection.send({"id": self.id, "error": {"code": error.code, "message": message}})


Dispatch = Callable[[Call], Awaitable[tuple[Any, bytes] | None]]


class Connection(asyncio.Protocol):
    """`dispatch` returns what to reply, or None when the call has replied itself."""

    def __init__(self, dispatch: Dispatch, on_close: Callable[[Connection], None]) -> None:
        self._dispatch = dispatch
        self._on_close = on_close
        self._reader = FrameReader()
        self._transport: asyncio.Transport | None = None
        self._calls: dict[Any, tuple[Call, asyncio.Task[None]]] = {}
        self._drained = asyncio.Event()
        self._drained.set()
        self.closers: list[Callable[[], None]] = []
        self.fence = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(high=_HIGH_WATER_BYTES)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        try:
            while self._transport is not None and (frame := self._reader.next()) is not None:
                self._accept(*frame)
        except ProtocolError as error:
            self.send({"id": None, "error": {"code": "protocol_error", "message": str(error)}})
            self._transport and self._transport.close()

    def pause_writing(self) -> None:
        self._drained.clear()

    def resume_writing(self) -> None:
        self._drained.set()

    @property
    def is_closed(self) -> bool:
        return self._transport is None

    async def drained(self) -> None:
        """Until the client has taken most of what was sent: producers without a bound wait here."""
        await self._drained.wait()

    @property
    def is_congested(self) -> bool:
        return not self._drained.is_set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._drained.set()
        for close in self.closers:
            close()
        for call_id in list(self._calls):
            self._abort(call_id)
        self._on_close(self)

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(encode(header, body))

    def cut_off(self) -> None:
        """At once: a client that reads nothing would hold up an orderly end."""
        if self._transport is not None:
            self._transport.abort()

    def take_over(self) -> asyncio.Transport:
        """For a call that turns the connection into a plain byte stream."""
        if self._transport is None:
            raise GuestError("aborted", "the client is gone")
        return self._transport

    def _accept(self, header: dict[str, Any], body: bytes) -> None:
        if header.get("cancel") and type(header.get("id")) is int:
            self._abort(header["id"])
            return
        if type(header.get("id")) is not int or type(header.get("method")) is not str:
            raise ProtocolError("a call has a number and a method")
        call = Call(self, header, body)
        self._calls[call.id] = (call, asyncio.create_task(self._answer(call)))

    def _abort(self, call_id: Any) -> None:
        """Asked for by the client, or because nobody is left to hear the answer."""
        if found := self._calls.get(call_id):
            found[0].aborted.set()
            if not found[0].method.endswith(_STOPPED_BY_THEMSELVES):
                found[1].cancel()

    async def _answer(self, call: Call) -> None:
        try:
            answer = await self._dispatch(call)
            if answer is not None:
                call.reply(*answer)
        except GuestError as error:
            call.fail(error)
        except OSError as error:
            call.fail(from_os_error(error))
        except FrameTooLarge as error:
            call.fail(GuestError("too_large", str(error)))
        except asyncio.CancelledError:
            call.fail(GuestError("aborted", "the caller gave up"))
        except Exception as error:
            with contextlib.suppress(OSError):  # The log may be longer than a file of this sandbox may be.
                traceback.print_exc(file=sys.stderr)
            call.fail(GuestError("internal", f"{type(error).__name__}: {error}"))
        finally:
            self._calls.pop(call.id, None)


async def adopt_socket(sock: socket.socket, dispatch: Dispatch, on_close: Callable[[Connection], None]) -> Connection:
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    _, protocol = await loop.connect_accepted_socket(lambda: Connection(dispatch, on_close), sock)
    assert isinstance(protocol, Connection)
    return protocol
