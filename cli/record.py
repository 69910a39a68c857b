"""Commands that record what a person says: `note`, `decide`, `compound`.

Invariant: a text is kept as it was typed but for secrets, and its end where it is too long, which
is said.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from cli.error import OK, warn
from cli.render.text import emit, emit_json
from cli.write import append, stored
from journal.errors import UsageError
from journal.text import clip, one_line, wrapped

if TYPE_CHECKING:
    from cli.scope import Scope
    from journal.workfiles.work_log import FlowEntry

__all__ = ["compound", "decide", "note", "text_of"]

_TEXT = 8_000  # characters of a note or a decision
_HEADINGS = 10
_DIGESTS = 1_000


def note(scope: Scope, *, text: list[str]) -> int:
    """Record a note: an entry of the work log that lives in the journal alone."""
    return _record(scope, "flow.noted", text_of(text, "note"))


def decide(scope: Scope, *, text: list[str]) -> int:
    """Record a decision in its own words, with the unit of work it was made in."""
    from cli.work.context import desk
    from projections.unit import current

    words = text_of(text, "decision")
    with desk(scope, scope.writing_session()) as at:
        unit = current(at.views.unit.sessions.get(at.sid))
        name = unit.unit if unit is not None else ""
        event = at.event("decision.recorded", text=words, unit=name)
        return _recorded(scope, event, at.append(event)[0])


def compound(scope: Scope, *, promoted: int | None) -> int:
    """Record that the flow up to here was looked through: all headings now in the work log."""
    from cli.read import fold

    sid = scope.writing_session()
    state: Any = None
    fresh = 0
    if scope.exists():
        states = fold(scope, ("compound", "learnings")).states
        state, fresh = states["compound"], states["learnings"].fresh
    entries = _entries(scope, state.first_seen if state else {})
    headings = [entry.heading for entry in entries[:_HEADINGS]]
    event = scope.event(
        "compound.ran",
        sid,
        promoted=fresh if promoted is None else promoted,
        covered=[entry.digest for entry in entries[:_DIGESTS]],
        headings=[clip(one_line(heading), 200) for heading in headings],
    )
    # Both are told even where they are nothing: a compound without promotion is one.
    event.setdefault("promoted", 0)
    seq = append(scope, event)[0]
    notes = state.noted if state else 0
    if scope.json:
        shown = {"seq": seq, **_body(stored(event)), "notes": notes}
        emit_json({"covered": [], "headings": [], **shown})
        return OK
    count = len(entries)
    what = f"{count} work-log {'entry' if count == 1 else 'entries'}"
    lines = [f"#{seq} compound: {event['promoted']} promoted; covers {what}, {notes} notes"]
    lines += [
        clip(f"  - {heading}", scope.columns) for heading in stored(event).get("headings", [])
    ]
    if count > _HEADINGS:
        lines.append(f"  and {count - _HEADINGS} more")
    emit(lines)
    return OK


def text_of(words: list[str], what: str) -> str:
    """Give the text of arguments, or of stdin for a single `-`. UsageError where it is blank."""
    text = " ".join(words)
    if text == "-":
        text = sys.stdin.read()
    text = text.strip()
    if not text:
        raise UsageError(f"the {what} is empty", "write it after the command, or - for stdin")
    if len(text) > _TEXT:
        warn(f"only the first {_TEXT:,} of {len(text):,} characters are kept")
        text = text[: _TEXT - 1] + "…"
    return text


def _record(scope: Scope, kind: str, text: str) -> int:
    event = scope.event(kind, scope.writing_session(), text=text)
    return _recorded(scope, event, append(scope, event)[0])


def _recorded(scope: Scope, event: dict[str, Any], seq: int) -> int:
    kept = stored(event)
    if scope.json:
        emit_json({"seq": seq, **_body(kept)})
        return OK
    emit(wrapped(f"#{seq} {kept['type']}: {one_line(kept['text'])}", scope.columns)[:4])
    return OK


def _body(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name != "v"}


def _entries(scope: Scope, seen: dict[str, str]) -> list[FlowEntry]:
    """Entries of progress.md, the newest first; none where there is no such file."""
    from journal.workfiles.files import read_inside
    from journal.workfiles.work_log import PROGRESS, newest_first, parse_flow

    root = scope.project.root
    found = read_inside(root, PROGRESS) if root else None
    return newest_first(parse_flow(found[0]), seen) if found else []
