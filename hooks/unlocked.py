"""Answer while another process holds the lock, since a recovery must not wait for it.

The views come from the checkpoint, the log as a reader sees it, and this call's events in the
spool. The answer's own events go into the spool too, so the next writer records them. If two calls
find the lock taken at the same time, both may give the same message.
"""

from __future__ import annotations

from hooks.answer import answer_events, decode_record
from journal.history.current import HOOK_BYTES, Current
from journal.log import spool
from journal.log.record import numbered, prepare
from projections.messages import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hooks.context import Context
    from journal.events.hook_input import Call
    from projections.messages.message import Answer


def respond_without_lock(
    call: Call, context: Context, line: bytes, waiting: Sequence[dict[str, Any]]
) -> Answer | None:
    """Return the answer, None if there is none or the views are too far behind the log.

    Args:
        call: the hook call.
        context: its project, settings and clock.
        line: the record of its first event without checksum, b"" if it is not in the log yet.
        waiting: with an empty `line`, the call's events in the spool, its first event first.

    Raises:
        OSError: the answer's events cannot be written to the spool.

    """
    current = Current(context.directory)
    if not current.read_on(HOOK_BYTES, unpack=False):
        return None
    seq = current.fold.seq
    bodies = [prepare(event, context.iso).body for event in waiting]
    current.fold.feed(
        [(seq + at, numbered(seq + at, body)[:-1]) for at, body in enumerate(bodies, 1)]
    )
    event = decode_record(line or b'{"seq":%d,%b}' % (seq + 1, bodies[0]))
    found = answer(current.views, event, context.settings) if event is not None else None
    if found is not None and found.events:
        spool.put(context.directory, context.iso, tuple(answer_events(call, found)))
    return found
