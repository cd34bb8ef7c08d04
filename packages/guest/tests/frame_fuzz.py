"""Frames of hostile kernels against the real contexts of a supervisor: `python -m tests.frame_fuzz <seed> <frames>`.

Kernels are processes, as in a sandbox. Prints how many frames were taken; fails on a hang, on a failure that is none of
the protocol's, and on memory that grows.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import signal
import socket
import sys
from typing import Any

from atoll_guest.protocol import LENGTHS, BlockingChannel, FrameReader, ProtocolError
from atoll_guest.supervisor.kernels import contexts, kernel_frames
from atoll_guest.supervisor import reaper
from atoll_guest.supervisor.kernels.contexts import Context, Run
from atoll_guest.supervisor.kernels.kernel_process import KernelProcess

_TIMEOUT_S = 60.0
_MAX_GROWTH_KIB = 400 * 1024
_HONEST_EVERY = 20
_LOST = [{"name": "n", "type": "t", "reason": "r"}]
_SOUND: tuple[dict[str, Any], ...] = (
    {"op": "started"},
    {"op": "value", "name": "x"},
    {"op": "page"},
    {"op": "result", "waits": False},
    {"op": "result", "waits": True},
    {"op": "result"},
)
_FAILED = {"op": "done", "error": {"code": "internal", "message": "m"}}
_ANSWERS: dict[str, dict[str, Any]] = {
    "run": {"op": "done", "count": 2, "exitCode": 1, "error": {"name": "E", "value": "v", "traceback": "t"}},
    "table": {"op": "done", "reply": {}},
    "check": _FAILED,
    "csv": {"op": "done", "reply": {"rows": 5}},
    "forget": {"op": "done", "reply": {"isForgotten": True}},
    "snapshot": {"op": "done", "reply": {"saved": ["x"], "lost": _LOST, "sizeBytes": 7}},
    "restore": {"op": "done", "reply": {"restored": ["x"], "lost": _LOST}},
}
_OPERATIONS = tuple(_ANSWERS)
_NASTY = (
    *("null", "true", "{}", "[]", '""', "-1", "1.5", "1e999", "NaN", "-Infinity", "1" + "0" * 400, "1" + "0" * 5000),
    *('"\\ud800"', '"' + "y" * 30_000 + '"', "[" * 5000 + "]" * 5000, '{"a":{}}', "undefined", '"unfinished', "[{}]"),
    *("{" * 200_000, '[{"x":' * 1000, "9007199254740993", '{"__class__":1}', "[[],[]]", "'"),
)


def mutate(header: dict[str, Any], chance: random.Random) -> bytes:
    """The JSON of the header with one field replaced, added or taken away; or of the whole."""
    nasty = chance.choice(_NASTY)
    way = chance.randrange(6)
    if way == 0:
        return nasty.encode()
    if way == 1:
        return json.dumps({**header, chance.choice(("died", "op", "count", "x")): None}).replace("null", nasty).encode()
    place, parent = chance.choice(_places(header))
    if way == 2 and isinstance(parent, dict):
        copy = json.loads(json.dumps(header))
        _find(copy, place[:-1]).pop(place[-1])
        return json.dumps(copy).encode()
    copy = json.loads(json.dumps(header))
    _find(copy, place[:-1])[place[-1]] = "@"
    return json.dumps(copy).replace('"@"', nasty).encode()


def frame(head: bytes, body: bytes, chance: random.Random, is_raw: bool) -> bytes:
    whole = LENGTHS.pack(len(head), len(body)) + head + body
    if not is_raw:
        return whole
    changed = bytearray(whole)
    for _ in range(chance.randrange(1, 6)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed[: chance.randrange(1, len(changed) + 1)] if chance.random() < 0.3 else changed)


def attack(operation: str, chance: random.Random) -> bytes:
    """What a hostile kernel answers to one request."""
    parts = []
    for _ in range(chance.randrange(120)):
        header, body = chance.choice(_SOUND), chance.choice((b"", b"{}", b"x" * 5000))
        head = mutate(header, chance) if chance.random() < 0.01 else json.dumps(header).encode()
        parts.append(frame(head, body, chance, chance.random() < 0.002))
    header = _ANSWERS[operation if chance.random() < 0.8 else chance.choice(_OPERATIONS)]
    head = mutate(header, chance) if chance.random() < 0.3 else json.dumps(header).encode()
    return b"".join(parts) + frame(head, b"", chance, chance.random() < 0.02)


class Attackers:
    """In the place of `KernelProcess.fork`."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.count = 0
        self.is_honest = False

    def fork(self, confine: object = None) -> KernelProcess:
        self.count += 1
        ours, theirs = socket.socketpair()
        (stdout, stdout_end), (stderr, stderr_end) = os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                os.setsid()
                ours.close()
                self._serve(theirs, stdout_end)
            finally:
                os._exit(3)
        theirs.close()
        os.close(stdout_end)
        os.close(stderr_end)
        return KernelProcess(pid, ours, stdout, stderr)

    def _serve(self, control: socket.socket, stdout: int) -> None:
        channel, chance = BlockingChannel(control), random.Random(self._seed * 1_000_003 + self.count)
        while (request := channel.receive()) is not None:
            if request[0].get("op") in ("configure", "shown"):
                continue
            if self.is_honest:
                channel.send({"op": "started"})
                channel.send({"op": "done", "count": 1})
                continue
            if chance.random() < 0.2:
                os.write(stdout, b"printed\n")
            control.sendall(attack(request[0]["op"], chance))
            if chance.random() < 0.1:
                os._exit(chance.randrange(256))
            if chance.random() < 0.05:
                control.close()
                signal.pause()


