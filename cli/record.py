"""Commands that record what a person writes: `note`, `decide`, `checkpoint`, `compound`.

Invariant: a text is stored as typed, except for secrets and what exceeds its limit; the
command warns about the latter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from cli.error import only_one
from cli.read import fold
from cli.write import bounded, transaction, warn_of_session, writing_session
from journal.errors import UsageError
from journal.history import write
from journal.history.write import stored
from journal.text import clip, one_line, plural, wrapped

if TYPE_CHECKING:
    from cli.scope import Scope

_SUMMARY = 400  # characters of a save point that recovery can show
_HEADINGS = 10
_DIGESTS = 1_000


def record_text(scope: Scope, kind: Literal["note", "decision"], words: list[str]) -> int:
    """Record a note, an entry of the work log that only the journal holds, or a decision.

    words: the text; a single `-` reads stdin. Raise UsageError if the text is blank.
    """
    name = f"the {kind}"
    text = scope.typed(" ".join(words)).strip()
    if not text:
        raise UsageError(f"{name} is empty", "write it after the command, or - for stdin")
    add = write.note if kind == "note" else write.decide
    seq, event = add(scope, writing_session(scope), bounded(text, write.TEXT, name))
    warn_of_session(scope, event)
    shown = stored(event)
    line = f"#{seq} {shown['type']}: {one_line(shown['text'])}"
    return scope.show({"seq": seq, **shown}, wrapped(line, scope.columns)[:4])


def checkpoint(scope: Scope, *, text: list[str], summary: str) -> int:
    """Append a save point with the current unit of work. text, summary: two ways to give one."""
    only_one({"TEXT": text, "--summary": summary})
    typed = scope.typed(" ".join(text) or summary)
    state = bounded(" ".join(typed.split()), _SUMMARY, "the summary")
    with transaction(scope, writing_session(scope)) as journal:
        event = journal.event("checkpoint.saved", summary=state, cause="asked", unit=journal.unit)
        (seq,) = journal.append(event)
    shown = stored(event)
    line = f"#{seq} checkpoint cp-{seq}" + (f": {shown['summary']}" if state else "")
    return scope.show({"seq": seq, "checkpoint_id": f"cp-{seq}", **shown}, [one_line(line)])


def compound(scope: Scope, *, promoted: int | None) -> int:
    """Record that the user reviewed the work log: every heading now in it is covered."""
    from journal.workfiles.work_log import newest_first, read_flow

    sid = writing_session(scope)
    state: Any = None
    fresh = 0
    if scope.exists():
        states = fold(scope, ("compound", "learnings")).states
        state, fresh = states["compound"], states["learnings"].fresh
    log = read_flow(scope.project.work) if scope.project.work else None
    entries = newest_first(log or [], state.first_seen if state else {})
    headings = [entry.heading for entry in entries[:_HEADINGS]]
    event = scope.event(
        "compound.ran",
        sid,
        promoted=fresh if promoted is None else promoted,
        covered=[entry.digest for entry in entries[:_DIGESTS]],
        headings=[clip(one_line(heading), 200) for heading in headings],
    )
    seq = scope.append(event)[0]
    warn_of_session(scope, event)
    shown = {"covered": [], "headings": [], **stored(event)}
    notes = state.noted if state else 0
    covers = plural(len(entries), "work-log entry", "work-log entries")
    covers += f", {plural(notes, 'note')}"
    lines = [f"#{seq} compound: {shown['promoted']} promoted; covers {covers}"]
    lines += [clip(f"  - {heading}", scope.columns) for heading in shown["headings"]]
    if len(entries) > _HEADINGS:
        lines.append(f"  and {len(entries) - _HEADINGS} more")
    return scope.show({"seq": seq, **shown, "notes": notes}, lines)
