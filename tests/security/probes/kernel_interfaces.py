"""Tries to write to the kernel's own files and to read the secret ones. Prints where that succeeded."""

import json
import os
import stat

SECRET = ["/proc/kcore", "/proc/kmsg", "/dev/kmsg", "/dev/mem", "/dev/kmem", "/dev/port", "/proc/keys", "/proc/vmcore"]
TRIGGERS = ["/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/acpi/wakeup"]


def is_masked(path):
    """/dev/null put over a file takes what is written and gives nothing."""
    info = os.stat(path)
    return stat.S_ISCHR(info.st_mode) and info.st_rdev == os.makedev(1, 3)


def can_write(path):
    try:
        if is_masked(path):
            return False
        descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # Some check only when written to. What is there already does no harm.
        with open(path, "rb") as file:
            os.write(descriptor, file.read(4096))
        return True
    except PermissionError:
        return False
    except OSError:
        return True
    finally:
        os.close(descriptor)


def can_read(path):
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return len(os.read(descriptor, 64)) > 0
    except OSError:
        return False
    finally:
        os.close(descriptor)


def files_of_the_machine():
    """In /proc, what is not of a process, of a namespace or a setting; folders too, whose files are all alike."""
    for name in sorted(os.listdir("/proc")):
        path = os.path.join("/proc", name)
        if name.isdigit() or name in ("sys", "sysvipc") or os.path.islink(path):
            continue
        if os.path.isdir(path):
            yield from files_below(path)
        else:
            yield path


def files_below(top):
    for folder, _, names in os.walk(top):
        yield from (os.path.join(folder, name) for name in names)


tried = [*TRIGGERS, *files_below("/proc/sys"), *files_below("/sys")]
print(
    json.dumps(
        {
            "tried": len(tried),
            "written": [path for path in tried if can_write(path)],
            "read": [path for path in SECRET if can_read(path)],
            "told": [path for path in files_of_the_machine() if can_read(path)],
        }
    )
)
