"""What a kernel may send: the fields of each message, their types and bounds. All else is a breach of the protocol.

User code shares the kernel's process, so every frame may be forged. Bodies are passed on as bytes and never parsed here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...protocol import ProtocolError

MAX_HEADER_BYTES = 4 * 1024 * 1024
# Past what a run may show, with room for the frame in which that is passed.
MAX_BODY_BYTES = 64 * 1024 * 1024

_MAX_NAME_CHARS = 2000
_MAX_VALUE_CHARS = 20_000
_MAX_TRACEBACK_CHARS = 100_000
_MAX_NAMES = 10_000
_MAX_COUNT = 2**31 - 1

Check = Callable[[Any], bool]


def check_frame(header: dict[str, Any], operation: str | None) -> str:
    """The kind of the message. `operation` is what the kernel was asked for last.

    ProtocolError for what no kernel of ours sends.
    """
    kind = header.get("op")
    if not isinstance(kind, str) or (kind not in _KINDS and kind != "done"):
        raise ProtocolError("a message of no known kind")
    check = _ANSWERS.get(operation or "", _FAILED) if kind == "done" else _KINDS[kind]
    if not check(header):
        raise ProtocolError(f"a message {kind!r} with fields of another form")
    return kind


def _text(most: int) -> Check:
    return lambda value: type(value) is str and len(value) <= most


def _whole(least: int, most: int) -> Check:
    return lambda value: type(value) is int and least <= value <= most


def _flag(value: Any) -> bool:
    return type(value) is bool


def _all(check: Check) -> Check:
    return lambda value: type(value) is list and len(value) <= _MAX_NAMES and all(map(check, value))


def _fields(required: dict[str, Check], optional: dict[str, Check] | None = None) -> Check:
    """No field beside these."""
    known = {**required, **(optional or {})}

    def check(value: Any) -> bool:
        if type(value) is not dict or not required.keys() <= value.keys():
            return False
        return all(name in known and known[name](field) for name, field in value.items())

    return check


def _any(*checks: Check) -> Check:
    return lambda value: any(check(value) for check in checks)


_NAME = _text(_MAX_NAME_CHARS)
_OP = {"op": _text(20)}
_LOST = _all(_fields({"name": _NAME, "type": _NAME, "reason": _text(_MAX_VALUE_CHARS)}))
_ERROR = _fields({"name": _NAME, "value": _text(_MAX_VALUE_CHARS), "traceback": _text(_MAX_TRACEBACK_CHARS)})
_KINDS: dict[str, Check] = {
    "started": _fields(_OP),
    "value": _fields({**_OP, "name": _NAME}),
    "page": _fields(_OP),
    "result": _fields(_OP, {"waits": _flag}),
}
_FAILED = _fields({**_OP, "error": _fields({"code": _text(40), "message": _text(_MAX_VALUE_CHARS)})})
_RAN = _fields({**_OP, "count": _whole(0, _MAX_COUNT)}, {"exitCode": _whole(-_MAX_COUNT, _MAX_COUNT), "error": _ERROR})
_REPLIES = {
    "table": _fields({}),
    "variables": _fields({}),
    "check": _fields({}),
    "csv": _fields({"rows": _whole(0, 2**53)}),
    "forget": _fields({"isForgotten": _flag}),
    "snapshot": _fields({"saved": _all(_NAME), "lost": _LOST, "sizeBytes": _whole(0, 2**53)}),
    "restore": _fields({"restored": _all(_NAME), "lost": _LOST}),
}
_ANSWERS = {
    "run": _RAN,
    "warm_up": _RAN,
    **{operation: _any(_FAILED, _fields({**_OP, "reply": reply})) for operation, reply in _REPLIES.items()},
}
