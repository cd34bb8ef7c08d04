"""Looks for a file by every way that could lead to it. Prints the paths at which its content can be read."""

import glob
import json
import os

path, token = ARGS["path"], ARGS["token"].encode()  # noqa: F821
name = os.path.basename(path)
up = "../" * 24


def candidates():
    yield path
    yield from (("../" * depth) + path.lstrip("/") for depth in range(1, 24))
    for link in glob.glob("/proc/*/root") + glob.glob("/proc/*/cwd") + glob.glob("/proc/*/task/*/root"):
        yield link + path
        yield f"{link}/{up}{path}"
    for link in glob.glob("/proc/*/fd/*"):
        yield link
        yield link + path
        yield f"{link}/{up}{path}"
    for root, place, source in mounts():
        yield place + path
        yield f"{place}/{up}{path}"
        if path.startswith(root):
            yield place + "/" + path[len(root) :]
        if source.startswith("/"):
            yield source + path
    if ARGS.get("walk"):  # noqa: F821
        yield from walk("/")


def mounts():
    if not os.path.exists("/proc/self/mountinfo"):
        return
    with open("/proc/self/mountinfo") as file:
        for line in file:
            before, _, after = line.partition(" - ")
            yield before.split()[3], before.split()[4], after.split()[1]


def walk(top):
    for folder, folders, files in os.walk(top):
        folders[:] = [inner for inner in folders if os.path.join(folder, inner) not in ("/proc", "/sys")]
        if name in files:
            yield os.path.join(folder, name)


def holds_token(candidate):
    try:
        descriptor = os.open(candidate, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return False
    try:
        return token in os.pread(descriptor, 65536, 0)
    except OSError:
        return False
    finally:
        os.close(descriptor)


print(json.dumps([candidate for candidate in candidates() if holds_token(candidate)]))
