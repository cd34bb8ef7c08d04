"""Tries to reach each address, by every family of sockets, and prints the error each attempt gives, or "reached"."""

import json
import socket

KINDS = {
    "raw IPv4": (socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
    "raw IPv6": (socket.AF_INET6, socket.SOCK_RAW, 58),
    "packet": (17, socket.SOCK_RAW, 0x0300),
    "packet datagram": (17, socket.SOCK_DGRAM, 0x0300),
    "vsock": (40, socket.SOCK_STREAM, 0),
    "xdp": (44, socket.SOCK_RAW, 0),
    "bluetooth": (31, socket.SOCK_RAW, 1),
    "key management": (15, socket.SOCK_RAW, 2),
    "crypto": (38, socket.SOCK_SEQPACKET, 0),
    "kernel events": (16, socket.SOCK_RAW, 15),
    "multipath TCP": (socket.AF_INET, socket.SOCK_STREAM, 262),
    "SCTP": (socket.AF_INET, socket.SOCK_STREAM, 132),
    "UDP-Lite": (socket.AF_INET, socket.SOCK_DGRAM, 136),
    "ping": (socket.AF_INET, socket.SOCK_DGRAM, 1),
}


def outcome(attempt):
    try:
        attempt()
        return "reached"
    except AttributeError:
        return "AttributeError"  # Python itself does not know this kind of socket here.
    except OSError as error:
        return type(error).__name__ if error.errno is None else f"{type(error).__name__} {error.errno}"


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.settimeout(3)
        connection.connect(address)


def send(family, address):
    """Two datagrams: what the first one ran into is told when the second is sent."""
    with socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.settimeout(3)
        sender.connect(address)
        sender.send(ARGS["token"].encode())  # noqa: F821
        sender.send(ARGS["token"].encode())  # noqa: F821


def family_of(host):
    return socket.AF_INET6 if ":" in host else socket.AF_INET


outcomes = {}
for host, port in ARGS.get("tcp", []):  # noqa: F821
    outcomes[f"tcp {host}"] = outcome(lambda: connect(family_of(host), (host, port)))
for host, port in ARGS.get("udp", []):  # noqa: F821
    outcomes[f"udp {host}"] = outcome(lambda: send(family_of(host), (host, port)))
for path in ARGS.get("unix", []):  # noqa: F821
    outcomes[f"unix {path}"] = outcome(lambda: connect(socket.AF_UNIX, path))
for name in ARGS.get("names", []):  # noqa: F821
    outcomes[f"name {name}"] = outcome(lambda: socket.getaddrinfo(name, 443))
for kind in ARGS.get("kinds", []):  # noqa: F821
    outcomes[f"socket {kind}"] = outcome(lambda: socket.socket(*KINDS[kind]).close())
print(json.dumps(outcomes))
