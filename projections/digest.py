"""One session as a whole: what was asked, decided, tried, repaired and changed, and how it ended.

A digest is what a summary is written from and what an index holds. Invariant: it is bounded,
whatever the session's length, and stepping it event by event gives what folding all at once gives.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from projections import sessions
from projections.all_parts import AllParts
from projections.digest_events import GATHERED, TITLE, Failure, ranks
from projections.projection import Projection
from projections.prose import clip, line, sentence
from projections.repetition import TRACED, Mark, Trace, traced
from projections.session import Session
from projections.sessions import HANDLED
from projections.times import between
from projections.unit import Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from journal.events.session import SessionExported, SessionSummarized

__all__ = [
    "KINDS",
    "PROJECTION",
    "Digest",
    "Digests",
    "Failure",
    "Mark",
    "digest_of",
    "duration_ms",
    "every",
    "outcome",
    "sid_of",
    "status",
    "step",
    "title_of",
]

_SUMMARY = 4000
_LISTED, _ENTRY = 50, 500
_SEQS = 2000


class Digest(Struct, frozen=True, omit_defaults=True):
    """One session; lists are in the order of time, newest last, but for `session.files`.

    first, seq: seqs of its first and of its last event (a summary of it is none of them).
    prompts: the first, then the newest; of people, and no command of this plugin. decisions: as
    recorded. failures, marks: see their types. compacts: summaries of its compactions; forked: the
    last of them may yet be told again. messages: heads of the last replies. units: units of work,
    stages and phases of skills by name; work: what there was and is to do. tests: how the last test
    run went. error: that its last turn ended by. away: milliseconds between an end and the
    resumption after it. title_source: custom, ai, summary, prompt or "". summary_seq: the event
    that carries the summary; summary_upto: the last seq it saw. of, seqs: of an exported part, the
    session it came from and its events there. imported: all that is known of it is from a
    transcript. trace: see `projections.repetition`.
    """

    sid: str = ""
    session: Session = Session()
    first: int = 0
    seq: int = 0
    prompts: list[str] = []
    decisions: list[str] = []
    failures: list[Failure] = []
    compacts: list[str] = []
    forked: bool = False
    messages: list[str] = []
    marks: list[Mark] = []
    units: list[str] = []
    work: Work = Work()
    tests: str = ""
    error: str = ""
    away: int = 0
    title: str = ""
    title_source: str = ""
    summary: str = ""
    summary_seq: int = 0
    summary_upto: int = 0
    summary_decisions: list[str] = []
    summary_files: list[str] = []
    engine: str = ""
    imported: bool = False
    of: str = ""
    seqs: list[int] = []
    trace: Trace = Trace()


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

    parent: the session it says it goes on from, where that is known. The same event again is the
    caller's to leave out, as `fold.Fold` does.
    """
    if kind == "session.exported":
        return _exported(event)
    if kind == "session.summarized":
        return _summarized(digest or Digest(sid=event.of), event)
    if digest is None or not digest.first:
        digest = replace(
            digest or Digest(), sid=event.sid, first=event.seq, imported=event.imported
        )
    known = digest.session if digest.session.seq else None
    session = sessions.step(known, kind, event, parent)
    if session is None:
        session = Session(
            started=digest.session.started or event.ts,
            last=event.ts,
            root=event.sid,
            branch=event.branch,
            cwd=event.cwd,
        )
    gather = GATHERED.get(kind)
    changes = gather(digest, event) if gather else {}
    trace, marks = digest.trace, digest.marks
    if kind in TRACED:
        trace, marks = traced(trace, marks, event)
    digest = replace(
        digest,
        session=session,
        seq=event.seq,
        imported=digest.imported and event.imported,
        trace=trace,
        marks=marks,
    )
    return replace(digest, **changes) if changes else digest


def _summarized(digest: Digest, event: SessionSummarized) -> Digest:
    """A summary that saw less than the one there is does not replace it."""
    if event.upto < digest.summary_upto:
        return digest
    changes: dict[str, object] = {}
    if event.title.strip() and ranks(digest, "summary"):
        changes = {"title": line(event.title, TITLE), "title_source": "summary"}
    return replace(
        digest,
        summary=clip(event.summary, _SUMMARY),
        summary_seq=event.seq,
        summary_upto=event.upto,
        summary_decisions=[clip(item, _ENTRY) for item in event.decisions[:_LISTED]],
        summary_files=[clip(item, _ENTRY) for item in event.files[:_LISTED]],
        engine=event.engine,
        **changes,
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
        title=event.title,
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
        title=line(event.title, TITLE),
        title_source="custom" if event.title.strip() else "",
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


def status(digest: Digest) -> str:
    """`completed` or `open`. What a transcript alone tells of is history, and so is a part."""
    over = digest.session.ended or digest.of or digest.imported
    return "completed" if over else "open"


def title_of(digest: Digest) -> str:
    """Title to show, never empty."""
    if title := line(digest.title, TITLE):
        return title
    for text in (*digest.prompts[:1], *digest.units[:1]):
        if found := sentence(text, TITLE) or line(text, TITLE):
            return found
    date = digest.session.started[:10]
    return " ".join(filter(None, ("Session", line(digest.sid, 20)[:8], date)))


def outcome(digest: Digest) -> str:
    """How it ended, in a word or two."""
    if status(digest) == "open":
        return "open"
    if digest.of:
        return "exported"
    if digest.error:
        return f"ended by error ({digest.error})"
    if digest.tests:
        return f"tests {digest.tests}"
    return "ended (inferred)" if digest.session.inferred else "ended"


def duration_ms(digest: Digest) -> int:
    """Milliseconds from its start to its last sign of life, without those it was closed."""
    return max(0, between(digest.session.started, digest.session.last) - digest.away)


def digest_of(state: Digests, sid: str) -> Digest | None:
    """One session's digest, None where it is not known."""
    return state.sessions.get(sid) or state.older.get(sid)


def every(state: Digests) -> dict[str, Digest]:
    """All digests in the order of their last activity."""
    found = {**state.older, **state.sessions}
    return dict(sorted(found.items(), key=lambda item: item[1].seq))


KINDS = frozenset((*HANDLED, *GATHERED, *TRACED, "session.summarized", "session.exported"))
"""Types of event that change a digest."""


def _started(
    digest: Digest | None, event: Any, find: Callable[[str], Digest | None]
) -> Digest | None:
    above = find(event.previous)
    return step(digest, "session.started", event, above.session if above else None)


def _handler(kind: str) -> Callable[[Digest | None, Any, object], Digest]:
    return lambda digest, event, _find: step(digest, kind, event)


def _is_about(kind: str) -> Callable[[Any], str]:
    return lambda event: sid_of(kind, event)


# What is about another session than the event's own.
_ABOUT = ("session.exported", "session.summarized")

PROJECTION = Projection(
    "digests",
    2,
    Digests(),
    {},
    AllParts(
        {**{kind: _handler(kind) for kind in sorted(KINDS)}, "session.started": _started},
        about={kind: _is_about(kind) for kind in _ABOUT},
    ),
)
