"""Merge the state of a session that hooks recorded with the one that was imported. Pure."""

from typing import Any

from msgspec.structs import replace

from projections.compactions import is_same
from projections.session import FILES, Compaction, Session
from projections.titles import REQUESTED, with_title

COUNTED = frozenset(
    (
        "prompt.submitted",
        "turn.ended",
        "turn.failed",
        "tool.finished",
        "tool.failed",
        "subagent.started",
        "subagent.ended",
        "compact.started",
        "compact.summarized",
        "compact.finished",
    )
)
"""Event types that a session's counts are made of, or that report the same facts."""
_COUNTS = ("prompts", "turns", "tools", "failures", "subagents", "compacted")
_TITLE = ("title", "title_source", "title_at")
_OF_HOOKS = ("ended", "inferred", "reason", "seq")  # taken from the hooks even if empty


def merge(live: Session | None, imported: Session | None) -> Session | None:
    """Return the merged session, or None if both are None.

    Counts and compactions are those of the fuller state, of the hooks' if both are equal, so that
    nothing counts twice. Unfinished compactions come from the hooks, because transcripts have none.
    The title is the higher-ranking one, the last reading the newest. All other fields come from
    the hooks, and from the import if empty there.

    Args:
        live: the state that hooks recorded.
        imported: the state from transcripts.

    """
    if live is None or imported is None:
        return live or imported
    for session, named in ((imported, live), (live, imported)):
        if not named.seq:  # its log has no events of the session, only a title or summary
            return replace(with_title(session, named), summary=session.summary or named.summary)
    fuller = imported if is_fuller(imported, live) else live
    titled = with_title(live, imported)
    # Both titles are requests, and that of the hooks is not the first.
    same = live.title_source == imported.title_source and live.title_source in REQUESTED
    if titled is live and same and imported.title and not has_same_start(live, imported):
        titled = imported
    changes: dict[str, Any] = {name: getattr(fuller, name) for name in _COUNTS}
    changes |= {name: getattr(titled, name) for name in _TITLE}
    changes |= _reading(live, imported)
    if fuller is imported:
        changes["compacted"] = _with_attempts(imported.compacted, live.compacted)
        if imported.last > live.last:  # it went on without hooks
            over = ("ended", "inferred", "reason") if live.ended else ()
            changes |= {name: getattr(imported, name) for name in ("last", *over)}
    for name in Session.__struct_fields__:
        if name not in changes and name not in _OF_HOOKS and not getattr(live, name):
            changes[name] = getattr(imported, name)
    if not has_same_start(live, imported):
        changes |= _beginning(live, imported)
    changes["files"] = list(dict.fromkeys((*live.files, *imported.files)))[:FILES]
    return replace(live, **changes)


def has_same_start(live: Session, imported: Session) -> bool:
    """Return whether the hooks saw a session begin.

    The transcript of a fork, or of a session that /clear began, begins with older lines.
    """
    is_new = live.sources[:1] in (["fork"], ["clear"])
    return is_new or live.started <= (imported.started or live.started)


def _beginning(live: Session, imported: Session) -> dict[str, Any]:
    """Return the fields of a session's beginning, which the hooks did not see."""
    changes: dict[str, Any] = {
        "started": imported.started,
        "sources": [*imported.sources[:1], *live.sources],
    }
    if imported.prompt:
        changes |= {"prompt": imported.prompt, "asked": imported.asked}
    return changes


def _reading(live: Session, imported: Session) -> dict[str, Any]:
    """Return the newest reading: a transcript may go on where hooks stopped."""
    newest = imported if imported.tokens_at > live.tokens_at else live
    return {
        "tokens": newest.tokens,
        "tokens_at": newest.tokens_at,
        "model": newest.model or live.model or imported.model,
    }


def is_fuller(imported: Session, live: Session) -> bool:
    """Return whether the imported state has more activity than that of the hooks."""
    return _fullness(imported) > _fullness(live)


def _fullness(session: Session) -> tuple[int, int, bool]:
    activity = session.prompts + session.turns + session.tools
    compactions = sum(item.done for item in session.compacted)
    return activity, session.subagents + compactions, bool(session.compacted)


def _with_attempts(imported: list[Compaction], live: list[Compaction]) -> list[Compaction]:
    """Add the unfinished compactions, which only hooks record, to those of a transcript."""
    more = [
        item
        for item in live
        if not item.done and not any(is_same(item, other) for other in imported)
    ]
    return sorted((*imported, *more), key=lambda item: item.at) if more else imported
