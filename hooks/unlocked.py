"""Answer while another process holds the lock: a recovery that waits for a lock comes too late.

The views are folded from the checkpoint and the log as a reader sees them, then over the events of
this call that wait in the spool. What the answer appends waits there too, so the next writer
records that it was given. Two calls that find the lock taken may both speak of the same thing;
better twice than never.
"""

from __future__ import annotations

from hooks.answer import recorded, typed
from hooks.output import render
from journal.history.current import HOOK_BYTES, Current
from journal.log import spool
from journal.log.record import numbered, prepare
from projections.messages import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Context
    from journal.events.hook_input import Call

__all__ = ["respond_without_lock"]


def respond_without_lock(
    call: Call, context: Context, line: bytes, waiting: list[dict[str, Any]]
) -> str:
    """Return the text for stdout, "" where the views are too far behind the log.

    line: the record of the call's fact without its checksum, b"" where it is not in the log yet;
    then `waiting` are the call's events in the spool, the fact the first of them.
    Raises OSError where what was said cannot be left in the spool.
    """
    current = Current(context.directory)
    if not current.read_on(HOOK_BYTES, unpack=False):
        return ""
    seq = current.fold.seq
    bodies = [prepare(event, context.iso).body for event in waiting]
    current.fold.feed(
        [(seq + at, numbered(seq + at, body)[:-1]) for at, body in enumerate(bodies, 1)]
    )
    event = typed(line or b'{"seq":%d,%b}' % (seq + 1, bodies[0]))
    found = answer(current.views, event, context.settings) if event is not None else None
    if found is None:
        return ""
    if found.events:
        spool.put(context.directory, context.iso, tuple(recorded(call, found)))
    return render(call.hook, found)
