"""Kernel contexts: each has a kernel of its own and runs one thing at a time, in the order asked."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ...protocol import ProtocolError
from ..errors import GuestError
from .kernel_frames import check_frame
from .kernel_process import KernelProcess
from ..output import Head

_INTERRUPT_GRACE_S = 1.0
_STRAY_BYTES = 64 * 1024
_MAX_RESULT_BYTES = 32 * 1024 * 1024
# What a value costs whoever keeps it, beside its bytes.
_RESULT_COST_BYTES = 1024
# Of a kernel that waits for each there is one.
_MAX_UNREAD_REPLIES = 100


@dataclass
class Run:
    """What a context does now. `emit` passes an event to whoever asked."""

    emit: Callable[[str, bytes], None]
    limit: int
    done: asyncio.Future[dict[str, Any]]
    heads: dict[str, Head] = field(default_factory=dict)
    is_started: bool = False
    latest_value: str | None = None
    result_bytes: int = 0
    are_results_cut: bool = False

    def __post_init__(self) -> None:
        for name in ("stdout", "stderr"):
            self.heads[name] = Head(self.limit, lambda chunk, name=name: self.emit(name, chunk))

    def pass_on(self, page: bytes) -> None:
        self.result_bytes += len(page) + _RESULT_COST_BYTES
        if self.result_bytes <= _MAX_RESULT_BYTES:
            self.emit("page", page)

    def show(self, body: bytes) -> None:
        self.result_bytes += len(body) + _RESULT_COST_BYTES
        if self.result_bytes > _MAX_RESULT_BYTES:
            self.are_results_cut = True
        else:
            self.emit("result", body)


@dataclass(frozen=True)
class Outcome:
    """`reply` is the kernel's own answer; None when it ended without one, with `exit_code`."""

    reply: dict[str, Any] | None
    exit_code: int | None
    stopped_by: str | None
    # How the kernel broke the protocol, for which it was ended.
    violation: str | None = None
    # The kernel had ended, unasked, since the last request: this one met a new kernel.
    met_new_kernel: bool = False


