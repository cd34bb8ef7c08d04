"""Tries to make a file in every folder and to open every file for writing. Prints where that succeeded."""

import fcntl
import json
import os
import stat
import struct

folders_tried, writable = 0, []
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(folder, name) not in ("/proc", "/sys")]
    folders_tried += 1
    probe = os.path.join(folder, ".atoll-probe")
    try:
        os.close(os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        os.unlink(probe)
        writable.append(folder)
    except OSError:
        pass
    for name in files:
        path = os.path.join(folder, name)
        try:
            if stat.S_ISREG(os.lstat(path).st_mode):
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC))
                writable.append(path)
        except OSError:
            pass

devices = [
    os.path.join(folder, name)
    for folder, _, files in os.walk("/dev")
    for name in files
    if not stat.S_ISREG(os.lstat(os.path.join(folder, name)).st_mode) and not os.path.islink(os.path.join(folder, name))
]


def outcome(attempt):
    try:
        attempt()
        return "allowed"
    except OSError as error:
        return type(error).__name__


def open_device(path):
    os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))


made = {
    "memory": outcome(lambda: os.mknod("/tmp/mem", stat.S_IFCHR | 0o666, os.makedev(1, 1))),
    "disk": outcome(lambda: os.mknod("/tmp/disk", stat.S_IFBLK | 0o666, os.makedev(8, 0))),
    "null": outcome(lambda: os.mknod("/tmp/null", stat.S_IFCHR | 0o666, os.makedev(1, 3))),
}
# Where one could be made, whether it leads anywhere.
made_and_opened = {
    "memory": outcome(lambda: open_device("/tmp/mem")),
    "disk": outcome(lambda: open_device("/tmp/disk")),
}


def make_tunnel():
    with open("/dev/net/tun", "r+b", buffering=0) as device:
        fcntl.ioctl(device, 0x400454CA, struct.pack("16sH22x", b"atoll0", 2))


print(
    json.dumps(
        {
            "foldersTried": folders_tried,
            "writable": writable,
            "devices": devices,
            "made": made,
            "madeAndOpened": made_and_opened,
            "tunnel": outcome(make_tunnel),
        }
    )
)
