"""Prints what the kernel says about this process's privileges, and what it gets when it asks for more."""

import ctypes
import json
import os
import shutil
import subprocess


def fields(text):
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def outcome(attempt):
    try:
        attempt()
        return "allowed"
    except OSError as error:
        return type(error).__name__


def run_setuid_copy(folder):
    """What a program with the setuid bit, made here, may do."""
    copy = os.path.join(folder, "setuid-cat")
    try:
        shutil.copyfile(shutil.which("cat"), copy)
        os.chmod(copy, 0o6755)
        return fields(subprocess.run([copy, "/proc/self/status"], capture_output=True, text=True).stdout)
    except OSError as error:
        return {"error": type(error).__name__}
    finally:
        if os.path.exists(copy):
            os.remove(copy)


with open("/proc/self/status") as file:
    answer = {"own": fields(file.read()), "noNewPrivileges": ctypes.CDLL(None).prctl(39, 0, 0, 0, 0)}
# On the host, where they would succeed, none of these is tried.
if not ARGS.get("isOnHost"):  # noqa: F821
    answer |= {
        "setuidCopies": [run_setuid_copy(folder) for folder in ("/tmp", os.getcwd())],
        "setuid": outcome(lambda: os.setuid(0 if os.getuid() else 1)),
        "setgid": outcome(lambda: os.setgid(0 if os.getgid() else 1)),
        "setgroups": outcome(lambda: os.setgroups([0])),
        "chown": outcome(lambda: os.chown(os.getcwd(), 12345, 12345)),
        "nice": outcome(lambda: os.setpriority(os.PRIO_PROCESS, 0, -20)),
    }
print(json.dumps(answer))
