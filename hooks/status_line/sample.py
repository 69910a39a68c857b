"""Append the reading of the status line as an event if it is new.

Invariant: at most one event per reading. A reading with the same tokens and window as the last one,
and no compaction in between, is a repeat. The wait for the lock is short.
"""

from __future__ import annotations

import os

from hooks.reading import sampled
from journal.events.hook_input import Call, safe_id
from journal.files import lines_back
from journal.home import branch_of
from journal.log.append import Busy
from journal.log.record import is_whole, last_bytes, seq_of, unframe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Context
    from journal.transcript.statusline import Reading
    from journal.transcript.threshold import Threshold

_PATIENCE = 0.1  # seconds; the client draws the line again after the next reply
_SOURCE = b'"source":"statusline"'
_COMPACTING = b'"type":"compact.'


def take(reading: Reading, context: Context, point: Threshold) -> int:
    """Append the reading unless it is unknown or recorded; return the log's last seq, 0 for none.

    Raise JournalOffError if nothing can be appended.
    """
    window = last_bytes(context.directory)
    last = _last_seq(window)
    if reading.tokens is None or _is_recorded(window, reading):
        return last
    event = event_of(reading, context, point)
    try:
        with context.writer(_PATIENCE) as writer:
            # Two windows of the client may draw their lines at once.
            if _is_recorded(writer.tail, reading):
                return writer.last_seq
            return writer.append(event)[-1]
    except Busy:
        return last


def event_of(reading: Reading, context: Context, point: Threshold) -> dict[str, Any]:
    """Build the `pressure.sampled` event of a reading whose tokens are known."""
    tokens = reading.tokens or 0
    data = {"session_id": reading.session_id, "cwd": reading.cwd}
    where = reading.cwd or context.project.root
    facts = {"branch": branch_of(where) if os.path.isabs(where) else ""}
    call = Call(data, "", context.project.root, context.settings, facts)
    return sampled(
        call,
        point,
        source="statusline",
        tokens=tokens,
        used=reading.used_percentage,
        model=reading.model,
        at=context.iso,
    )


def _is_recorded(window: bytes, reading: Reading) -> bool:
    """Return whether the session's last reading of this source in `window` is this one."""
    sid = b'"sid":"' + safe_id(reading.session_id).encode() + b'"'
    for line in lines_back(window, (_SOURCE, _COMPACTING)):
        if sid in line and _COMPACTING in line[:128]:
            return False
        if sid in line and _SOURCE in line and is_whole(line):
            fields = unframe(line)
            same = fields.get("tokens") == reading.tokens
            return same and reading.window in (None, fields.get("window"))
    return False


def _last_seq(window: bytes) -> int:
    for line in reversed(window.split(b"\n")):
        if is_whole(line):
            return max(0, seq_of(line))
    return 0
