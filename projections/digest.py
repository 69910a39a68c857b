"""The digest of one session: requests, decisions, failures, changes, and how it ended.

Summaries are written from digests, and the search index has them; `projections.digests` folds them.
Invariant: the size of a digest is bounded, whatever the session's length.
"""

from msgspec import Struct

from journal.clock import elapsed_ms
from projections.facts.session import Gathered
from projections.finding import KeySentence
from projections.prose import line
from projections.repetition import Mark, Trace
from projections.session import TITLE, Session
from projections.session import title_of as title_of_session
from projections.unit import Work


class Digest(Struct, frozen=True, omit_defaults=True):
    """The digest of one session. All lists but `session.files` are newest last.

    first, seq: seqs of its first and last event, summaries of it not included. prompts: the first,
    then the newest requests; commands of this plugin are left out. notes: entries of the work log
    that only the journal has. compacts: summaries of its compactions. forked: whether the last of
    them may be reported again. findings: the sentences of its replies that say most of what was
    found out. units: names of units of work, stages and phases of skills. work: its checklists.
    error: with which its last turn ended. away: milliseconds between its ends and resumptions.
    summary_seq: the event with the summary. summary_upto: the last seq that the summary covers.
    of, seqs: of an exported part, its session and its events there. imported: whether all of its
    events are from a transcript.
    """

    sid: str = ""
    session: Session = Session()
    first: int = 0
    seq: int = 0
    prompts: list[str] = []
    decisions: list[str] = []
    notes: list[str] = []
    gathered: Gathered = Gathered()
    compacts: list[str] = []
    forked: bool = False
    findings: list[KeySentence] = []
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
    def messages(self) -> list[str]:
        """Return the beginnings of the last three answers."""
        return self.gathered.messages[-3:]


def status(digest: Digest) -> str:
    """Return "completed" or "open". Imported sessions and exported parts are completed."""
    over = digest.session.ended or digest.of or digest.imported
    return "completed" if over else "open"


def has_no_work(digest: Digest) -> bool:
    """Return whether a session has no work of its own, only commands such as `/journal:get`."""
    noted = digest.decisions or digest.notes or digest.units
    own = digest.prompts or noted or digest.session.files
    return not (own or digest.session.compacted or digest.of)


def title_of(digest: Digest) -> str:
    """Return the title to show, which is never empty."""
    title = line(title_of_session(digest.session), TITLE)
    return title or untitled(digest.sid, digest.session.started)


def untitled(sid: str, started: str) -> str:
    """Return the title to show of a session without one. started: ISO time, or ""."""
    return " ".join(filter(None, ("Session", line(sid, 20)[:8], started[:10])))


def outcome(digest: Digest) -> str:
    """Return how a session ended, in a word or two."""
    if status(digest) == "open":
        return "open"
    if digest.of:
        return "exported"
    if digest.error:
        return f"ended by error ({digest.error})"
    if digest.gathered.tests:
        return f"tests {digest.gathered.tests}"
    return "ended (inferred)" if digest.session.inferred else "ended"


def duration_ms(digest: Digest) -> int:
    """Return the milliseconds from start to last activity, without the time it was closed."""
    return max(0, elapsed_ms(digest.session.started, digest.session.last) - digest.away)
