"""Work on files that may take long or never end, in a forked process that can be killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from typing import Any

from . import reaper
from .errors import GuestError, from_os_error


# Of the supervisor's own, which no limit of user code is to end.
_running: set[int] = set()


def is_worker(pid: int) -> bool:
    return pid in _running


async def run_in_fork(work: Callable[[], Any], timeout_s: float | None = None) -> Any:
    """The result travels as JSON. Cancelling or running out of time kills the process."""
    read_end, write_end = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(read_end)
        os.close(write_end)
        raise
    if pid == 0:
        _work(work, write_end)
    _running.add(pid)
    ended = reaper.wait(pid)
    ended.add_done_callback(lambda _: _running.discard(pid))
    os.close(write_end)
    try:
        answer = await asyncio.wait_for(_read_all(read_end), timeout_s)
    except BaseException as error:
        if not ended.done():  # Once reaped, the number may be another process's.
            os.kill(pid, signal.SIGKILL)
        if isinstance(error, asyncio.TimeoutError):
            raise GuestError("timeout", f"not done within {timeout_s:g} s (timeoutMs)") from None
        raise
    await ended
    if not answer:
        raise GuestError("internal", "the worker ended without an answer; is the memory or process limit reached?")
    parsed = json.loads(answer)
    if "error" in parsed:
        raise GuestError(*parsed["error"])
    return parsed["result"]


def _work(work: Callable[[], Any], write_end: int) -> None:
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        try:
            answer = {"result": work()}
        except GuestError as error:
            answer = {"error": (error.code, str(error))}
        except OSError as error:
            known = from_os_error(error)
            answer = {"error": (known.code, str(known))}
        data = memoryview(json.dumps(answer).encode())
        while data:
            data = data[os.write(write_end, data) :]
        status = 0
    finally:
        os._exit(status)


async def _read_all(descriptor: int) -> bytes:
    """Closes the descriptor, also when cancelled."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()
    chunks: list[bytes] = []
    os.set_blocking(descriptor, False)

    def read() -> None:
        try:
            chunk = os.read(descriptor, 1 << 18)
        except BlockingIOError:
            return
        if chunk:
            chunks.append(chunk)
        elif not done.done():
            done.set_result(None)

    loop.add_reader(descriptor, read)
    try:
        await done
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
    return b"".join(chunks)