async def fuzz(seed: int, wanted: int) -> None:
    reaper.start()
    attackers, chance, taken = Attackers(seed), random.Random(seed), 0
    KernelProcess.fork = staticmethod(attackers.fork)  # type: ignore[assignment]
    check = contexts.check_frame

    def count_frame(header: dict[str, Any], operation: str | None) -> str:
        nonlocal taken
        taken += 1
        return check(header, operation)

    contexts.check_frame = count_frame
    context = Context("default", attackers.fork(), lambda: {"op": "configure"})
    outcomes = {"answered": 0, "died": 0, "violated": 0}
    memory, rounds = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 0
    while taken < wanted:
        rounds += 1
        outcome = await ask(context, chance.choice(_OPERATIONS))
        kind = "answered" if outcome.reply is not None else "died" if outcome.violation is None else "violated"
        outcomes[kind] += 1
        if rounds % _HONEST_EVERY == 0:
            attackers.is_honest = True
            await context.restart()
            honest = await ask(context, "run")
            assert honest.reply is not None and honest.reply["count"] == 1, honest
            attackers.is_honest = False
            await context.restart()
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    await context.remove()
    assert outcomes["answered"] and outcomes["violated"], outcomes
    assert growth < _MAX_GROWTH_KIB, f"memory has grown by {growth} KiB"
    print(f"{taken} frames of {attackers.count} kernels: {outcomes}, memory grew by {growth // 1024} MiB")


async def ask(context: Context, operation: str) -> Any:
    loop = asyncio.get_running_loop()
    run = Run(lambda event, body: None, 1000, loop.create_future())
    stop: asyncio.Future[str] = loop.create_future()
    # A frame that was cut off is waited for: its run ends as any other, when its time is up.
    timer = loop.call_later(0.5, lambda: stop.done() or stop.set_result("timeout"))
    try:
        return await asyncio.wait_for(context.ask({"op": operation}, b"code", run, stop), _TIMEOUT_S)
    finally:
        timer.cancel()


def parse(seed: int, wanted: int) -> None:
    """The same frames, each of them mutated, through the parser and the table alone."""
    chance, refused, sound = random.Random(seed), 0, 0
    for _ in range(wanted):
        reader = FrameReader(kernel_frames.MAX_HEADER_BYTES, kernel_frames.MAX_BODY_BYTES)
        header = chance.choice((*_SOUND, *_ANSWERS.values()))
        reader.feed(frame(mutate(header, chance), b"", chance, chance.random() < 0.2))
        try:
            if (found := reader.next()) is not None:
                kernel_frames.check_frame(found[0], chance.choice(_OPERATIONS))
                sound += 1
        except ProtocolError:
            refused += 1
    assert refused > sound, (refused, sound)
    print(f"{wanted} frames parsed: {refused} refused, {sound} sound")


def _places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [((*place, key), value) for key, _ in parts]
    return found + [each for key, part in list(parts) for each in _places(part, (*place, key))]


def _find(value: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        value = value[key]
    return value


if __name__ == "__main__":
    given_seed, given_frames = int(sys.argv[1]), int(sys.argv[2])
    parse(given_seed, given_frames)
    asyncio.run(fuzz(given_seed, given_frames // 10))
