"""The answering half of a hook call: fold what is new, append what follows from it, answer.

The call's own events are in the log by then. All of it happens under the writer's lock, so that of
two calls that cross a threshold at once one warns. Invariant: what is answered is
`answer(views, event, settings)` and is itself an event, appended before it is printed.
"""

from __future__ import annotations

from hooks.output import render
from journal.events.registry import decode, kind_of
from journal.history.current import HOOK_BYTES, Current
from journal.redaction import redact
from projections.messages import SAID, SAYING, answer
from projections.messages.message import in_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Appended, Context
    from journal.events.hook_input import Call
    from journal.log.append import Writer
    from projections.messages.message import Answer

__all__ = ["recorded", "respond", "typed"]


def respond(call: Call, context: Context, appended: Appended) -> str:
    """Answer the call whose events were `appended`; return the text for stdout.

    Silent where the views are more than `HOOK_BYTES` behind the log: this call folds a part, and
    the background handler the rest. Raises Busy where the lock is taken for too long,
    JournalOffError where nothing can be written.
    """
    gathered = _gathered(call, context) if call.hook == "PreCompact" else None
    with context.writer() as writer:
        if gathered is not None:
            writer.append(gathered)
        current = Current(context.directory)
        found = None
        if current.advance(writer, HOOK_BYTES):
            _follow_up(writer, current, call, context, appended)
            event = typed(appended.line)
            found = answer(current.views, event, context.settings) if event is not None else None
            if found is not None and found.events:
                writer.append(*recorded(call, found))
                current.advance(writer)
        try:
            current.store()
        except Exception as error:  # noqa: BLE001 (the answer is worth more than its shortcut)
            from hooks.errors import note

            note(context.env, call.hook, error)
    return render(call.hook, found) if found is not None else ""


def _gathered(call: Call, context: Context) -> dict[str, Any] | None:
    """Read what only the transcript holds, before the lock is taken; a fault costs that alone."""
    from hooks.transcript_facts import gather

    try:
        return gather(call, context)
    except Exception as error:  # noqa: BLE001 (the compaction goes on without it)
        from hooks.errors import note

        note(context.env, call.hook, error)
        return None


def _follow_up(
    writer: Writer, current: Current, call: Call, context: Context, appended: Appended
) -> None:
    """Append what the views say of the fact: ends of sessions, save point, trims, checked items."""
    views = current.views
    fact = appended.fact
    work = None
    events: list[dict[str, Any]] = []
    if call.hook == "SessionStart" and fact.get("source") == "compact":
        from hooks.compaction import tidied

        work = tidied(views, call, context)
        events = work.events if work else []
    elif call.hook == "SessionStart":
        from hooks.dead_sessions import inferred_ends

        events = inferred_ends(views, {**fact, "ts": context.iso}, call, writer.tail)
    elif call.hook == "PreCompact":
        from hooks.compaction import save_point

        events = save_point(views, fact, call)
    target = str(fact.get("target", "")) if fact.get("changed") else None
    if (target or call.hook == "PreCompact") and call.sid in views.unit.sessions:
        from hooks.checklists import checked

        events += checked(views, call, context, target)
    if events:
        writer.append(*events)
        current.advance(writer)
    if work:
        compaction = current.views.recovery.sessions[call.sid].compaction
        work.write_files(compaction.seq if compaction else appended.seq)


def typed(line: bytes) -> Any:
    """Decode a record; None where it is of no known type."""
    event = decode(line, kind_of(line))
    return event if hasattr(event, "sid") and not hasattr(event, "line") else None


def recorded(call: Call, found: Answer) -> list[dict[str, Any]]:
    """Return an answer's events as those of the call's session, the first with all that is said.

    It is said as the log has it, redacted: what was said can be shown again to the byte.
    """
    for name, text in found.texts.items():
        setattr(found, name, redact(text))
    events = [_of_call(call, event) for event in found.events]
    if not found.texts or not call.full:
        return events
    first = next(event for event in events if event["type"] in SAYING)
    pieces = list(in_pieces(found.texts))
    first["said"] = pieces[0]
    more = ({"type": SAYING[1], "what": SAID, "said": piece} for piece in pieces[1:])
    return [*events, *(_of_call(call, event) for event in more)]


def _of_call(call: Call, event: dict[str, Any]) -> dict[str, Any]:
    body = {name: value for name, value in event.items() if name != "type"}
    if event["type"] == "advice.given":
        body["hook"] = call.hook
    return call.event(event["type"], "", **body)
