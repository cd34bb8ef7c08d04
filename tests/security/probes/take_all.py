"""Takes as much as it gets of one thing that the kernel counts for a user or for the machine.

Says how much it has got, and keeps it, unless it is to be `released`.
"""

import ctypes
import fcntl
import os
import signal
import socket
import time

libc = ctypes.CDLL(None, use_errno=True)
kept = []


def take_inotify():
    if libc.inotify_init1(0) < 0:
        raise OSError(ctypes.get_errno(), "inotify_init1")


def take_watch():
    if not kept:
        os.makedirs("/tmp/watched", exist_ok=True)
        kept.append(libc.inotify_init1(0))
    path = f"/tmp/watched/{len(kept)}"
    os.close(os.open(path, os.O_CREAT))
    if libc.inotify_add_watch(kept[0], path.encode(), 0x100) < 0:
        raise OSError(ctypes.get_errno(), "inotify_add_watch")
    kept.append(path)


def take_pipe():
    ends = os.pipe()
    kept.append(ends)
    fcntl.fcntl(ends[1], 1031, 1 << 20)


def take_pty():
    kept.append(os.openpty())


def take_descriptors_on_the_way():
    ours, theirs = socket.socketpair()
    kept.append((ours, theirs))
    socket.send_fds(ours, [b"x"], [0] * 100)
    return 100


def take_signal():
    # A real-time signal: each is kept, however many there are.
    if libc.sigqueue(os.getpid(), 40, ctypes.c_void_p(0)) < 0:
        raise OSError(ctypes.get_errno(), "sigqueue")


def hold(take):
    """One process may hold only so many descriptors."""
    signal.pthread_sigmask(signal.SIG_BLOCK, range(34, 64))
    failures = count = 0
    while failures < 3:
        try:
            count += take() or 1
        except OSError:
            failures += 1
    return count


take = globals()[f"take_{ARGS['kind']}"]
total = 0
for _ in range(ARGS["processes"]):
    ready, done = os.pipe()
    if os.fork() == 0:
        os.write(done, str(hold(take)).encode())
        time.sleep(1000 * (not ARGS.get("released")))
        os._exit(0)
    os.close(done)
    total += int(os.read(ready, 64))
    os.close(ready)
print(f"held {total}", flush=True)
time.sleep(1000 * (not ARGS.get("released")))
