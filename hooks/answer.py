"""The answering half of a hook call: fold the new events, append follow-up events, answer.

The call's own events are already in the log. Everything here runs under the writer's lock: if two
calls cross a threshold at the same time, only one warns. Invariant: the answer is
`answer(views, event, settings)`, and it is appended as an event before it is printed.
"""

from __future__ import annotations

from msgspec.structs import replace

from journal.events.base import Unknown
from journal.events.registry import decode
from journal.history.current import HOOK_BYTES, Current, fold_of_end
from journal.log.record import type_of
from journal.redaction import redact_value
from projections.messages import SAID, SAYING, answer, combined, explain
from projections.messages.message import Answer, in_pieces
from projections.views import Views

TYPE_CHECKING = False
if TYPE_CHECKING:
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
            event = decode_record(appended.line) if context.answers else None
            found = answer(current.views, event, context.settings) if event is not None else None
            if found is not None and found.events:
                writer.append(*answer_events(call, found))
                current.advance(writer)
        elif call.hook == "SessionStart" and appended.fact.get("source") == "compact":
            views = Views(**fold_of_end(context.directory).states)
            found = recovery_alone(views, decode_record(appended.line), context)
            if found is not None and found.events:
                writer.append(*answer_events(call, found))
        try:
            current.store()
        except Exception as error:  # noqa: BLE001 (the answer is worth more than its shortcut)
            context.note(call.hook, error)
    return found


def recovery_alone(views: Views, event: Any, context: Context) -> Answer | None:
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


def decode_record(line: bytes) -> Event | None:
    """Decode a record; return None if this build does not know its type."""
    event = decode(line, type_of(line))
    return None if isinstance(event, Unknown) else event


def answer_events(call: Call, found: Answer) -> list[dict[str, Any]]:
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
