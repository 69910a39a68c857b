"""Recognise a repeated hook call, so a hook that is registered twice has one effect.

`key_for` is pure: it checks the last bytes of the log. Two kinds of keys: a fact that happens
once (a tool call has an id) repeats wherever its key is found; a fact that may happen again (a
resume, a compaction; the key ends in `.`) repeats only right after itself: nothing else of that
session came between, and no more than SPAN_MS passed.
"""

from __future__ import annotations

import os

from journal.clock import iso, millis
from journal.files import read_tail
from journal.log.append import WINDOW
from journal.log.record import ACTIVE, HEAD

SPAN_MS = 10_000  # handlers registered twice start together; on a slow machine one may come later
# Hooks append these events themselves: they may stand between a call and its repeat.
_OWN = (
    b'"type":"advice.given"',
    b'"type":"context.injected"',
    b'"type":"checkpoint.saved"',
    b'"type":"compact.gathered"',
    b'"type":"files.changed"',
    b'"type":"flow.trimmed"',
    b'"type":"segment.opened"',
    b'"type":"pressure.sampled"',
)
_STATUS_LINE = b'"source":"statusline"'  # not a hook's own event: Claude Code sent the reading


def key_for(tail: bytes, key: str, sid: str, now: str) -> str:
    """Return the key to append under, or "" if the log's last bytes show that this is a repeat.

    now: ISO time of the append. A key ending in `.` gets the time added, which sets it apart.
    """
    start_of_key = b'"key":"' + key.encode()
    if not key.endswith("."):
        return "" if start_of_key + b'"' in tail else key
    at = tail.rfind(start_of_key)
    if at >= 0:
        start = tail.rfind(b"\n", 0, at) + 1
        end = tail.find(b"\n", at)
        end = len(tail) if end < 0 else end
        if _close(tail[start:end], now) and not _follows(tail[end + 1 :], sid):
            return ""
    return with_time(key, now)


def with_time(key: str, now: str) -> str:
    """Add the time to the key of a fact that may happen again; return others as they are."""
    if not key.endswith("."):
        return key
    at = millis(now)
    return key + (now if at is None else iso(at).translate({ord(c): None for c in "-:.TZ"}))


def last_bytes(directory: str) -> bytes:
    """Return the last 64 KiB of a journal's active segment, b"" where there is none; no lock."""
    try:
        return read_tail(os.path.join(directory, ACTIVE), WINDOW)
    except OSError:
        return b""


def _close(line: bytes, now: str) -> bool:
    at = line.find(b'"ts":"')
    earlier = millis(line[at + 6 : line.find(b'"', at + 6)].decode("ascii", "replace"))
    current = millis(now)
    return earlier is not None and current is not None and abs(current - earlier) <= SPAN_MS


def _follows(rest: bytes, sid: str) -> bool:
    """Return whether an event of the session's main thread follows."""
    of_session = b'"sid":"' + sid.encode() + b'"'
    return any(
        of_session in line
        and line.startswith(HEAD)
        and b'"agent":"' not in line
        and (_STATUS_LINE in line or not any(marker in line[:128] for marker in _OWN))
        for line in rest.split(b"\n")
    )
