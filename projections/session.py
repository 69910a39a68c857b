"""One session: what is counted and known of it."""

from msgspec import Struct

from projections.compactions import Compaction, Warned

TITLE = 80  # characters

FILES = 20


class Session(Struct, frozen=True, omit_defaults=True):
    """One session. One with seq 0 has no events of its own: another session's event names it.

    started, ended, last: times; `ended` is "" while it is open. inferred: a later start shows that
    it ended. sources: of each start (startup, resume, clear, fork, compact). root: first session of
    its chain. parent: the session that it continues. title, title_source, title_at: see
    `projections.titles`. prompt: the first one. asked: beginnings of the first prompts, of which
    one becomes the title if a rewind takes the first back. tools, failures: number of tool calls,
    and of failed ones among them. agents: ids of its last subagents. files: changed ones, newest
    first. compacted: its compactions, unfinished ones included. tokens: the last reading, from
    `tokens_at`. point: the compaction threshold by formula. warned: the first pressure warning
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
