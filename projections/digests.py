"""Fold events into the digest of each session. Commands fold it, no hook does.

Invariant: stepping a digest event by event gives what folding all at once gives.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from projections import digest_events, sessions
from projections.all_parts import AllParts
from projections.digest import Digest
from projections.digest_events import changes_by, tools_finished
from projections.projection import Projection
from projections.prose import clip, line
from projections.repetition import TRACED, traced
from projections.session import TITLE, Session
from projections.sessions import HANDLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from journal.events.session import SessionExported, SessionSummarized
    from journal.events.tool import ToolFinished

__all__ = ["KINDS", "PARTS", "PROJECTION", "Digests", "sid_of", "step"]

_SUMMARY = 4000
_LISTED, _ENTRY = 50, 500
_SEQS = 2000


class Digests(Struct, frozen=True, omit_defaults=True):
    """sessions: those at hand, most recently active last; older: all others."""

    sessions: dict[str, Digest] = {}
    older: dict[str, Digest] = {}


def sid_of(kind: str, event: Any) -> str:
    """Session an event is about; of an exported part, the id it has. "" for no session."""
    if kind == "session.summarized":
        return str(event.of)
    if kind == "session.exported":
        return f"{event.of}.{event.seq}"
    return str(event.sid)


def step(digest: Digest | None, kind: str, event: Any, parent: Session | None = None) -> Digest:
    """Apply one event to the digest of its session, None where there is none yet.

    parent: the session that it says it continues, where that is known. The same event again is the
    caller's to leave out, as `fold.Fold` does.
    """
    if kind == "session.exported":
        return _exported(event)
    if kind == "session.summarized":
        return _summarized(digest or Digest(sid=event.of), event)
    digest = _begun(digest, event)
    session = sessions.step(digest.session, kind, event, parent) or digest.session
    if not session.seq:
        session = replace(
            session,
            started=session.started or event.ts,
            last=event.ts,
            root=event.sid,
            branch=event.branch,
            cwd=event.cwd,
        )
    changes = changes_by(digest, kind, event)
    if kind in TRACED:
        changes["trace"], changes["marks"] = traced(digest.trace, digest.marks, (event,))
    return replace(
        digest,
        session=session,
        seq=event.seq,
        imported=digest.imported and event.imported,
        **changes,
    )


def _begun(digest: Digest | None, event: Any) -> Digest:
    """Return the digest that an event of its session changes; it may be the first one."""
    if digest is not None and digest.first:
        return digest
    return replace(
        digest or Digest(),
        sid=event.sid,
        first=event.seq,
        imported=event.imported,
        summary_upto=0,  # of a summary of the imported session: seqs of another log
    )


def _tools(digest: Digest | None, events: Sequence[ToolFinished], _find: object) -> Digest:
    """Apply tool calls in a row: what `step` gives after each of them, with one copy."""
    digest = _begun(digest, events[0])
    session = sessions.tools(digest.session, events)
    trace, marks = traced(digest.trace, digest.marks, events)
    return replace(
        digest,
        session=session,
        seq=session.seq,
        imported=digest.imported and all(event.imported for event in events),
        trace=trace,
        marks=marks,
        **tools_finished(digest, events),
    )


def _summarized(digest: Digest, event: SessionSummarized) -> Digest:
    """A summary that saw less than the one there is does not replace it."""
    if event.upto < digest.summary_upto:
        return digest
    session = sessions.step(digest.session, "session.summarized", event)
    return replace(
        digest,
        session=session or digest.session,
        summary=clip(event.summary, _SUMMARY),
        summary_seq=event.seq,
        summary_upto=event.upto,
        summary_decisions=[clip(item, _ENTRY) for item in event.decisions[:_LISTED]],
        summary_files=[clip(item, _ENTRY) for item in event.files[:_LISTED]],
        engine=event.engine,
    )


def _exported(event: SessionExported) -> Digest:
    """A part of a session as a session of its own; it is over and summarised from the first."""
    sid = sid_of("session.exported", event)
    files = [clip(item, _ENTRY) for item in event.files[:_LISTED]]
    decisions = [clip(item, _ENTRY) for item in event.decisions[:_LISTED]]
    session = Session(
        started=event.ts,
        ended=event.ts,
        reason="exported",
        last=event.ts,
        seq=event.seq,
        root=sid,
        parent=event.of,
        title=line(event.title, TITLE),
        title_source="custom" if event.title.strip() else "",
        summary=event.summary[:600],
        files=files,
        branch=event.branch,
        cwd=event.cwd,
    )
    return Digest(
        sid=sid,
        session=session,
        first=event.seq,
        seq=event.seq,
        decisions=decisions,
        summary=clip(event.summary, _SUMMARY),
        summary_seq=event.seq,
        summary_upto=event.seq,
        summary_decisions=decisions,
        summary_files=files,
        engine=event.engine,
        imported=event.imported,
        of=event.of,
        seqs=event.seqs[:_SEQS],
    )


# What is about another session than the event's own.
_ABOUT = ("session.exported", "session.summarized")

KINDS = frozenset((*HANDLED, *digest_events.KINDS, *TRACED, *_ABOUT))
"""Types of event that change a digest."""


def _started(
    digest: Digest | None, event: Any, find: Callable[[str], Digest | None]
) -> Digest | None:
    above = find(event.previous)
    # A digest of which only a summary was seen is not a session yet.
    parent = above.session if above and above.session.seq else None
    return step(digest, "session.started", event, parent)


def _handler(kind: str) -> Callable[[Digest | None, Any, object], Digest]:
    return lambda digest, event, _find: step(digest, kind, event)


def _is_about(kind: str) -> Callable[[Any], str]:
    return lambda event: sid_of(kind, event)


PARTS = AllParts(
    {**{kind: _handler(kind) for kind in sorted(KINDS)}, "session.started": _started},
    about={kind: _is_about(kind) for kind in _ABOUT},
    runs={"tool.finished": _tools},
)

PROJECTION = Projection("digests", 8, Digests(), {}, PARTS)
