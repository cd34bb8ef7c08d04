"""Takes more and more of something, past the limit, and holds on to it. Says how much it has after each step.

Ends by itself only while it holds no more than the limit; else it waits to be stopped.
"""

import mmap
import os
import time

kind, limit, step = ARGS["kind"], ARGS["limit"], ARGS["step"]  # noqa: F821
held = []


def take_memory_in_children():
    """Each child keeps within what one process may have."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        kept = bytearray(b"x") * step
        os.write(writer, b"y" if len(kept) == step else b"n")
        while True:
            time.sleep(1000)
    os.close(writer)
    if os.read(reader, 1) != b"y":
        raise MemoryError("the child died")
    held.append(child)


def take_memory_files():
    descriptor = os.memfd_create("hoard")
    os.write(descriptor, b"x" * step)
    held.append(descriptor)


def take_shared_memory():
    area = mmap.mmap(-1, step)
    area.write(b"x" * step)
    held.append(area)


def take_processes():
    child = os.fork()
    if child == 0:
        os.setsid()
        while True:
            time.sleep(1000)
    held.append(child)


def take_disk():
    path = f"hoard-{len(held)}"
    with open(path, "wb") as file:
        file.write(os.urandom(step))
        file.flush()
        os.fsync(file.fileno())
    held.append(path)


def take_deleted_files():
    path = f"hoard-{len(held)}"
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    os.unlink(path)
    os.write(descriptor, os.urandom(step))
    os.fsync(descriptor)
    held.append(descriptor)


def drop_dead_children():
    """Another child may have had to go when the latest one came."""
    for child in list(held):
        if os.waitpid(child, os.WNOHANG)[0]:
            held.remove(child)


take = globals()[f"take_{kind}"]
unit = 1 if kind == "processes" else step
refused = None
while refused is None and len(held) * unit < limit * 4:
    try:
        take()
    except (OSError, MemoryError) as error:
        refused = type(error).__name__
print(f"held {len(held) * unit} after {refused}", flush=True)
while len(held) * unit > limit:
    time.sleep(0.05)
    if kind in ("memory_in_children", "processes"):
        drop_dead_children()
