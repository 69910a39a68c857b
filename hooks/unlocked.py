"""Answer while another process holds the lock, since a recovery must not wait for it.

The views come from the checkpoint, the log as a reader sees it, and this call's events in the
spool. The answer's own events go into the spool too, so the next writer records them. If two calls
find the lock taken at the same time, both may give the same message.
"""

from __future__ import annotations

from hooks.answer import answer_events, decode_record, recovery_alone
from journal.history.current import HOOK_BYTES, Current, fold_of_end
from journal.log import spool
from journal.log.record import numbered, prepare
from projections.messages import answer
from projections.views import Views

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
    """Return the answer, None if there is none.

    If the views are too far behind the log, only a recovery is given, from the end of the log.

    Args:
        call: the hook call.
        context: its project, settings and clock.
        line: the record of its first event without checksum, b"" if it is not in the log yet.
        waiting: with an empty `line`, the call's events in the spool, its first event first.

    Raises:
        OSError: the answer's events cannot be written to the spool.

    """
    current = Current(context.directory)
    is_whole = current.read_on(HOOK_BYTES, unpack=False)
    if not is_whole and not (call.hook == "SessionStart" and call.data.get("source") == "compact"):
        return None
    fold = current.fold if is_whole else fold_of_end(context.directory)
    seq = fold.seq
    bodies = [prepare(event, context.iso).body for event in waiting]
    fold.feed([(seq + at, numbered(seq + at, body)[:-1]) for at, body in enumerate(bodies, 1)])
    event = decode_record(line or b'{"seq":%d,%b}' % (seq + 1, bodies[0]))
    views, found = Views(**fold.states), None
    if not is_whole:
        found = recovery_alone(views, event, context)
    elif event is not None:
        found = answer(views, event, context.settings)
    if found is not None and found.events:
        spool.put(context.directory, context.iso, tuple(answer_events(call, found)))
    return found
