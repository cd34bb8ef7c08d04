"""In a process that outlives its run: grows on past the disk limit, whatever is refused, until it is ended or gives up."""

import mmap
import os
import resource
import time

kind, most, step = ARGS["kind"], ARGS["most"], ARGS["step"]
folder = ARGS["folder"]
os.makedirs(folder, exist_ok=True)
made = 0


def grow_by_raised_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    with open(f"{folder}/{made}", "wb") as file:
        file.write(os.urandom(step))
    return step


def grow_by_map():
    """Fills holes of files that were made long enough while that was allowed."""
    with open(f"{folder}/hole-{made // (1 << 26) % 16}", "r+b") as file, mmap.mmap(file.fileno(), 1 << 26) as area:
        area[made % (1 << 26) : made % (1 << 26) + step] = os.urandom(step)
    return step


def grow_by_links():
    """A file can have only so many names."""
    if made % 60_000 == 0:
        open(f"{folder}/first-{made}", "w").close()
    os.link(f"{folder}/first-{made // 60_000 * 60_000}", f"{folder}/{made}")
    return 1


def grow_by_empty_files():
    os.close(os.open(f"{folder}/{made}", os.O_CREAT | os.O_WRONLY))
    return 1


def grow_by_symbolic_links():
    os.symlink("nowhere", f"{folder}/{made}")
    return 1


if kind == "map":
    for number in range(16):
        with open(f"{folder}/hole-{number}", "wb") as file:
            file.truncate(1 << 26)
grow = globals()[f"grow_by_{kind}"]
if os.fork() == 0:
    os.setsid()
    failures = 0
    while made < most and failures < 300:
        try:
            made += grow()
            failures = 0
        except OSError:
            failures += 1
            time.sleep(0.01)
    os._exit(0)
