"""Processes of the client: what one was started with, when, and whether it still runs.

Where the system has no /proc, only its existence is known. Invariant: a read is bounded, and no
process is started or signalled.
"""

from __future__ import annotations

import os

__all__ = ["autocompact_of", "is_running", "option", "start_of"]

_LIMIT = 64 * 1024  # bytes of a command line
_START = 19  # place of the start time in /proc/PID/stat, counted from after the program's name
_UNITS = {"k": 1_000, "m": 1_000_000}


def is_running(pid: int, start: int) -> bool | None:
    """Return whether a process still runs; None where another one may have its number.

    start: as `start_of` returned it then, 0 unknown.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it is somebody else's
    now = start_of(pid)
    if now < 0:
        return False
    return now == start if start and now else None


def start_of(pid: int) -> int:
    """Return when a process started, in ticks since the system did; 0 unknown, -1 it is over.

    A process that was killed keeps its number until its parent has asked for its end.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read(4096).rpartition(b") ")[2].split()
        return -1 if fields[0] in (b"Z", b"X") else int(fields[_START])
    except (OSError, ValueError, IndexError):
        return 0


def option(pid: int, *names: bytes) -> str:
    """Return the value of an option in a process's command line; "" for none."""
    if not pid:
        return ""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            arguments = file.read(_LIMIT).split(b"\0")
    except OSError:
        return ""
    for at, argument in enumerate(arguments):
        name, _, value = argument.partition(b"=")
        if name in names:
            return (value or b"".join(arguments[at + 1 : at + 2])).decode("utf-8", "replace")
    return ""


def autocompact_of(pid: int) -> int:
    """Return the auto-compact window that `claude --autocompact N` asks for, 0 for none."""
    text = option(pid, b"--autocompact").strip().lower().replace(",", "").replace("_", "")
    unit = _UNITS.get(text[-1:], 1)
    digits = text[:-1] if unit > 1 else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        return 0
    return min(int(digits) * unit, 100_000_000)
