"""Prints every process that can be seen, and every descriptor this one holds that leads to a file or folder."""

import json
import os
import stat


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def descriptors():
    for name in os.listdir("/proc/self/fd"):
        try:
            mode = os.fstat(int(name)).st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISBLK(mode):
            yield os.readlink(f"/proc/self/fd/{name}")


pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
print(
    json.dumps(
        {
            "processes": [{"pid": pid, "text": f"{read(f'/proc/{pid}/comm')} {read(f'/proc/{pid}/cmdline')}"} for pid in pids],
            "descriptors": list(descriptors()),
        }
    )
)
