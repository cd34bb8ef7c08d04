"""The kernel's way to the host. It stands where a supervisor stands elsewhere: what is not for the kernel is answered here.

While a cell runs, the interpreter looks every few instructions whether something has arrived (as it looks for signals),
and then answers it in between. So files can be read and written during a run, and a run can be interrupted.
"""

from __future__ import annotations

import _thread
import signal
from collections import deque
from collections.abc import Callable
from typing import Any

from ..protocol import FrameReader, encode
from .calls import Call, Cancelled
from .devices import Devices

_ARRIVED = signal.SIGUSR1
_UNANSWERED = ("configure", "env")

Answer = Callable[[Call], None]
Begin = Callable[[dict[str, Any]], None]


class BlockingChannel:
    """`answer` replies to every call but those to the kernel; `begin` is told whose the interpreter is."""

    def __init__(self, devices: Devices, answer: Answer, begin: Begin) -> None:
        self._devices = devices
        self._answer = answer
        self._begin = begin
        self._reader = FrameReader()
        self._calls: deque[Call] = deque()
        self._requests: deque[Call] = deque()
        self._current: Call | None = None
        self._answering: Call | None = None
        self._has_shown = False
        self._is_taking = False
        self._is_draining = False
        signal.signal(_ARRIVED, lambda number, frame: self.serve())

    def receive(self) -> tuple[dict[str, Any], bytes]:
        """The next request to the kernel."""
        if self._has_shown:
            self._has_shown = False
            return {"op": "shown"}, b""
        while True:
            self._take(lambda: b"")
            self._drain()
            if self._requests:
                break
            self._take(self._wait)
        call = self._requests.popleft()
        if call.params["op"] == "configure":
            self._begin(call.params)
        if call.params["op"] in _UNANSWERED:
            self._reply(call, None)
        else:
            self._current = call
        return call.params, call.body

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        call, operation = self._current, header["op"]
        if call is None:
            return
        if operation == "done":
            self._current = None
            self._reply(call, {name: value for name, value in header.items() if name != "op"})
            return
        self._has_shown = bool(header.get("waits"))
        self._devices.send(encode({"id": call.id, "event": operation, "data": header}, body))

    def serve(self) -> None:
        """Everything that has arrived. Called between two instructions of user code, and while it sleeps."""
        while self._take(self._devices.poll):
            pass
        self._drain()

    def _take(self, read: Callable[[], bytes]) -> bool:
        """Nothing is read by the way while something read is not yet taken: it would come in the wrong order."""
        if self._is_taking:
            return False
        self._is_taking = True
        try:
            chunk = read()
            self._reader.feed(chunk)
            while (frame := self._reader.next()) is not None:
                self._accept(*frame)
        finally:
            self._is_taking = False
        return bool(chunk)

    def _wait(self) -> bytes:
        """What was taken an instant before is not waited for: nothing might come after it."""
        return b"" if self._requests or self._calls else self._devices.wait()

    def _accept(self, header: dict[str, Any], body: bytes) -> None:
        if header.get("cancel"):
            self._cancel(header.get("id"))
        elif header.get("method") == "interrupt":
            is_heard = self._current is not None and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
            self._devices.send(encode({"id": header["id"], "done": is_heard}))
            if is_heard:
                _thread.interrupt_main()
        elif header.get("method") == "kernel":
            self._requests.append(Call(self._devices, header, body))
        else:
            self._calls.append(Call(self._devices, header, body))

    def _cancel(self, call_id: object) -> None:
        if self._answering is not None and self._answering.id == call_id:
            raise Cancelled
        self._calls = deque(call for call in self._calls if call.id != call_id)

    def _drain(self) -> None:
        """In the order in which they came: between any two instructions here, this may be called once more."""
        while self._calls and not self._is_draining:
            self._is_draining = True
            try:
                while self._calls:
                    self._answer_next()
            finally:
                self._is_draining = False

    def _answer_next(self) -> None:
        call = self._answering = self._calls.popleft()
        try:
            self._answer(call)
        except Cancelled:
            pass  # The caller has given up and waits for no answer.
        finally:
            self._answering = None

    def _reply(self, call: Call, result: object) -> None:
        self._devices.reply(encode({"id": call.id, "done": result}))
