"""`python.*`: from a call to a kernel's work and back to a result."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ..connection import Call
from .contexts import Context, Outcome, Run, describe_exit
from ..errors import GuestError, is_want_of_room
from ..notices import memory_notice, notice
from ..output import cut_notices

if TYPE_CHECKING:
    from ..main import Supervisor

_MiB = 1024 * 1024
# Each costs a kernel.
_MAX_FATAL_VALUES = 30
# What cannot be read in this time before a run counts as changed by it once its times have moved.
_REFRESH_S = 5.0


class PythonCalls:
    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor

    def methods(self) -> dict[str, Callable[[Call], Awaitable[tuple[Any, bytes]]]]:
        return {
            "python.run": self._run,
            "python.snapshot": self._snapshot,
            "python.restore": self._restore,
            "python.contexts": self._list,
            "python.create": self._create,
            "python.remove": self._remove,
            "python.restart": self._restart,
            "python.interrupt": self._interrupt,
            "python.table": lambda call: self._look("table", call),
            "python.csv": lambda call: self._look("csv", call),
            "python.variables": lambda call: self._look("variables", call),
            "python.forget": lambda call: self._look("forget", call),
        }

    async def _run(self, call: Call) -> tuple[Any, bytes]:
        params = call.params
        context = self._supervisor.contexts.get(params.get("context", "default"))
        timeout_s = params["timeoutMs"] / 1000
        context.runs += 1
        try:
            return await self._run_in(context, call, timeout_s)
        finally:
            context.runs -= 1

    async def _run_in(self, context: Context, call: Call, timeout_s: float) -> tuple[Any, bytes]:
        params = call.params
        if not await _acquire(context, call):
            raise GuestError("aborted", "the caller gave up before the run began")
        try:
            artifacts = self._supervisor.artifacts
            if await _unless_aborted(call, artifacts.refresh(min(timeout_s, _REFRESH_S))) is None:
                raise GuestError("aborted", "the caller gave up before the run began")
            oom_before = self._supervisor.memory.kills()
            run = _new_run(call, params["maxOutputBytes"])
            started = time.monotonic()
            with self._supervisor.work(call, timeout_s) as stop:
                outcome = await context.ask({"op": params.get("as", "run")}, call.body, run, stop)
            duration_ms = (time.monotonic() - started) * 1000
            context.execution_count = (outcome.reply or {}).get("count", 0)
            ooms = self._supervisor.memory.kills() - oom_before
            result = _result(outcome, timeout_s, ooms, self._supervisor)
            result["truncated"] = {name: head.is_cut for name, head in run.heads.items()}
            result["truncated"]["results"] = run.are_results_cut
            result["notices"] += cut_notices(run.heads)
            result["durationMs"] = duration_ms
            left_s = timeout_s - duration_ms / 1000
            searched = await _unless_aborted(call, artifacts.changes(left_s), outcome.stopped_by == "abort")
            result["artifacts"], is_whole = searched or ([], False)
            if not is_whole:
                result["notices"].append(notice("artifacts_unseen"))
            return result, b""
        finally:
            context.lock.release()

    async def _look(self, operation: str, call: Call) -> tuple[Any, bytes]:
        """At what the kernel has. Nobody waits for code to end with it: that may take for ever."""
        context = self._supervisor.contexts.get(call.params.get("context", "default"))
        if context.runs > 0:
            raise GuestError("busy", "the kernel runs code at this moment")
        run = _new_run(call, 0)
        async with self._turn(context, call) as stop:
            outcome = await context.ask({**call.params, "op": operation}, b"", run, stop)
        if outcome.reply is None and not outcome.stopped_by:
            raise GuestError("not_found", f"the kernel {describe_exit(outcome)} while it was looked at")
        return _reply(outcome), b""

    async def _snapshot(self, call: Call) -> tuple[Any, bytes]:
        context = self._supervisor.contexts.get(call.params.get("context", "default"))
        path = self._path_of(call, context)
        request = {
            "op": "snapshot",
            "path": path,
            "only": call.params.get("only"),
            "leaveOut": call.params.get("leaveOut"),
            "maxValueBytes": call.params["maxValueBytes"],
            "maxBytes": call.params["maxBytes"],
        }
        started, run = time.monotonic(), _new_run(call, 0)
        async with self._turn(context, call) as stop:
            # An earlier snapshot must not be replaced by that of a new and empty kernel.
            if context.has_lost_variables:
                raise _nothing_to_save()
            outcome = await context.ask(request, b"", run, stop)
        if outcome.reply is None and not run.is_started:
            raise _nothing_to_save()
        return {"path": path, **_reply(outcome), "durationMs": (time.monotonic() - started) * 1000}, b""

    async def _restore(self, call: Call) -> tuple[Any, bytes]:
        """Into a new kernel. A value that ends even that one is left out of a second try.

        `isAdded`: to what the kernel has, in one try.
        """
        context = self._supervisor.contexts.get(call.params.get("context", "default"))
        path = self._path_of(call, context)
        started, fatal = time.monotonic(), []
        async with self._turn(context, call) as stop:
            if call.params.get("isAdded"):
                added = {"op": "restore", "path": path, "skip": [], "isAdded": True, "forget": call.params.get("forget")}
                outcome = await context.ask(added, b"", _new_run(call, 0), stop)
                return {**_reply(outcome), "durationMs": (time.monotonic() - started) * 1000}, b""
            if not context.is_unused:
                # Checked in the old kernel first: a bad file must not cost it its variables.
                checked = await context.ask({"op": "check", "path": path}, b"", _new_run(call, 0), stop)
                if checked.reply is not None or checked.stopped_by:
                    _reply(checked)
            while True:
                if not context.is_unused:
                    await context.restart()
                run = _new_run(call, 0)
                request = {"op": "restore", "path": path, "skip": fatal}
                outcome = await context.ask(request, b"", run, stop)
                if outcome.reply is not None or outcome.stopped_by or run.latest_value is None:
                    break
                if run.latest_value in fatal or len(fatal) >= _MAX_FATAL_VALUES:
                    break
                fatal.append(run.latest_value)
        return {**_reply(outcome), "durationMs": (time.monotonic() - started) * 1000}, b""

    def _path_of(self, call: Call, context: Context) -> str:
        path = call.params.get("path")
        return self._supervisor.resolve(path) if path else self._supervisor.snapshot_path(context.name)

    async def _list(self, call: Call) -> tuple[Any, bytes]:
        listed = [
            {"name": context.name, "isBusy": context.is_busy, "executionCount": context.execution_count}
            for context in self._supervisor.contexts.all()
        ]
        return listed, b""

    async def _create(self, call: Call) -> tuple[Any, bytes]:
        name = call.params.get("name")
        if name is not None:
            self._supervisor.snapshot_path(name)
        context = self._supervisor.contexts.create(name)
        return {"name": context.name, "isBusy": False, "executionCount": 0}, b""

    async def _remove(self, call: Call) -> tuple[Any, bytes]:
        await self._supervisor.contexts.remove(call.params["context"])
        return None, b""

    async def _restart(self, call: Call) -> tuple[Any, bytes]:
        await self._supervisor.contexts.get(call.params["context"]).restart()
        return None, b""

    async def _interrupt(self, call: Call) -> tuple[Any, bytes]:
        self._supervisor.contexts.get(call.params["context"]).interrupt()
        return None, b""

    @contextlib.asynccontextmanager
    async def _turn(self, context: Context, call: Call) -> AsyncIterator[asyncio.Future[str]]:
        """The context's turn for something other than a run."""
        if not await _acquire(context, call):
            raise GuestError("aborted", "the caller gave up")
        try:
            with self._supervisor.work(call, call.params["timeoutMs"] / 1000) as stop:
                yield stop
        finally:
            context.lock.release()


