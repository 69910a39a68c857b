"""Fold events into the digest of each session. Commands fold it; hooks do not.

Invariant: `step` for each event gives the same digest as the projection.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from journal.events.session import SessionExported, SessionSummarized
from journal.events.tool import ToolFinished
from journal.text import excerpt
from projections import digest_events, session_events, sessions
from projections.digest import Digest
from projections.digest_events import changes_by, tools_finished
from projections.projection import Projection
from projections.prose import line
from projections.repetition import TRACED, traced
from projections.session import TITLE, Session
from projections.sessions import HANDLED

_SUMMARY = 4000
_LISTED, _ENTRY = 50, 500
_SEQS = 2000


class Digests(Struct, frozen=True, omit_defaults=True):
    """sessions: id → Digest, all of them; also of exported parts, see `sid_of`."""

    sessions: dict[str, Digest] = {}


def sid_of(kind: str, event: Any) -> str:
    """Return the id of the digest that an event changes, "" for none.

    A part exported from a session has an id of its own, `SESSION.SEQ`.
    """
    if kind == "session.summarized":
        return str(event.of)
    if kind == "session.exported":
        return f"{event.of}.{event.seq}"
    return str(event.sid)


def step(digest: Digest, kind: str, event: Any, parent: Session | None = None) -> Digest:
    """Return the digest after one event. The caller must skip repeated events, as `fold.Fold` does.

    digest: that of the event's session. parent: the session that this one continues, if known.
    """
    if kind == "session.exported":
        return _exported(event)
    if kind == "session.summarized":
        return _summarized(digest, event)
    if not digest.first:
        digest = _begun(digest, event)
    session = sessions.step(digest.session, kind, event, parent)
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


def _begun(digest: Digest, event: Any) -> Digest:
    """Return the digest to which the first event of a session is applied."""
    return replace(
        digest,
        sid=event.sid,
        first=event.seq,
        imported=event.imported,
        summary_upto=0,  # may be that of the imported session, a seq of another log
    )


def _tools(digest: Digest, events: Sequence[ToolFinished]) -> Digest:
    """Apply successive tool calls: the result of `step` for each, with a single copy."""
    if not digest.first:
        digest = _begun(digest, events[0])
    session = session_events.tools_finished(digest.session, events)
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
    """Store a summary unless it covers less than the one stored."""
    if event.upto < digest.summary_upto:
        return digest
    session = sessions.step(digest.session, "session.summarized", event)
    return replace(
        digest,
        sid=event.of,
        session=session,
        summary=excerpt(event.summary, _SUMMARY),
        summary_seq=event.seq,
        summary_upto=event.upto,
        summary_decisions=[excerpt(item, _ENTRY) for item in event.decisions[:_LISTED]],
        summary_files=[excerpt(item, _ENTRY) for item in event.files[:_LISTED]],
        engine=event.engine,
    )


def _exported(event: SessionExported) -> Digest:
    """Return the digest of an exported part: a session that is over and has its summary."""
    sid = sid_of("session.exported", event)
    files = [excerpt(item, _ENTRY) for item in event.files[:_LISTED]]
    decisions = [excerpt(item, _ENTRY) for item in event.decisions[:_LISTED]]
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
        summary=excerpt(event.summary, _SUMMARY),
        summary_seq=event.seq,
        summary_upto=event.seq,
        summary_decisions=decisions,
        summary_files=files,
        engine=event.engine,
        imported=event.imported,
        of=event.of,
        seqs=event.seqs[:_SEQS],
    )


# Types of the events that are about another session than their own.
_ABOUT = ("session.exported", "session.summarized")

KINDS = frozenset((*HANDLED, *digest_events.KINDS, *TRACED, *_ABOUT))
"""Types of event that change a digest."""


def _started(digest: Digest, event: Any, _state: Digests, sessions: dict[str, Digest]) -> Digest:
    above = sessions.get(event.previous)
    # A digest with only a summary is not a session yet.
    parent = above.session if above and above.session.seq else None
    return step(digest, "session.started", event, parent)


def _handler(kind: str) -> Callable[[Digest, Any], Digest]:
    return lambda digest, event: step(digest, kind, event)


PROJECTION = Projection(
    "digests",
    35,
    Digests(),
    blank=Digest(),
    active={kind: _handler(kind) for kind in sorted(KINDS - {"session.started", "tool.finished"})},
    runs={"tool.finished": _tools},
    wide={"session.started": _started},
    limit=0,
    about={kind: partial(sid_of, kind) for kind in _ABOUT},
    any_agent=KINDS,
)
