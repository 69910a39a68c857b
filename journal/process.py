"""Processes of Claude Code: command line, start time, and whether one still runs.

Without /proc only its existence is known. Invariant: reads are bounded, and no process is started
or signalled.
"""

from __future__ import annotations

import os

_LIMIT = 64 * 1024  # bytes of a command line
_START = 19  # index of the start time in /proc/PID/stat, after the program's name
_UNITS = {"k": 1_000, "m": 1_000_000}


def is_running(pid: int, start: int) -> bool | None:
    """Return whether a process still runs; None if another process may have its id.

    start: its start time from `start_of`, 0 if unknown.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it exists, and another user owns it
    now = start_of(pid)
    if now < 0:
        return False
    return now == start if start and now else None


def start_of(pid: int) -> int:
    """Return the start time of a process in clock ticks since boot; 0 unknown, -1 if it ended.

    A killed process keeps its id until its parent waits for it, and counts as ended.
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
    """Return the auto-compact window N of `claude --autocompact N`, 0 without."""
    text = option(pid, b"--autocompact").strip().lower().replace(",", "").replace("_", "")
    unit = _UNITS.get(text[-1:], 1)
    digits = text[:-1] if unit > 1 else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        return 0
    return min(int(digits) * unit, 100_000_000)
