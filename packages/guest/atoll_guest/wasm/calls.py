"""One request of the host, and the answers to those that are not for the kernel: files and trees."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ..protocol import FrameTooLarge, encode
from ..supervisor import paths
from ..supervisor.errors import GuestError, from_os_error
from ..supervisor.files.file_calls import FileCalls
from ..supervisor.files.tree_calls import TreeCalls
from .devices import Devices


class Cancelled(BaseException):
    """The caller has given up. Not an Exception: what is being done must not take it for a failure of its own."""


class Call:
    """As the supervisor's: arguments, and the way to answer."""

    def __init__(self, devices: Devices, header: dict[str, Any], body: bytes) -> None:
        self.devices = devices
        self.id = header.get("id")
        self.method = str(header.get("method"))
        params = header.get("params")
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        self.body = body
        self.connection = self
        self.closers: list[Callable[[], None]] = []

    def reply(self, result: object, body: bytes = b"") -> None:
        self.devices.reply(encode({"id": self.id, "done": result}, body))

    def fail(self, error: GuestError) -> None:
        self.devices.reply(encode({"id": self.id, "error": {"code": error.code, "message": str(error)}}))


class Calls:
    """Stands where the supervisor stands for the calls that it shares with every other guest."""

    def __init__(self) -> None:
        self.disk = self
        self.settings = self
        self.paths: dict[str, str] = {}
        self._methods: dict[str, Callable[[Any], Awaitable[tuple[Any, bytes] | None]]] = {
            **FileCalls(self).methods(),  # type: ignore[arg-type]
            **TreeCalls(self).methods(),  # type: ignore[arg-type]
            "become": self._become,
            "facts": self._facts,
        }
        self._client = _Client()

    def answer(self, call: Call) -> None:
        call.connection = self._client  # type: ignore[assignment]
        try:
            method = self._methods.get(call.method)
            if method is None:
                raise GuestError("not_supported", f"this guest has no method {call.method!r}")
            answer = _finish(method(call))
            if answer is not None:
                call.reply(*answer)
        except GuestError as error:
            call.fail(error)
        except OSError as error:
            call.fail(from_os_error(error))
        except FrameTooLarge as error:
            call.fail(GuestError("too_large", str(error)))
        except (KeyError, TypeError, ValueError) as error:
            call.fail(GuestError("invalid_argument", f"{call.method}: {type(error).__name__}: {error}"))
        except Exception as error:
            call.fail(GuestError("internal", f"{type(error).__name__}: {error}"))

    def check_room(self, size: int) -> None:
        """The file system itself refuses what does not fit."""

    def resolve(self, path: object) -> str:
        return paths.resolve(self.paths["workspace"], path)

    def snapshot_path(self, context: str) -> str:
        return paths.snapshot_path(self.paths["session"], context)

    async def _become(self, call: Call) -> tuple[Any, bytes]:
        self.paths = call.params["paths"]
        return None, b""

    async def _facts(self, call: Call) -> tuple[Any, bytes]:
        return call.devices.facts(), b""


class _Client:
    """There is one for as long as the interpreter lives."""

    def __init__(self) -> None:
        self.closers: list[Callable[[], None]] = []


def _finish(coroutine: Any) -> Any:
    """None of these calls waits for anything here."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise GuestError("not_supported", "this guest cannot wait")
