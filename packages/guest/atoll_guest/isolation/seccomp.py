"""The system-call filter of every process in a sandbox.

Calls that make new attack surface or reach past the sandbox fail with EPERM; calls newer than this table, and those
for which libraries have a fallback, fail with ENOSYS. The filter is inherited and cannot be removed.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import itertools
import socket
import struct

from . import syscalls

_SECCOMP_SET_MODE_FILTER = 1
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _AND, _JUMP_EQ, _JUMP_GE, _JUMP_SET, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENT = 0, 4, 16

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_NEWEST_KNOWN = 467  # One numbering for all processors since 424.

# name: (x86_64, aarch64); None where the processor has no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "move_mount": (429, 429),
    "open_tree": (428, 428), "open_tree_attr": (467, 467), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "statmount": (457, 457),
    "listmount": (458, 458), "unshare": (272, 97), "setns": (308, 268),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "fanotify_init": (300, 262),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "lookup_dcookie": (212, 18),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "create_module": (174, None),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "syslog": (103, 116),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "sethostname": (170, 161), "setdomainname": (171, 162), "iopl": (172, None), "ioperm": (173, None),
    "modify_ldt": (154, None), "vhangup": (153, 58), "nfsservctl": (180, 42), "uselib": (134, None),
    "ustat": (136, None), "sysfs": (139, None), "_sysctl": (156, None), "personality": (135, 92),
    "mbind": (237, 235), "set_mempolicy": (238, 237), "get_mempolicy": (239, 236), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "set_mempolicy_home_node": (450, 450), "vmsplice": (278, 75),
    "memfd_secret": (447, 447), "lsm_set_self_attr": (460, 460),
}  # fmt: skip
# The C library falls back to clone, whose flags the filter can read; clone3 hides them behind a pointer.
_ABSENT = {"clone3": (435, 435)}
_CLONE, _SOCKET, _IOCTL, _PRLIMIT = (56, 220), (41, 198), (16, 29), (302, 261)
_SUPERVISOR = 1  # Its process id, in the sandbox's own namespace.
# kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo and pidfd_open. Linux keeps most signals from process 1; gVisor does not.
_TO_A_PROCESS = ((62, 129), (200, 130), (234, 131), (129, 138), (297, 240), (434, 434))
# sched_setparam, sched_setscheduler, sched_setaffinity and sched_setattr: of the caller itself, named 0, and of no other.
_SCHEDULING = ((142, 118), (144, 119), (203, 122), (314, 274))
# setpriority and ioprio_set, with the word for "one process" that comes before its number.
_PRIORITIES = {(141, 140): 0, (251, 30): 1}

_NEW_NAMESPACES = 0x7E020000  # Every CLONE_NEW* flag that clone can take.
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_SOCK_TYPE_MASK, _NETLINK_ROUTE = 0xF, 0
_PROTOCOLS = (0, socket.IPPROTO_TCP, socket.IPPROTO_UDP)  # Not MPTCP, SCTP, UDP-Lite or ICMP.


def install() -> None:
    """Needs no_new_privs. Applies to this process and all it will start."""
    program = _program()
    code = ctypes.create_string_buffer(program, len(program))
    pointer = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    syscalls.call("seccomp", ctypes.c_uint(_SECCOMP_SET_MODE_FILTER), ctypes.c_uint(0), pointer)


def prepare() -> None:
    """Builds the filter ahead of time, once for all forks."""
    _program()


@functools.cache
def _program() -> bytes:
    return _assemble(_rules(syscalls.machine()))


# A rule is a label (str) or an instruction: (opcode, value, label if true, label if false); no label means the next line.
_Rule = str | tuple[int, int, str | None, str | None]


def _rules(machine: str) -> list[_Rule]:
    column = 0 if machine == "x86_64" else 1
    rules: list[_Rule] = [
        _load(_ARCHITECTURE),
        _if(_JUMP_EQ, _AUDIT_ARCH[machine], "native", None),
        _return(_KILL_PROCESS),
        "native",
        _load(_NUMBER),
        # Covers the x32 numbers of x86_64 too, which have bit 30 set.
        *_answer(_JUMP_GE, _NEWEST_KNOWN + 1, errno.ENOSYS),
    ]
    for error, table in ((errno.EPERM, _DENIED), (errno.ENOSYS, _ABSENT)):
        for numbers in table.values():
            if (number := numbers[column]) is not None:
                rules += _answer(_JUMP_EQ, number, error)
    rules += _only_for(_CLONE[column], [_load(_ARGUMENT), *_answer(_JUMP_SET, _NEW_NAMESPACES, errno.EPERM)])
    rules += _only_for(
        _IOCTL[column],
        [
            _load(_ARGUMENT + 8),
            *_answer(_JUMP_EQ, _TIOCSTI, errno.EPERM),
            *_answer(_JUMP_EQ, _TIOCLINUX, errno.EPERM),
        ],
    )
    for numbers in (_PRLIMIT, *_TO_A_PROCESS):
        rules += _only_for(numbers[column], [_load(_ARGUMENT), *_answer(_JUMP_EQ, _SUPERVISOR, errno.EPERM)])
    for numbers in _SCHEDULING:
        rules += _only_for(numbers[column], [_load(_ARGUMENT), *_unless(0, errno.EPERM)])
    for numbers, one_process in _PRIORITIES.items():
        only_itself = [*_unless(one_process, errno.EPERM), _load(_ARGUMENT + 8), *_unless(0, errno.EPERM)]
        rules += _only_for(numbers[column], [_load(_ARGUMENT), *only_itself])
    rules += _only_for(_SOCKET[column], _socket_rules())
    return [*rules, _return(_ALLOW)]


def _socket_rules() -> list[_Rule]:
    """Unix sockets, TCP and UDP over IPv4 and IPv6, and the netlink socket that lists interfaces; nothing else."""
    return [
        _load(_ARGUMENT),
        _if(_JUMP_EQ, socket.AF_UNIX, "allow", None),
        _if(_JUMP_EQ, socket.AF_INET, "internet", None),
        _if(_JUMP_EQ, socket.AF_INET6, "internet", None),
        _if(_JUMP_EQ, socket.AF_NETLINK, "netlink", "no family"),
        "netlink",
        _load(_ARGUMENT + 16),
        _if(_JUMP_EQ, _NETLINK_ROUTE, "allow", "no family"),
        "internet",
        _load(_ARGUMENT + 8),
        (_AND, _SOCK_TYPE_MASK, None, None),
        _if(_JUMP_EQ, socket.SOCK_STREAM, "protocol", None),
        _if(_JUMP_EQ, socket.SOCK_DGRAM, "protocol", None),
        _return(_ERRNO | errno.EPERM),
        "protocol",
        _load(_ARGUMENT + 16),
        *(_if(_JUMP_EQ, protocol, "allow", None) for protocol in _PROTOCOLS),
        _return(_ERRNO | errno.EPROTONOSUPPORT),
        "no family",
        _return(_ERRNO | errno.EAFNOSUPPORT),
        "allow",
        _return(_ALLOW),
    ]


_serial = itertools.count()


def _answer(kind: int, value: int, error: int) -> list[_Rule]:
    after = f"after rule {next(_serial)}"
    return [_if(kind, value, None, after), _return(_ERRNO | error), after]


def _unless(value: int, error: int) -> list[_Rule]:
    after = f"after rule {next(_serial)}"
    return [_if(_JUMP_EQ, value, after, None), _return(_ERRNO | error), after]


def _only_for(number: int, rules: list[_Rule]) -> list[_Rule]:
    """Runs the rules for one call only, then has the call's number loaded again."""
    after = f"after rule {next(_serial)}"
    return [_if(_JUMP_EQ, number, None, after), *rules, after, _load(_NUMBER)]


def _load(offset: int) -> _Rule:
    return (_LOAD, offset, None, None)


def _if(kind: int, value: int, then: str | None, otherwise: str | None) -> _Rule:
    return (kind, value, then, otherwise)


def _return(action: int) -> _Rule:
    return (_RETURN, action, None, None)


def _assemble(rules: list[_Rule]) -> bytes:
    places: dict[str, int] = {}
    lines: list[tuple[int, int, str | None, str | None]] = []
    for rule in rules:
        if isinstance(rule, str):
            places[rule] = len(lines)
        else:
            lines.append(rule)

    def distance(at: int, label: str | None) -> int:
        return 0 if label is None else places[label] - at - 1

    return b"".join(
        struct.pack("<HBBI", code, distance(at, then), distance(at, otherwise), value)
        for at, (code, value, then, otherwise) in enumerate(lines)
    )
