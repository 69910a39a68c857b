"""One session: what is counted and known of it."""

from __future__ import annotations

from msgspec import Struct

from projections.compactions import Compaction, Warned

__all__ = ["FILES", "TITLE", "Session", "title_of"]

TITLE = 80  # characters

FILES = 20


class Session(Struct, frozen=True, omit_defaults=True):
    """One session.

    started, ended, last: times; ended "" is open, inferred: nobody said so but a later start.
    sources: how it started, each time (startup, resume, clear, fork, compact). root: first session
    of its lineage, parent: the one it continues. title, title_source, title_at: see
    `projections.titles`. prompt: the first one. tools, failures: calls, failed ones among them;
    files: changed, newest first. compacted: its compactions, those that came to nothing too.
    tokens: last known, read at `tokens_at`; point: where auto-compact fires, by the formula.
    warned: the first warning since the last compaction. One with seq 0 has no events of its own:
    another session's event names it.
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
    turns: int = 0
    tools: int = 0
    failures: int = 0
    subagents: int = 0
    files: list[str] = []
    compacted: list[Compaction] = []
    warned: Warned | None = None
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
        """How many compactions were started, or were proved though no hook saw them start."""
        return len(self.compacted)

    @property
    def compactions(self) -> int:
        """How many compactions were done."""
        return sum(item.done for item in self.compacted)


def title_of(session: Session) -> str:
    """Return what a session is called: its title, else its first prompt, else ""."""
    return session.title or " ".join(session.prompt[:TITLE].split())
