"""History as reports need it: readings, compactions and prompts by session, from both logs.

Invariant: reads only; a session the hooks saw is told from the live log, any other from the
imported one, so nothing is counted twice.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.read import sid_of, ts_of
from journal.bound import parse_bound
from journal.clock import millis
from journal.errors import UsageError
from journal.events.registry import Unknown, decode, kind_of
from journal.log.read import Reader
from journal.transcript.threshold import compaction_threshold
from projections.pressure import Pressure, point_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.scope import Scope
    from projections.stage import Span

__all__ = ["Moment", "Session", "asked_for", "journals", "sessions_of", "spans_of"]

_KEPT = 15  # automatic compactions that the observed point rests on
_PLAIN = {"compound.ran": "compound", "prompt.submitted": "prompt"}
_NEEDED = frozenset((
    "session.started", "pressure.sampled", "usage.recorded", "compact.started", "compact.finished",
    "advice.given", "session.titled", *_PLAIN,
))  # fmt: skip


class Moment(NamedTuple):
    """Something in a session. at: ms. kind: reading, auto, manual, compound, prompt or told.

    tokens, point: of a reading or a compaction, 0 unknown; detail: level and channel of what was
    told; seq: its record.
    """

    at: int
    kind: str
    tokens: int = 0
    point: int = 0
    detail: str = ""
    seq: int = 0


class Session:
    """One session's moments in order. imported: from transcripts alone.

    attempt: a compaction that began; it may still come to nothing.
    """

    def __init__(self, project: str, sid: str, *, imported: bool) -> None:
        self.project = project
        self.sid = sid
        self.imported = imported
        self.title = ""
        self.model = ""
        self.attempt: Any = None
        self.moments: list[Moment] = []

    @property
    def first(self) -> int:
        """Time (ms) of the first moment."""
        return self.moments[0].at if self.moments else 0

    @property
    def last(self) -> int:
        """Time (ms) of the last moment."""
        return self.moments[-1].at if self.moments else 0


def journals(home: str) -> list[tuple[str, str]]:
    """Name and directory of every journal in a home."""
    try:
        names = sorted(os.listdir(home))
    except OSError:
        return []
    found = [(name, os.path.join(home, name)) for name in names]
    return [
        (name, directory)
        for name, directory in found
        if os.path.exists(os.path.join(directory, "active.jsonl"))
        or os.path.isdir(os.path.join(directory, "imported"))
    ]


def asked_for(scope: Scope, since: str, *, all_projects: bool) -> tuple[list[tuple[str, str]], str]:
    """Journals a report is asked about, and the time it begins at ("" for the start).

    UsageError for a `since` that is no time; JournalError where the project has no journal.
    """
    bound = parse_bound(since, scope.now) if since else ""
    if not isinstance(bound, str):
        raise UsageError(f"--since {since}: a time is needed", "2026-11-21, 30d or 12w")
    if all_projects:
        return journals(scope.home), bound
    scope.must_exist()
    return [(scope.project.name, scope.directory)], bound


def sessions_of(project: str, directory: str, since: str = "") -> list[Session]:
    """Read the sessions of a journal and of its imported log, the oldest first."""
    teller = _Teller(project, since)
    teller.read(directory, imported=False)
    live = set(teller.sessions)
    teller.read(os.path.join(directory, "imported"), imported=True, but=live)
    found = [session for session in teller.sessions.values() if session.moments]
    for session in found:
        session.moments.sort(key=lambda moment: moment.at)
    return sorted(found, key=lambda session: (session.first, session.sid))


class _Teller:
    def __init__(self, project: str, since: str) -> None:
        self.project = project
        self.since = since
        self.sessions: dict[str, Session] = {}
        self.observed: dict[str, list[int]] = {}
        self.points: dict[str, int] = {}

    def read(self, directory: str, *, imported: bool, but: set[str] | None = None) -> None:
        if not os.path.isdir(directory):
            return
        for kind, sid, line in _needed(directory):
            if ts_of(line) < self.since or (but and sid in but):
                continue
            event = decode(line, kind)
            if isinstance(event, Unknown) or event.agent or not sid:
                continue
            session = self.sessions.get(sid)
            if session is None:
                session = self.sessions[sid] = Session(self.project, sid, imported=imported)
            self._take(session, kind, event)

    def _take(self, session: Session, kind: str, event: Any) -> None:
        at = millis(event.ts) or 0
        if kind in _PLAIN:
            session.moments.append(Moment(at, _PLAIN[kind], seq=event.seq))
        elif kind == "pressure.sampled":
            session.model = event.model or session.model
            self._put(session, at, "reading", event.tokens, event.point, event.seq)
        elif kind == "usage.recorded":
            self._used(session, at, event)
        elif kind == "advice.given":
            if event.what == "pressure":
                told = Moment(at, "told", event.tokens, event.point, event.level, event.seq)
                session.moments.append(told)
        elif kind == "session.titled":
            session.title = event.title
        else:
            self._boundary(session, kind, event)

    def _used(self, session: Session, at: int, event: Any) -> None:
        """A reply's cost is a reading where no hook took one."""
        if session.imported:
            session.model = event.model or session.model
            tokens = (
                event.input_tokens
                + event.output_tokens
                + event.cache_read_input_tokens
                + event.cache_creation_input_tokens
            )
            self._put(session, at, "reading", tokens, self._formula(event.model), event.seq)

    def _boundary(self, session: Session, kind: str, event: Any) -> None:
        """Compactions: a start alone is an attempt, in a transcript it is the fact."""
        if kind == "session.started":
            session.model = event.model or session.model
        if kind == "compact.started":
            session.attempt = event
        done = kind == "compact.finished" or getattr(event, "source", "") == "compact"
        if done or (kind == "compact.started" and session.imported):
            self._compacted(session)

    def _put(self, session: Session, at: int, kind: str, tokens: int, point: int, seq: int) -> None:
        actual = point_of(Pressure(observed=self.observed), point)[0]
        session.moments.append(Moment(at, kind, tokens, actual, str(point), seq))

    def _compacted(self, session: Session) -> None:
        """Take the attempt for done, and where it fired: as told, or as read last before it."""
        event, session.attempt = session.attempt, None
        if event is None:
            return
        before = next((m for m in reversed(session.moments) if m.kind == "reading"), None)
        point = event.point or (int(before.detail) if before is not None else 0)
        tokens = event.tokens or (before.tokens if before is not None else 0)
        kind = "auto" if event.trigger == "auto" else "manual"
        self._put(session, millis(event.ts) or 0, kind, tokens, point, event.seq)
        if kind == "auto" and tokens and point:
            key = str(point)
            self.observed[key] = [*self.observed.get(key, []), tokens][-_KEPT:]

    def _formula(self, model: str) -> int:
        if model not in self.points:
            self.points[model] = compaction_threshold(model, {}, {}, None).tokens or 0
        return self.points[model]


def _needed(directory: str) -> Iterator[tuple[str, str, bytes]]:
    for batch in Reader(directory).batches():
        for _, line in batch:
            kind = kind_of(line)
            if kind in _NEEDED:
                yield kind, sid_of(line), line


def spans_of(directory: str) -> list[Span]:
    """Every finished stage of a journal's history, in order."""
    from projections import stage
    from projections.fold import Fold

    fold = Fold([stage.PROJECTION])
    found: list[Span] = []
    needed = frozenset(stage.PROJECTION.handlers)
    for batch in Reader(directory).batches():
        for seq, line in batch:
            kind = kind_of(line)
            if kind not in needed:
                continue
            fold.feed([(seq, line)])
            if kind == "stage.finished":
                cycle = fold.states["stage"].sessions.get(sid_of(line))
                if cycle is not None and cycle.spans and cycle.spans[-1].finished == ts_of(line):
                    found.append(cycle.spans[-1])
    return found
