"""Find the user at the other end of a connection from this machine.

Any user of the machine can reach 127.0.0.1, while a journal's files are of one user alone. The
kernel's table of connections names the user who owns a client's socket. Invariant: another user is
refused if the table names them; without a table (not Linux, a tunnel) nobody is refused.
"""

import os
import socket
import sys
from collections.abc import Iterable, Mapping

# A client whose socket is of the newer family reaches the older one under a mapped address.
_TABLES = (("/proc/net/tcp", ""), ("/proc/net/tcp6", "0000000000000000FFFF0000"))
_ENDS, _UID = slice(1, 3), 7  # columns


def allowed_users(env: Mapping[str, str]) -> frozenset[int]:
    """Return the users that may ask: this one, root, and the one who ran sudo."""
    caller = env.get("SUDO_UID", "")
    own = os.geteuid()
    sudo = {int(caller)} if own == 0 and caller.isascii() and caller.isdigit() else set()
    return frozenset({own, 0, *sudo})


def owner_of(
    client: tuple[str, int], server: tuple[str, int], tables: Iterable[tuple[str, str]] = _TABLES
) -> int | None:
    """Return the user id of the process that connected from `client`; None where unknown."""
    try:
        wanted = [_name(client), _name(server)]
    except (OSError, ValueError, TypeError):
        return None
    for path, lead in tables:
        row = [lead + name for name in wanted]
        try:
            with open(path, encoding="ascii") as file:
                for line in file:
                    parts = line.split()
                    if parts[_ENDS] == row:
                        return int(parts[_UID])
        except (OSError, ValueError, IndexError):
            continue
    return None


def _name(address: tuple[str, int]) -> str:
    """Return address and port as in the table: the address in the machine's own byte order."""
    host, port = address
    return f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}"
