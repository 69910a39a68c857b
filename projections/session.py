"""One session: what is counted and known of it, and of its compactions."""

from msgspec import Struct

TITLE = 80  # characters

FILES = 20


class Warned(Struct, frozen=True, omit_defaults=True):
    """The first pressure warning before a compaction.

    prompts: number of prompts in the session up to the warning.
    """

    seq: int = 0
    at: str = ""
    level: str = ""
    tokens: int = 0
    prompts: int = 0


class Compaction(Struct, frozen=True, omit_defaults=True):
    """One compaction.

    seq, at: of its first event. done_seq: of its first proof, 0 while there is none. tokens:
    context tokens before it, None if unknown. point: the compaction threshold by formula, 0 if
    unknown; both are from its first event or the last reading. after: context tokens after it.
    size: characters of its summary. summary_seq: event with the summary. restarted, summed: which
    proofs exist. warned: the first warning before it. turns: prompts between that warning and the
    compaction. idle: whether the session waited for a prompt; then Claude Code compacts long before
    the threshold, to spare its prompt cache.
    """

    seq: int = 0
    at: str = ""
    trigger: str = ""
    done_seq: int = 0
    tokens: int | None = None
    point: int = 0
    after: int | None = None
    unpromoted: int | None = None
    size: int | None = None
    summary_seq: int = 0
    restarted: bool = False
    summed: bool = False
    warned: Warned | None = None
    turns: int = 0
    idle: bool = False

    @property
    def done(self) -> bool:
        """Return whether a proof exists."""
        return bool(self.done_seq)

    @property
    def shows_threshold(self) -> bool:
        """Return whether it happened at the compaction threshold, which it so shows."""
        measured = bool(self.point and self.tokens)
        return self.done and self.trigger == "auto" and measured and not self.idle


class Session(Struct, frozen=True, omit_defaults=True):
    """One session. One with seq 0 has no events of its own: another session's event names it.

    started, ended, last: times; `ended` is "" while it is open. inferred: a later start shows that
    it ended. sources: of each start (startup, resume, clear, fork, compact). root: first session of
    its chain. parent: the session that it continues. title, title_source, title_at: see
    `projections.titles`. prompt: the first one. asked: beginnings of the first prompts, of which
    one becomes the title if a rewind takes the first back. tools, failures: number of tool calls,
    and of failed ones among them. agents: ids of its last subagents. files: changed ones, newest
    first. compacted: its compactions, unfinished ones included. tokens: the last reading, from
    `tokens_at`. point: the compaction threshold. stated: who states it, Claude Code or a setting;
    "" if it is the formula's. warned: the first pressure warning
    since the last compaction. waiting: whether its last turn is over and no prompt has come since.
    """

    started: str = ""
    ended: str = ""
    inferred: bool = False
    reason: str = ""
    last: str = ""
    seq: int = 0
    sources: list[str] = []
    root: str = ""
    parent: str = ""
    title: str = ""
    title_source: str = ""
    title_at: str = ""
    summary: str = ""
    prompts: int = 0
    prompt: str = ""
    asked: list[str] = []
    turns: int = 0
    tools: int = 0
    failures: int = 0
    subagents: int = 0
    agents: list[str] = []
    files: list[str] = []
    compacted: list[Compaction] = []
    warned: Warned | None = None
    waiting: bool = False
    tokens: int | None = None
    tokens_at: str = ""
    window: int = 0
    point: int = 0
    stated: str = ""
    model: str = ""
    branch: str = ""
    cwd: str = ""
    transcript: str = ""

    @property
    def attempts(self) -> int:
        """Return the number of compactions, unfinished ones included."""
        return len(self.compacted)

    @property
    def compactions(self) -> int:
        """Return the number of finished compactions."""
        return sum(item.done for item in self.compacted)


def title_of(session: Session) -> str:
    """Return the title of a session, else its first prompt, else ""."""
    return session.title or " ".join(session.prompt[:TITLE].split())
