"""The answering half of a hook call: fold what is new, append what follows from it, answer.

The call's own events are in the log by then. All of it happens under the writer's lock, so that of
two calls that cross a threshold at once one warns. Invariant: what is answered is
`answer(views, event, settings)` and is itself an event, appended before it is printed.
"""

from __future__ import annotations

from hooks.output import render
from journal.events.registry import decode, kind_of
from journal.history.current import HOOK_BYTES, Current
from journal.log.append import Writer
from projections.messages import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.context import Appended, Context
    from journal.events.hook_input import Call

__all__ = ["respond"]


def respond(call: Call, context: Context, appended: Appended, limit: int = HOOK_BYTES) -> str:
    """Answer the call whose events were `appended`; return the text for stdout.

    Silent where the views are more than `limit` bytes behind the log: this call folds a part, and
    the background handler the rest. Raises Busy where the lock is taken for too long,
    JournalOffError where nothing can be written.
    """
    with Writer(context.directory, context.iso, sync=context.settings["append.sync"]) as writer:
        current = Current(context.directory)
        found = None
        if current.advance(writer, limit):
            _follow_up(writer, current, call, context, appended)
            event = _typed(appended.line)
            found = answer(current.views, event, context.settings) if event is not None else None
            if found is not None and found.events:
                writer.append(*(_recorded(call, event) for event in found.events))
                current.advance(writer)
        try:
            current.store()
        except Exception as error:  # noqa: BLE001 (the answer is worth more than its shortcut)
            from hooks.errors import note

            note(context.env, call.hook, error)
    return render(call.hook, found) if found is not None else ""


def _follow_up(
    writer: Writer, current: Current, call: Call, context: Context, appended: Appended
) -> None:
    """Append what the views say of the fact: ends of dead sessions, a save point, checked items."""
    views = current.views
    fact = appended.fact
    work = None
    events: list[dict[str, Any]] = []
    if call.hook == "SessionStart":
        from hooks.dead_sessions import inferred_ends

        events = inferred_ends(views, fact, call)
    elif call.hook == "PreCompact":
        from hooks.compaction import prepare_compaction

        work = prepare_compaction(views, fact, call, context)
        events = work.events
    target = str(fact.get("target", "")) if fact.get("changed") else None
    if (target or call.hook == "PreCompact") and call.sid in views.unit.sessions:
        from hooks.checklists import checked

        events += checked(views, call, context, target)
    if events:
        writer.append(*events)
        current.advance(writer)
    if work:
        work.write_files(appended.seq)


def _typed(line: bytes) -> Any:
    """Decode a record; None where it is of no known type."""
    event = decode(line, kind_of(line))
    return event if hasattr(event, "sid") and not hasattr(event, "line") else None


def _recorded(call: Call, event: dict[str, Any]) -> dict[str, Any]:
    body = {name: value for name, value in event.items() if name != "type"}
    if event["type"] == "advice.given":
        body["hook"] = call.hook
    return call.event(event["type"], "", **body)