class Context:
    def __init__(self, name: str, kernel: KernelProcess, setup: Callable[[], dict[str, Any]]) -> None:
        self.name = name
        self.lock = asyncio.Lock()
        # Runs of code that it is at, or that wait for it.
        self.runs = 0
        self.execution_count = 0
        self._setup = setup
        self._run: Run | None = None
        self._operation: str | None = None
        self._unread_replies = 0
        self._stray: dict[str, bytes] = {}
        self._is_removed = False
        self._is_unasked_new = False
        self._ended = asyncio.Event()
        self._adopt(kernel)

    @property
    def is_busy(self) -> bool:
        return self.lock.locked()

    @property
    def pid(self) -> int:
        return self._kernel.pid

    async def ask(self, header: dict[str, Any], body: bytes, run: Run, stop: asyncio.Future[str]) -> Outcome:
        """Sends one request and sees it through. Whoever sets `stop` says why; the kernel then has a grace to obey."""
        self._run = run
        for name, chunk in self._stray.items():
            run.heads[name].feed(chunk)
        self._stray.clear()
        try:
            outcome = await self._ask_once(header, body, run, stop)
            if header["op"] == "run" and outcome.reply is None and not run.is_started and not outcome.stopped_by:
                # It was dead before it could begin, so nothing has been done yet.
                self._is_unasked_new = True
                run.done = asyncio.get_running_loop().create_future()
                outcome = await self._ask_once(header, body, run, stop)
            return replace(outcome, met_new_kernel=self._is_unasked_new)
        finally:
            self._run = None
            self._is_unasked_new = False

    async def _ask_once(self, header: dict[str, Any], body: bytes, run: Run, stop: asyncio.Future[str]) -> Outcome:
        if not self._kernel.is_alive:
            self._adopt(KernelProcess.fork())
        kernel = self._kernel
        self._is_used = True
        self._operation = header["op"]
        kernel.send(header, body)
        await asyncio.wait({run.done, stop}, return_when=asyncio.FIRST_COMPLETED)
        stopped_by = None if run.done.done() else stop.result()
        if stopped_by:
            kernel.interrupt()
            if not (await asyncio.wait({run.done}, timeout=_INTERRUPT_GRACE_S))[0]:
                kernel.kill()
                await asyncio.wait({run.done})
        reply = run.done.result()
        if "died" in reply:
            return Outcome(None, reply["died"], stopped_by, reply["violation"])
        return Outcome(reply, None, stopped_by)

    @property
    def is_unused(self) -> bool:
        """Nothing has been asked of this kernel yet."""
        return self._kernel.is_alive and not self._is_used

    @property
    def has_lost_variables(self) -> bool:
        """The kernel ended, unasked, since the last request."""
        return self._is_unasked_new or not self._kernel.is_alive

    def interrupt(self) -> None:
        if self._run is not None:
            self._kernel.interrupt()

    def set_up(self) -> None:
        """Once more, because the sandbox's settings are others now."""
        self.execution_count = 0
        self._is_used = False
        self.tell(self._setup())

    def tell(self, header: dict[str, Any]) -> None:
        if self._kernel.is_alive:
            self._kernel.send(header)

    async def restart(self) -> None:
        if self._kernel.is_alive:
            self._ended.clear()
            self._kernel.kill()
            await self._ended.wait()
            self._is_unasked_new = False

    async def remove(self) -> None:
        self._is_removed = True
        await self.restart()

    def _adopt(self, kernel: KernelProcess) -> None:
        self._kernel = kernel
        self._is_used = False
        self._operation = None
        self._unread_replies = 0
        self.execution_count = 0
        kernel.connect(self._on_frame, self._on_output, self._on_exit)
        kernel.send(self._setup())

    def _on_frame(self, header: dict[str, Any], body: bytes) -> None:
        kind, run = check_frame(header, self._operation), self._run
        if run is None or run.done.done():
            return
        if kind == "started":
            run.is_started = True
        elif kind == "value":
            run.latest_value = header["name"]
        elif kind == "page":
            run.pass_on(body)
        elif kind == "result":
            run.show(body)
            if header.get("waits"):
                self._let_go_on()
        else:
            run.done.set_result(header)

    def _let_go_on(self) -> None:
        """A kernel that shows a value waits for this. One that does not read it would fill our memory."""
        self._unread_replies = self._unread_replies + 1 if self._kernel.has_unsent else 0
        if self._unread_replies > _MAX_UNREAD_REPLIES:
            raise ProtocolError("values are shown without waiting")
        self._kernel.send({"op": "shown"})

    def _on_output(self, name: str, chunk: bytes) -> None:
        if self._run is not None:
            self._run.heads[name].feed(chunk)
        else:
            # From a thread or program that outlives its run: shown with the next one.
            self._stray[name] = (self._stray.get(name, b"") + chunk)[-_STRAY_BYTES:]

    def _on_exit(self, code: int) -> None:
        """The next kernel starts at once if this one was in use; one that cannot even start waits to be asked."""
        was_in_use = self.execution_count > 0 or self._run is not None
        if self._run is None:
            self._is_unasked_new = True
        elif not self._run.done.done():
            self._run.done.set_result({"died": code, "violation": self._kernel.violation})
        self._stray.clear()
        if was_in_use and not self._is_removed:
            with contextlib.suppress(OSError):  # Nothing left to start one with: whoever asks next tries again.
                self._adopt(KernelProcess.fork())
        self._ended.set()


class Contexts:
    def __init__(self, first: KernelProcess, setup: Callable[[], dict[str, Any]]) -> None:
        self._setup = setup
        self._all = {"default": Context("default", first, setup)}

    def get(self, name: object) -> Context:
        if (context := self._all.get(str(name))) is None:
            raise GuestError("not_found", f"no kernel context {name!r}; there are: {', '.join(self._all)}")
        return context

    def create(self, name: str | None) -> Context:
        name = name or f"context-{uuid.uuid4().hex[:8]}"
        if name in self._all:
            raise GuestError("already_exists", f"there is a kernel context {name!r} already")
        self._all[name] = Context(name, KernelProcess.fork(), self._setup)
        return self._all[name]

    async def remove(self, name: str) -> None:
        if name == "default":
            raise GuestError("invalid_argument", "the context 'default' is always there; restart it instead")
        await self._all.pop(self.get(name).name).remove()

    def all(self) -> list[Context]:
        return list(self._all.values())


def describe_exit(outcome: Outcome) -> str:
    if outcome.violation is not None:
        return f"broke the protocol ({outcome.violation}) and was ended"
    code = outcome.exit_code or 0
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
