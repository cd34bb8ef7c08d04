"""What a result says beside its output: codes with values, which the host turns into sentences."""

from typing import Any

Notice = dict[str, Any]

_MiB = 1024 * 1024


def notice(code: str, **values: str | int | float) -> Notice:
    """Codes and their values are listed in packages/protocol/src/notices.ts."""
    return {"code": code, "values": values}


def memory_notice(limit_bytes: int) -> Notice:
    return notice("memory", limit=f"{limit_bytes // _MiB} MiB")
