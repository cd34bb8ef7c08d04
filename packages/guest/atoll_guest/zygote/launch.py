"""Starts the jail: `python launch.py <config.json>` becomes bubblewrap, which becomes the warden.

Runs on the host, as the user of the server. As root it first makes a private mount namespace in which the jail's
folders can be reached by an unprivileged user, hands that user a control group, and gives up root for good.
Imports nothing of the package, since the host's Python may be any.
"""

from __future__ import annotations

import compileall
import ctypes
import fcntl
import json
import os
import resource
import shutil
import socket
import sys

# Now, not when it is needed: this file may lie below the /tmp that `stage_binds` covers.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import projects
import root_process
import users

MS_BIND, MS_REC, MS_PRIVATE, MS_REMOUNT, MS_RDONLY, CLONE_NEWNS = 4096, 16384, 1 << 18, 32, 1, 0x00020000
CONTROLLERS = ("memory", "pids", "cpu")
# Counted for the jail as a whole, while each sandbox has a limit of its own.
SHARED_LIMITS = ("SIGPENDING", "MSGQUEUE", "NPROC", "MEMLOCK")
OPEN_FILES = 1 << 18
libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    with open(sys.argv[1]) as file:
        config = json.load(file)
    binds: list[dict] = config["binds"]
    remove_old_systems(config["runFolder"], config["system"])
    # The jail sees the guest's code read-only: what is not compiled here is compiled at every start.
    compileall.compile_dir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), quiet=2)
    groups = find_control_groups(config["key"])
    raise_limits()
    user_flags, outside = ["--unshare-user"], {}
    if os.geteuid() == 0:
        binds = stage_binds(binds)
        user, group = config["jailUser"], config["jailGroup"]
        groups = {name: hand_over(folder, user, group) for name, folder in groups.items()}
        os.setgroups([])
        offer, names = find_offer(config, binds)
        if offer.users or offer.projects:
            outside = start_root_process(offer)
        if names is not None:
            os.set_inheritable(names, True)
            # The zygote maps its sandboxes' users, which is all that these two let it do.
            user_flags = ["--userns", str(names), "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
    arguments = [config["bwrap"], *user_flags, *config["arguments"]]
    for bind in binds:
        arguments += ["--bind" if bind["writable"] else "--ro-bind", bind["source"], bind["target"]]
    places = {}
    for name, folder in groups.items():
        places[name] = f"/atoll/cgroup/{'all' if is_v2(folder) else name}"
        arguments += ["--bind", folder, places[name]]
    # The jail's own root is shared by all sandboxes: none may leave anything in it.
    arguments += ["--remount-ro", "/", "--setenv", "ATOLL_CGROUPS", json.dumps(places)]
    arguments += ["--setenv", "ATOLL_OUTSIDE", json.dumps(outside), "--", *config["command"]]
    os.execv(arguments[0], arguments)


def remove_old_systems(run_folder: str, own: str) -> None:
    """What jails that have ended had as their /etc and /opt. A living one, which holds the lock, keeps its own."""
    try:
        lock = os.open(f"{run_folder}/lock", os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return
    for entry in os.scandir(run_folder):
        if entry.name.startswith("system") and entry.path != own and entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
    os.close(lock)


def stage_binds(binds: list[dict]) -> list[dict]:
    """Repeats each source below a fresh /tmp of this process's own, past folders only root may enter."""
    check(libc.unshare(CLONE_NEWNS), "unshare")
    check(libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None), "mount private")
    # Opened first: a source may lie below the /tmp that is about to be covered.
    opened = [os.open(bind["source"], os.O_PATH) for bind in binds]
    check(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", ctypes.c_ulong(0), b"mode=755"), "mount /tmp")
    staged = []
    for number, (bind, descriptor) in enumerate(zip(binds, opened)):
        place = f"/tmp/{number}"
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            os.mkdir(place)
        else:
            os.close(os.open(place, os.O_CREAT | os.O_WRONLY))
        source = f"/proc/self/fd/{descriptor}".encode()
        check(libc.mount(source, place.encode(), None, ctypes.c_ulong(MS_BIND), None), f"bind {bind['source']}")
        os.close(descriptor)
        staged.append({**bind, "source": place})
    return staged


def find_offer(config: dict, binds: list[dict]) -> tuple[root_process.Offer, int | None]:
    """What a process of root can give the sandboxes of this jail, and the jail's namespace if each can have a user."""
    owner, user_range, project_range = config["jailUser"], config["sandboxUsers"], config["projectIds"]
    first, count = user_range
    store, names = compose_store(binds), None
    try:
        os.close(users.mount_as(store, owner, first))
        names = users.make_namespace([(1000, owner, 1), (first, first, count)], owner)
    except OSError as error:
        print(f"no user for each sandbox: {error}", file=sys.stderr)
        user_range = None
    if not projects.can_limit(f"{store}/sandboxes"):
        project_range = None
    return root_process.Offer(store, owner, user_range, project_range, os.path.basename(config["parked"])), names


def start_root_process(offer: root_process.Offer) -> dict[str, object]:
    """What the zygote has to know of it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        os.setsid()
        os.chdir("/")
        os.closerange(3, ours.fileno())
        os.closerange(ours.fileno() + 1, OPEN_FILES)
        libc.prctl(15, b"atoll-root", 0, 0, 0)
        root_process.serve(ours, offer)
    theirs.set_inheritable(True)
    return {"channel": theirs.detach(), "users": offer.users, "limits_disk": offer.projects is not None}


def compose_store(binds: list[dict]) -> str:
    """The store as the jail sees it: with the folder of data sets, which nobody there may write to."""
    place = "/tmp/store"
    os.mkdir(place)
    for bind in sorted(binds, key=lambda bind: bind["target"]):
        if bind["target"].startswith("/atoll/store"):
            target = (place + bind["target"][len("/atoll/store") :]).encode()
            check(libc.mount(bind["source"].encode(), target, None, ctypes.c_ulong(MS_BIND), None), "bind store")
            if not bind["writable"]:
                flags = ctypes.c_ulong(MS_BIND | MS_REMOUNT | MS_RDONLY)
                check(libc.mount(b"none", target, None, flags, None), "read-only store")
    return place


def raise_limits() -> None:
    """The jail's own limits are above those of its sandboxes, as far as this user may go."""
    for name in SHARED_LIMITS:
        raise_limit(getattr(resource, f"RLIMIT_{name}"), resource.RLIM_INFINITY)
    raise_limit(resource.RLIMIT_NOFILE, min(OPEN_FILES, int(read("/proc/sys/fs/nr_open"))))


def raise_limit(name: int, wanted: int) -> None:
    _, hard = resource.getrlimit(name)
    if hard == resource.RLIM_INFINITY or hard > wanted != resource.RLIM_INFINITY:
        wanted = hard
    for value in (wanted, hard):
        try:
            return resource.setrlimit(name, (value, value))
        except (OSError, ValueError):  # Not even root may in some containers.
            continue


def find_control_groups(key: str) -> dict[str, str]:
    """Controller → a new folder that this process may write to; empty where the machine gives none."""
    try:
        found = {}
        for controller, parent in parents_by_controller().items():
            found[controller] = os.path.join(parent, f"atoll-{key}")
        for folder in set(found.values()):
            sweep(os.path.dirname(folder))
            settle(folder)
        return found if "memory" in found else {}
    except OSError as error:
        print(f"no control groups: {error}", file=sys.stderr)
        return {}


def parents_by_controller() -> dict[str, str]:
    with open("/proc/self/cgroup") as file:
        own = [line.rstrip("\n").split(":", 2) for line in file]
    with open("/proc/self/mounts") as file:
        mounts = [line.split() for line in file]
    parents = {}
    for _, names, path in own:
        for controller in set(names.split(",")) & set(CONTROLLERS):
            for _, place, kind, options, *_ in mounts:
                if kind == "cgroup" and controller in options.split(","):
                    parents[controller] = place + path.rstrip("/")
    if "memory" not in parents:
        unified = next((place for _, place, kind, *_ in mounts if kind == "cgroup2"), None)
        path = next((path for number, names, path in own if number == "0" and not names), None)
        if unified and path:
            parent = unified if os.geteuid() == 0 else nearest_writable(unified, unified + path)
            if parent and {"memory", "pids"} <= set(read(f"{parent}/cgroup.subtree_control").split()):
                parents = {name: parent for name in CONTROLLERS}
    return {name: parent for name, parent in parents.items() if os.access(parent, os.W_OK)}


def nearest_writable(root: str, folder: str) -> str | None:
    """Above our own group, since a group with processes in it cannot have limited groups below it."""
    while len(folder) > len(root):
        folder = os.path.dirname(folder)
        if os.access(folder, os.W_OK) and os.access(f"{folder}/cgroup.procs", os.W_OK):
            return folder
    return None


def sweep(parent: str) -> None:
    """Groups of jails that have ended; one with a process in it cannot be removed."""
    for name in os.listdir(parent):
        if name.startswith("atoll-"):
            for folder in (os.path.join(parent, name, "jail"), os.path.join(parent, name)):
                try:
                    os.rmdir(folder)
                except OSError:
                    pass


def settle(folder: str) -> None:
    """Moves this process in, so that no other launcher takes the group for a left-over."""
    os.makedirs(folder, exist_ok=True)
    if not is_v2(folder):
        bound_processes(folder)
        # All sandboxes together weigh as much as the machine has processors, not as one process.
        if os.path.exists(f"{folder}/cpu.shares"):
            write(f"{folder}/cpu.shares", str(1024 * (os.cpu_count() or 1)))
        return write(f"{folder}/cgroup.procs", str(os.getpid()))
    # On v2 a group with processes of its own cannot have limited groups below it.
    own = os.path.join(folder, "jail")
    os.makedirs(own, exist_ok=True)
    write(f"{own}/cgroup.procs", str(os.getpid()))
    bound_processes(folder)
    available = set(read(f"{folder}/cgroup.controllers").split())
    for controller in CONTROLLERS:
        if controller in available:
            write(f"{folder}/cgroup.subtree_control", f"+{controller}")


def bound_processes(folder: str) -> None:
    """However many sandboxes fork as much as they may, the machine keeps some numbers for its own processes."""
    if os.path.exists(f"{folder}/pids.max"):
        write(f"{folder}/pids.max", str(int(read("/proc/sys/kernel/pid_max")) * 3 // 4))


def hand_over(folder: str, user: int, group: int) -> str:
    for name in ("", "cgroup.procs", "cgroup.subtree_control", "cgroup.threads"):
        place = os.path.join(folder, name)
        if os.path.exists(place):
            os.chown(place, user, group)
    return folder


def is_v2(folder: str) -> bool:
    return os.path.exists(f"{folder}/cgroup.controllers")


def read(path: str) -> str:
    with open(path) as file:
        return file.read()


def write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def check(result: int, what: str) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise SystemExit(f"{what}: {os.strerror(error)}")


if __name__ == "__main__":
    main()
