"""The directories of a warm child: for its answers, and for its socket.

Answers are in `warm/PID` of the plugin's data directory (PID: Claude Code's process), where the
guard finds them; the module's file `warm/PID.short` tells the guard how to read. The socket is
beside the answers unless that path is too long for a socket.
Invariant: both directories are 0700 and belong to this user; those of ended processes are removed.
"""

from __future__ import annotations

import contextlib
import os
import socket

from journal.home import ensure_directory
from journal.process import is_running

_LONGEST = 100  # bytes of a socket's path; Linux takes 107, macOS 103
_ELSEWHERE = "/tmp"  # noqa: S108 (a directory is made there, 0700)
_PREFIX = "journal-warm-"
_EXPIRES = 60.0  # seconds after which an unread answer is removed


class Folder:
    """path: of the answers; socket: path of the socket."""

    def __init__(self, data: str, client: int) -> None:
        self._top = os.path.join(data, "warm")
        ensure_directory(self._top)
        self.path = os.path.join(self._top, str(client))
        ensure_directory(self.path)
        status = os.lstat(self.path)
        if status.st_uid != os.getuid() or status.st_mode & 0o40077 != 0o40000:
            raise OSError(f"{self.path} is not a directory of this user alone")
        self._socket_dir = ""
        where = self.path
        if len(os.fsencode(where)) > _LONGEST - 12:
            where = self._socket_dir = os.path.join(_ELSEWHERE, f"{_PREFIX}{os.urandom(8).hex()}")
            os.mkdir(where, 0o700)
        self.socket = os.path.join(where, f"s{os.getpid()}")

    def listen(self) -> socket.socket:
        """Return the listening socket, 0600."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        old_mask = os.umask(0o177)
        try:
            listener.bind(self.socket)
        finally:
            os.umask(old_mask)
        listener.listen(64)
        return listener

    def answer(self, number: str) -> str:
        """Return the path of an answer."""
        return os.path.join(self.path, number)

    def claim(self, number: str) -> bool:
        """Return whether this is the first claim of a call: to record it, or to cancel it."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        try:
            os.close(os.open(os.path.join(self.path, f"c{number}"), flags, 0o600))
        except FileExistsError:
            return False
        return True

    def tidy(self, now: float) -> None:
        """Remove old answers and claims."""
        for entry in os.scandir(self.path):
            is_old = now - entry.stat(follow_symlinks=False).st_mtime > _EXPIRES
            if entry.name.removeprefix("c").isdigit() and is_old:
                os.unlink(entry.path)

    def sweep(self) -> None:
        """Remove the directories and sockets of Claude Code processes and children that ended."""
        for entry in os.scandir(self._top):
            pid, _, ending = entry.name.partition(".")
            if pid.isdigit() and is_running(int(pid), 0) is False:
                (os.unlink if ending else _remove)(entry.path)
        for entry in os.scandir(_ELSEWHERE):
            if entry.name.startswith(_PREFIX) and _is_abandoned(entry.path):
                _remove(entry.path)

    def close(self) -> None:
        """Remove socket and claims; answers may still be read, and a later child removes them.

        Without claims a call and the command hook may both record; dedupe keys leave one event.
        """
        claims = [name for name in os.listdir(self.path) if name.startswith("c")]
        for remove, path in (
            (os.unlink, self.socket),
            *((os.unlink, os.path.join(self.path, name)) for name in claims),
            (os.rmdir, self._socket_dir),
            (os.rmdir, self.path),  # fails where there is an answer, or the next child's socket
        ):
            with contextlib.suppress(OSError):
                remove(path)


def _is_abandoned(path: str) -> bool:
    """Return whether a directory is ours, and its one file the socket of a child that ended."""
    with contextlib.suppress(OSError):
        names = os.listdir(path) if os.lstat(path).st_uid == os.getuid() else []
        pids = [name.removeprefix("s") for name in names]
        return len(pids) == 1 and pids[0].isdigit() and is_running(int(pids[0]), 0) is False
    return False


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):  # another child sweeps as well
        for entry in os.scandir(path):
            os.unlink(entry.path)
        os.rmdir(path)
