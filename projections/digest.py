"""One session as a whole: what was asked, decided, tried, repaired and changed, and how it ended.

A digest is what a summary is written from and what an index holds; `projections.digests` folds it.
Invariant: it is bounded, whatever the session's length.
"""

from __future__ import annotations

from msgspec import Struct

from projections.facts.session import Failure, Gathered
from projections.finding import Finding
from projections.prose import line
from projections.repetition import Mark, Trace
from projections.session import TITLE, Session
from projections.session import title_of as title_of_session
from projections.times import elapsed_ms
from projections.unit import Work

__all__ = [
    "Digest",
    "Failure",
    "Mark",
    "duration_ms",
    "has_no_work",
    "outcome",
    "status",
    "title_of",
]


class Digest(Struct, frozen=True, omit_defaults=True):
    """One session; lists are in the order of time, newest last, but for `session.files`.

    first, seq: seqs of its first and of its last event (a summary of it is none of them).
    prompts: the first, then the newest; of people, and no command of this plugin. decisions: as
    recorded. gathered, marks: see their types. compacts: summaries of its compactions; forked: the
    last of them may yet be told again. findings: the sentences of any reply that say most of what
    was found out. units: units of work, stages and phases of skills by name; work: what there was
    and is to do. error: that its last turn ended by. away: milliseconds between an end and the
    resumption after it. summary_seq: the event that carries the summary; summary_upto: the last seq
    it saw. of, seqs: of an exported part, the session it came from and its events there. imported:
    all that is known of it is from a transcript. trace: see `projections.repetition`.
    """

    sid: str = ""
    session: Session = Session()
    first: int = 0
    seq: int = 0
    prompts: list[str] = []
    decisions: list[str] = []
    gathered: Gathered = Gathered()
    compacts: list[str] = []
    forked: bool = False
    findings: list[Finding] = []
    marks: list[Mark] = []
    units: list[str] = []
    work: Work = Work()
    error: str = ""
    away: int = 0
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

    @property
    def failures(self) -> list[Failure]:
        """Calls that failed."""
        return self.gathered.failures

    @property
    def messages(self) -> list[str]:
        """Heads of the last three answers."""
        return self.gathered.messages[-3:]

    @property
    def tests(self) -> str:
        """How the last test run went."""
        return self.gathered.tests


def status(digest: Digest) -> str:
    """`completed` or `open`. What only a transcript reports is history, and so is a part."""
    over = digest.session.ended or digest.of or digest.imported
    return "completed" if over else "open"


def has_no_work(digest: Digest) -> bool:
    """Return whether it has nothing of its own: `/journal:get` or other commands, and no work."""
    own = digest.prompts or digest.decisions or digest.units or digest.session.files
    return not (own or digest.session.compacted or digest.of)


def title_of(digest: Digest) -> str:
    """Title to show, never empty."""
    if title := line(title_of_session(digest.session), TITLE):
        return title
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
    return max(0, elapsed_ms(digest.session.started, digest.session.last) - digest.away)
