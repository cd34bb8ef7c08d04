"""Attacks one limit for as long as it is let, again and again."""

import ctypes
import mmap
import os
import resource
import signal
import socket
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
kept = []


def attack_processor():
    while True:
        pass


def attack_processor_by_threads():
    for _ in range(8):
        threading.Thread(target=attack_processor).start()
    attack_processor()


def attack_processes():
    os.fork()


def attack_memory():
    kept.append(bytearray(b"x") * (16 << 20))


def attack_shared_memory():
    area = mmap.mmap(-1, 16 << 20)
    area.write(b"x" * (16 << 20))
    kept.append(area)


def attack_disk():
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    with open(f"f{len(kept)}", "wb") as file:
        kept.append(file.write(bytes(1 << 20)))


def attack_names():
    kept.append(os.close(os.open(f"n{len(kept)}", os.O_CREAT | os.O_WRONLY)))


def attack_descriptors():
    kept.append(os.open("/dev/null", os.O_RDONLY))


def attack_inotify():
    if libc.inotify_init1(0) < 0:
        raise OSError(ctypes.get_errno(), "inotify_init1")


def attack_pipes():
    ends = os.pipe()
    kept.append(ends)
    os.set_blocking(ends[1], False)
    os.write(ends[1], bytes(1 << 16))


def attack_terminals():
    kept.append(os.openpty())


def attack_sockets():
    near, far = socket.socketpair()
    kept.append((near, far))
    near.setblocking(False)
    while True:
        near.send(bytes(1 << 16))


def attack_loopback():
    if not kept:
        kept.append(socket.create_server(("127.0.0.1", 0)))
    near = socket.create_connection(kept[0].getsockname(), timeout=1)
    near.setblocking(False)
    kept.append(near)
    while True:
        near.send(bytes(1 << 16))


def attack_signals():
    if libc.sigqueue(os.getpid(), 40, ctypes.c_void_p(0)) < 0:
        raise OSError(ctypes.get_errno(), "sigqueue")


def attack_output():
    print("x" * 4096)


signal.pthread_sigmask(signal.SIG_BLOCK, range(34, 64))
print("begun", flush=True)
attack = globals()[f"attack_{ARGS['kind']}"]
while True:
    try:
        attack()
    except (OSError, MemoryError):
        time.sleep(0.001)
