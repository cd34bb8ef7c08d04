"""Looks for a text in the environment, in what /proc shows of every process, and in this process's own memory.

The text comes reversed and is only ever compared in reverse, so that the search does not find itself.
"""

import glob
import json
import os

backwards = ARGS["reversed"].encode()  # noqa: F821
found = []


def look(place, data):
    if backwards in data[::-1]:
        found.append(place)


for name, value in os.environ.items():
    look(f"environment variable {name}", f"{name}={value}".encode(errors="surrogateescape"))
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/self/task/*/environ"):
    try:
        with open(path, "rb") as file:
            look(path, file.read())
    except OSError:
        pass

searched = 0
try:
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
        for line in maps:
            place, access, _, _, _, *path = line.split(maxsplit=5)
            if not access.startswith("r") or path and not path[0].startswith("["):
                continue
            start, end = (int(part, 16) for part in place.split("-"))
            for at in range(start, end, 1 << 20):
                try:
                    memory.seek(at)
                    chunk = memory.read(min(1 << 20, end - at) + len(backwards))
                except (OSError, OverflowError, ValueError):
                    continue
                searched += len(chunk)
                look(f"memory {path[0].strip() if path else 'anonymous'}", chunk)
except OSError:
    pass
print(json.dumps({"found": sorted(set(found)), "searchedBytes": searched}))
