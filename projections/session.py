"""One session: what is counted and known of it, and how two records of it become one."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from projections.compactions import Compaction, Warned, is_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["FILES", "TITLE", "Session", "is_fuller", "merge", "title_of"]

TITLE = 80  # characters

FILES = 20


class Session(Struct, frozen=True, omit_defaults=True):
    """One session.

    started, ended, last: times; ended "" is open, inferred: nobody said so but a later start.
    sources: how it started, each time (startup, resume, clear, fork, compact). root: first session
    of its lineage, parent: the one it continues. prompt: the first request; telling: the first
    that says what is wanted, as a title. tools, failures:
    calls, failed ones among them; files: changed, newest first. compacted: its compactions, those
    that came to nothing too. tokens: last known, read at `tokens_at`; point: where auto-compact
    fires, by the formula. warned: the first warning since the last compaction. named: the title its
    transcript gives it, as [time, source, title]; `title` is what hooks and summaries call it.
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
    named: list[str] = []
    summary: str = ""
    prompts: int = 0
    prompt: str = ""
    telling: str = ""
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


def merge(live: Session | None, imported: Session | None) -> Session | None:
    """Return one session of what hooks recorded and what was imported of it; None without either.

    Its counts and compactions are those of the fuller record, the hooks' where both are equal, so
    that nothing counts twice; attempts at a compaction that came to nothing are the hooks' to
    report. Of the rest, what the hooks recorded stands and the transcript fills in what they did
    not see.
    """
    if live is None or imported is None:
        return live or imported
    fuller = imported if is_fuller(imported, live) else live
    changes: dict[str, Any] = {name: getattr(fuller, name) for name in _COUNTED}
    if fuller is imported:
        changes["compacted"] = _with_attempts(imported.compacted, live.compacted)
    for name in Session.__struct_fields__:
        if name not in _COUNTED and name not in _OF_HOOKS and not getattr(live, name):
            changes[name] = getattr(imported, name)
    changes["started"] = min(filter(None, (live.started, imported.started)), default="")
    changes["files"] = list(dict.fromkeys((*live.files, *imported.files)))[:FILES]
    return replace(live, **changes)


def title_of(session: Session) -> str:
    """Return what a session is called: its title, else what it was first asked, else ""."""
    title = session.named[2] if session.named else session.title
    return title or session.telling or " ".join(session.prompt[:TITLE].split())


_COUNTED = ("prompts", "turns", "tools", "failures", "subagents", "compacted")
_OF_HOOKS = ("ended", "inferred", "reason", "seq")  # empty ones of these say something, too


def is_fuller(imported: Session, live: Session) -> bool:
    """Return whether the counts of a session in both logs are those of the imported record."""
    return _fullness(imported) > _fullness(live)


def _fullness(session: Session) -> tuple[int, bool]:
    activity = session.prompts + session.turns + session.tools
    return activity, bool(activity or session.subagents or session.compacted)


def _with_attempts(imported: list[Compaction], live: list[Compaction]) -> list[Compaction]:
    """Add the attempts of which only a hook knows to the compactions of a transcript."""
    more = [
        item
        for item in live
        if not item.done and not any(is_same(item, other) for other in imported)
    ]
    return sorted((*imported, *more), key=lambda item: item.at) if more else imported
