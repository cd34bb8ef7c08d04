"""Starts an ipykernel and answers each line on stdin, code as a JSON string, with one execute round trip.

A round trip ends when both the reply and the kernel's idle status have come, as every Jupyter front end waits for them.
The answer is a line of JSON: the text of the result and the milliseconds from the call to the end.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

_TIMEOUT_S = 60


def main() -> None:
    manager = KernelManager()
    manager.start_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = manager.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=_TIMEOUT_S)
        _answer("ready")
        for line in sys.stdin:
            code = json.loads(line)
            started = time.perf_counter()
            result = _execute(client, code)
            _answer({"result": result, "ms": (time.perf_counter() - started) * 1000})
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def _execute(client: BlockingKernelClient, code: str) -> str | None:
    message_id = client.execute(code)
    result = None
    while True:
        message = client.get_iopub_msg(timeout=_TIMEOUT_S)
        if message["parent_header"].get("msg_id") != message_id:
            continue
        if message["msg_type"] == "execute_result":
            result = message["content"]["data"]["text/plain"]
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            break
    while client.get_shell_msg(timeout=_TIMEOUT_S)["parent_header"].get("msg_id") != message_id:
        pass
    return result


def _answer(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main()