async def _acquire(context: Context, call: Call) -> bool:
    """False when the caller gave up while it waited for its turn."""
    turn = asyncio.ensure_future(context.lock.acquire())
    given_up = asyncio.ensure_future(call.aborted.wait())
    try:
        await asyncio.wait({turn, given_up}, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        turn.cancel() or context.lock.release()
        raise
    given_up.cancel()
    if turn.done() and not call.aborted.is_set():
        return True
    turn.cancel() or context.lock.release()
    return False


async def _unless_aborted(call: Call, work: Awaitable[Any], is_known: bool = False) -> Any:
    """None when the caller gives up meanwhile; `is_known`: it has, and waits for what there is."""
    working = asyncio.ensure_future(work)
    given_up = asyncio.ensure_future(call.aborted.wait())
    try:
        await asyncio.wait({working} if is_known else {working, given_up}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        working.cancel()
        given_up.cancel()


def _nothing_to_save() -> GuestError:
    return GuestError("not_found", "the kernel ended since the last run: there are no variables to save")


def _new_run(call: Call, limit: int) -> Run:
    done: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    return Run(lambda event, body: call.emit(event, body=body), limit, done)


def _reply(outcome: Outcome) -> dict[str, Any]:
    if outcome.stopped_by:
        raise GuestError("timeout" if outcome.stopped_by == "timeout" else "aborted", "stopped before it was done")
    if outcome.reply is None:
        raise GuestError("internal", f"the kernel {describe_exit(outcome)}")
    if error := outcome.reply.get("error"):
        raise GuestError(error["code"], error["message"])
    return dict(outcome.reply["reply"])


def _result(outcome: Outcome, timeout_s: float, ooms: int, supervisor: Supervisor) -> dict[str, Any]:
    reply, notices, limits = outcome.reply or {}, [], supervisor.settings.limits
    error = reply.get("error")
    status = "error" if error else "ok"
    exit_code = reply.get("exitCode", 1 if error else 0)
    if outcome.reply is None:
        status, code = "killed", outcome.exit_code or 0
        exit_code = code if code >= 0 else 128 - code
        error = {"name": "KernelDied", "value": f"The kernel {describe_exit(outcome)}.", "traceback": ""}
        if ooms:
            error["value"] = f"The kernel was ended: out of memory (limit {limits['memoryBytes'] // _MiB} MiB)."
    if outcome.stopped_by == "timeout":
        status, exit_code = "timeout", 124
        notices.append(notice("timeout", seconds=timeout_s))
    elif outcome.stopped_by == "disk":
        status, exit_code = "killed", 137
    elif outcome.stopped_by:
        status, exit_code = "killed", 130
        notices.append(notice("stopped_by_caller"))
    if status in ("killed", "timeout") and outcome.stopped_by != "abort":
        supervisor.hold_back()
    notices += supervisor.disk.notices(outcome.stopped_by, was_refused=is_want_of_room(error))
    if ooms:
        notices.append(memory_notice(limits["memoryBytes"]))
    if outcome.reply is None:
        notices.append(notice("kernel_restarted"))
    elif outcome.met_new_kernel:
        notices.append(notice("kernel_ended"))
    is_new = outcome.reply is None or outcome.met_new_kernel
    result = {"status": status, "exitCode": exit_code, "notices": notices, "kernelRestarted": is_new}
    return {**result, "error": error} if error else result

