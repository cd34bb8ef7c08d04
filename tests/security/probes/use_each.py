"""Uses a little of each thing in `take_all.py`, as an ordinary program would. Prints what it got."""

import ctypes
import fcntl
import os
import signal
import socket

libc = ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def use_inotify():
    descriptor = libc.inotify_init1(0)
    checked(descriptor)
    os.close(descriptor)


def use_pipe():
    ends = os.pipe()
    if fcntl.fcntl(ends[1], 1032) < 65536:
        raise OSError(0, "a pipe is small")
    fcntl.fcntl(ends[1], 1031, 1 << 20)
    for end in ends:
        os.close(end)


def use_pty():
    for end in os.openpty():
        os.close(end)


def use_descriptors_on_the_way():
    ours, theirs = socket.socketpair()
    socket.send_fds(ours, [b"x"], [0])
    _, descriptors, _, _ = socket.recv_fds(theirs, 1, 1)
    os.close(descriptors[0])


def use_signal():
    signal.pthread_sigmask(signal.SIG_BLOCK, [40])
    checked(libc.sigqueue(os.getpid(), 40, ctypes.c_void_p(0)))
    signal.sigwait([40])


def outcome(use):
    try:
        use()
    except OSError as error:
        return str(error)
    return "ok"


names = ["inotify", "pipe", "pty", "descriptors_on_the_way", "signal"]
print(json.dumps({name: outcome(globals()[f"use_{name}"]) for name in names}))
