"""The answering half of a hook call: fold the new events, append follow-up events, answer.

The call's own events are already in the log. The answer is computed under the writer's lock, so if
two calls cross a threshold at the same time, only one warns. Two calls that find the lock taken may
both give the same message. Invariant: the answer is `answer(views, event, settings)`, and it is
appended as an event, or put into the spool, before it is printed.
"""

from __future__ import annotations

from msgspec.structs import replace

from journal.events.base import Unknown
from journal.events.registry import decode
from journal.history.current import HOOK_BYTES, Current, fold_of_end
from journal.log.record import numbered, prepare, type_of
from journal.redaction import redact_value
from projections.messages import SAID, SAYING, answer, combined, explain
from projections.messages.message import Answer, in_pieces
from projections.views import Views

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hooks.context import Appended, Context
    from journal.events.base import Event
    from journal.events.hook_input import Call
    from journal.log.append import Writer


def respond_with_lock(call: Call, context: Context, appended: Appended) -> Answer | None:
    """Answer the call whose events were `appended`; return None for silence.

    If the views are more than `HOOK_BYTES` behind the log, this call folds a part and stays silent;
    the background handler folds the rest. Only a recovery does not wait for that, because Claude
    needs it now: it tells what the end of the log has.

    Raises:
        Busy: another process held the lock for too long.
        JournalOffError: the journal cannot be written.

    """
    facts = _transcript_facts(call, context) if call.hook == "PreCompact" else None
    with context.writer() as writer:
        if facts is not None:
            writer.append(facts)
        current = Current(context.directory)
        found = None
        if current.advance(writer, HOOK_BYTES):
            _follow_up(writer, current, call, context, appended)
            event = _decoded(appended.line) if context.answers else None
            found = answer(current.views, event, context.settings) if event is not None else None
            if found is not None and found.events:
                writer.append(*_events_of(call, found))
                current.advance(writer)
        elif call.hook == "SessionStart" and appended.fact.get("source") == "compact":
            views = Views(**fold_of_end(context.directory).states)
            found = _recovery_alone(views, _decoded(appended.line), context)
            if found is not None and found.events:
                writer.append(*_events_of(call, found))
        try:
            current.store()
        except Exception as error:  # noqa: BLE001 (the answer is worth more than its shortcut)
            context.note(call.hook, error)
    return found


def respond_without_lock(
    call: Call, context: Context, line: bytes, waiting: Sequence[dict[str, Any]]
) -> Answer | None:
    """Answer a call while another process holds the lock, since a recovery must not wait for it.

    The views come from the checkpoint, the log as a reader sees it, and this call's events in the
    spool. The answer's own events go into the spool too, so the next writer records them. If the
    views are too far behind the log, only a recovery is given, from the end of the log.

    Args:
        call: the hook call.
        context: its project, settings and clock.
        line: the record of its first event without checksum, b"" if it is not in the log yet.
        waiting: with an empty `line`, the call's events in the spool, its first event first.

    Raises:
        OSError: the answer's events cannot be written to the spool.

    """
    from journal.log import spool  # imported here because the lock is seldom taken

    current = Current(context.directory)
    is_whole = current.read_on(HOOK_BYTES, unpack=False)
    if not is_whole and not (call.hook == "SessionStart" and call.data.get("source") == "compact"):
        return None
    fold = current.fold if is_whole else fold_of_end(context.directory)
    seq = fold.seq
    bodies = [prepare(event, context.iso).body for event in waiting]
    fold.feed([(seq + at, numbered(seq + at, body)[:-1]) for at, body in enumerate(bodies, 1)])
    event = _decoded(line or b'{"seq":%d,%b}' % (seq + 1, bodies[0]))
    views, found = Views(**fold.states), None
    if not is_whole:
        found = _recovery_alone(views, event, context)
    elif event is not None:
        found = answer(views, event, context.settings)
    if found is not None and found.events:
        spool.put(context.directory, context.iso, tuple(_events_of(call, found)))
    return found


def _recovery_alone(views: Views, event: Any, context: Context) -> Answer | None:
    """Return the recovery after a compaction, from views of the log's end."""
    trail = views.recovery.sessions.get(event.sid) if event is not None else None
    if trail is None:
        return None
    # The end of the log does not show which compaction of the session this is.
    sessions = {**views.recovery.sessions, event.sid: replace(trail, compactions=1)}
    views = replace(views, recovery=replace(views.recovery, sessions=sessions))
    every = explain(views, event, context.settings)
    return combined(item for item in every if item.message == "recovery")


def _transcript_facts(call: Call, context: Context) -> dict[str, Any] | None:
    """Read facts that only the transcript has, before taking the lock; return None on an error."""
    from hooks.transcript_facts import read_facts

    try:
        return read_facts(call, context)
    except Exception as error:  # noqa: BLE001 (the compaction goes on without it)
        context.note(call.hook, error)
        return None


def _follow_up(
    writer: Writer, current: Current, call: Call, context: Context, appended: Appended
) -> None:
    """Append the events that need the views: inferred ends, save point, trims, checked items."""
    views = current.views
    fact = appended.fact
    work = None
    events: list[dict[str, Any]] = []
    if call.hook == "SessionStart" and fact.get("source") == "compact":
        from hooks.compaction import trim_work

        work = trim_work(views, call, context)
        events = work.events if work else []
    elif call.hook == "SessionStart":
        from hooks.dead_sessions import inferred_ends

        events = inferred_ends(views, {**fact, "ts": context.iso}, call, writer.tail)
    elif call.hook == "PreCompact":
        from hooks.compaction import save_point

        events = save_point(views, fact, call)
    target = str(fact.get("target", "")) if fact.get("changed") else None
    if (target or call.hook == "PreCompact") and call.sid in views.unit.sessions:
        from hooks.checklists import check_items

        events += check_items(views, call, context, target)
    if events:
        writer.append(*events)
        current.advance(writer)
    if work:
        compaction = current.views.recovery.sessions[call.sid].compaction
        work.write_files(compaction.seq if compaction else appended.seq)


def _decoded(line: bytes) -> Event | None:
    """Decode a record; return None if this build does not know its type."""
    event = decode(line, type_of(line))
    return None if isinstance(event, Unknown) else event


def _events_of(call: Call, found: Answer) -> list[dict[str, Any]]:
    """Return the answer's events for the log; the first one carries the answer's text.

    Redacts the texts of `found` in place, so Claude receives exactly the text that the log stores.
    """
    texts = redact_value(found.texts)  # in one scan
    assert isinstance(texts, dict)
    for name, text in texts.items():
        setattr(found, name, text)
    events = [_for_call(call, event) for event in found.events]
    if not found.texts or not call.full:
        return events
    first = next(event for event in events if event["type"] in SAYING)
    pieces = list(in_pieces(found.texts))
    first["said"] = pieces[0]
    more = ({"type": SAYING[1], "what": SAID, "said": piece} for piece in pieces[1:])
    return [*events, *(_for_call(call, event) for event in more)]


def _for_call(call: Call, event: dict[str, Any]) -> dict[str, Any]:
    body = {name: value for name, value in event.items() if name != "type"}
    if event["type"] in SAYING:
        body["hook"] = call.hook
    return call.event(event["type"], "", **body)
