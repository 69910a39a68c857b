"""The answering half of a hook call: fold what is new, append the fact, answer, keep the snapshot.

All of it happens under the writer's lock, so that a threshold crossed by two calls at once is told
by one of them. Invariant: what is answered is `answer(views, event, settings)` and is itself an
event, appended before it is printed.
"""

from __future__ import annotations

import msgspec

from hooks import errors
from hooks.output import render
from journal.checkpoint import SNAPSHOT, Checkpoint, Position, load, save_in_place
from journal.events.registry import decode, kind_of
from journal.log.record import is_whole, seq_of
from projections.fold import Fold
from projections.messages import answer
from projections.views import HOOK_PROJECTIONS, VERSION, Views, hot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hooks.capture import Context
    from journal.events.hook_input import Call
    from journal.log.append import Writer
    from projections.projection import Projection

__all__ = ["Kept", "load_fold", "respond", "save_fold", "views_of"]


class Kept(msgspec.Struct):
    """What a snapshot's state holds: each view's JSON, and the keys that can still tell a repeat.

    A view that is still empty is not decoded: building a typed decoder costs more than using it.
    """

    views: dict[str, msgspec.Raw]
    keys: dict[str, int]


def respond(
    writer: Writer,
    call: Call,
    context: Context,
    events: list[dict[str, Any]],
    sample: dict[str, Any] | None,
) -> str:
    """Append `events` (and the reading before them), and give the text for stdout."""
    fold = load_fold(writer)
    added: list[dict[str, Any]] = []
    work = None
    if call.hook == "SessionStart":
        from hooks.compaction import inferred_ends

        writer_events = inferred_ends(views_of(fold), events[0], call)
        if writer_events:
            writer.append(*writer_events)
            _catch_up(fold, writer)
    elif call.hook == "PreCompact":
        from hooks.compaction import before_compaction

        work = before_compaction(views_of(fold), events[0], call, context)
        added = work.events
        added += _checked(fold, call, context)
    elif events[0].get("changed"):
        added = _checked(fold, call, context, str(events[0].get("target", "")))
    fact_seq = writer.append(*([sample] if sample else []), *events)[1 if sample else 0]
    call.appended = True
    if added:
        writer.append(*added)
    if work:
        work.finish(fact_seq)
    _catch_up(fold, writer)
    fact = _event_at(writer, fact_seq)
    said = answer(views_of(fold), fact, context.settings) if fact is not None else None
    if said is not None and said.events:
        writer.append(*(_recorded(call, event) for event in said.events))
        _catch_up(fold, writer)
    try:
        save_fold(writer, fold)
    except Exception as error:  # noqa: BLE001 (the answer is worth more than its shortcut)
        errors.note(context.env, call.hook, error)
    return render(call.hook, said) if said is not None else ""


def _checked(
    fold: Fold, call: Call, context: Context, target: str | None = None
) -> list[dict[str, Any]]:
    """Give what the checklists of the session's units say now."""
    views = views_of(fold)
    if call.sid not in views.unit.sessions:
        return []
    from hooks.checklists import checked

    return checked(views, call, context, target)


def _recorded(call: Call, event: dict[str, Any]) -> dict[str, Any]:
    body = {name: value for name, value in event.items() if name != "type"}
    if event["type"] == "advice.given":
        body["hook"] = call.hook
    return call.event(event["type"], "", **body)


def views_of(fold: Fold) -> Views:
    """Put the states of the hook's projections together."""
    return Views(**fold.states)


def load_fold(writer: Writer) -> Fold:
    """Fold up to the writer's last record: from the snapshot where it fits, else from the start."""
    path = f"{writer.directory}/{SNAPSHOT}"
    kept = load(path, writer.directory, VERSION, in_place=True)
    if kept is not None:
        try:
            state = msgspec.json.decode(kept.payload, type=Kept)
            states = {item.name: _view(item, state.views) for item in HOOK_PROJECTIONS}
        except (msgspec.DecodeError, UnicodeDecodeError, LookupError):
            kept = None
    if kept is None:
        fold = Fold(HOOK_PROJECTIONS)
        _read_on(fold, writer, None)
        return fold
    position = kept.position
    fold = Fold(HOOK_PROJECTIONS, states, state.keys, position.seq)
    if seq_of(writer.read(0, 64)) == position.segment:
        fold.offset = position.offset
        _catch_up(fold, writer, position)
    else:  # the segment it ends in was sealed since
        _read_on(fold, writer, position)
    return fold


def _view(projection: Projection, views: dict[str, msgspec.Raw]) -> Any:
    raw = bytes(views[projection.name])
    return projection.initial if raw == b"{}" else msgspec.json.decode(raw, type=projection.state)


def save_fold(writer: Writer, fold: Fold) -> None:
    """Store the folded state for the next call; failing to costs time only."""
    views = {name: msgspec.Raw(msgspec.json.encode(view)) for name, view in fold.states.items()}
    state = msgspec.json.encode(Kept(views, fold.recent_keys()))
    end = writer.read(writer.size - 11, 8).decode("ascii", "replace")
    first = seq_of(writer.read(0, 64))
    if first > 0:
        position = Position(first, writer.size, fold.seq, end)
        checkpoint = Checkpoint(position, VERSION, state, hot(views_of(fold)))
        save_in_place(f"{writer.directory}/{SNAPSHOT}", checkpoint)


def _catch_up(fold: Fold, writer: Writer, position: Position | None = None) -> None:
    """Fold what the active segment holds since `fold.offset`.

    Whole records in an unbroken row are fed as they are; anything else goes through the reader,
    which salvages and sorts as it does for everybody.
    """
    data = writer.read(fold.offset, writer.size - fold.offset)
    lines = data.removeprefix(b"\n").split(b"\n")
    last = lines.pop()
    expected = range(fold.seq + 1, fold.seq + 1 + len(lines))
    rows = list(zip(expected, lines, strict=True))
    if last or not all(is_whole(line) and seq_of(line) == seq for seq, line in rows):
        _read_on(fold, writer, position)
        return
    fold.feed(rows)
    fold.offset = writer.size


def _read_on(fold: Fold, writer: Writer, position: Position | None) -> None:
    """Fold every record after `fold.seq`; a position saves reading what came before."""
    from journal.log.read import Reader

    for batch in Reader(writer.directory, fold.seq, position).batches():
        fold.feed(batch)
    fold.offset = writer.size


def _event_at(writer: Writer, seq: int) -> Any:
    """Read the record just appended back as its typed event."""
    tail = writer.read(max(0, writer.size - 64 * 1024), 64 * 1024)
    for line in reversed(tail.split(b"\n")):
        if is_whole(line) and seq_of(line) == seq:
            event = decode(line, kind_of(line))
            return event if hasattr(event, "sid") and not hasattr(event, "line") else None
    return None
