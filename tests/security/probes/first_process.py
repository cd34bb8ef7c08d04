"""Does to process 1 all that another process can do. Prints what succeeded."""

import json
import os
import signal


def outcome(attempt):
    try:
        attempt()
        return "allowed"
    except OSError as error:
        return type(error).__name__


for number in sorted(signal.valid_signals()):
    outcome(lambda: os.kill(1, number))
print(
    json.dumps(
        {
            "read memory": outcome(lambda: open("/proc/1/mem", "rb").close()),
            "write memory": outcome(lambda: open("/proc/1/mem", "r+b").close()),
            "read environment": outcome(lambda: open("/proc/1/environ", "rb").read()),
            "list descriptors": outcome(lambda: os.listdir("/proc/1/fd")),
            "follow its root": outcome(lambda: os.readlink("/proc/1/root")),
        }
    )
)
