"""The sessions and lineage views: the sessions, and which one continued which."""

from typing import Any

from cli.render.text import members
from cli.view.context import ViewContext
from journal.errors import JournalError
from projections.session import Session, title_of


def sessions(context: ViewContext) -> dict[str, Any]:
    """Return all sessions by last activity, or the requested one."""
    found = context.recorded
    if context.scope.asked:
        found = {context.session: _one(context, context.session)}
    return {
        "session": context.session or None,
        "sessions": [facts_of(sid, session) for sid, session in found.items()],
        "open": sum(not session.ended for session in found.values()),
    }


def facts_of(sid: str, session: Session) -> dict[str, Any]:
    """Return the fields of a session."""
    return {
        "session": sid,
        "state": state_word(session),
        **members(session, "started", "ended", "reason", "last", "seq", "sources"),
        "root": session.root,
        "parent": session.parent or None,
        "title": title_of(session) or None,
        **members(session, "summary", "prompts"),
        "first_prompt": session.prompt or None,
        **members(session, "turns", "tools", "failures", "subagents", "files", "compactions"),
        **members(session, "attempts", "tokens", "tokens_at"),
        "window": session.window or None,
        **members(session, "model", "branch", "cwd", "transcript"),
    }


def state_word(session: Session) -> str:
    """Return `open`, `ended`, or `ended (inferred)` if no hook reported the end."""
    if not session.ended:
        return "open"
    return "ended (inferred)" if session.inferred else "ended"


def lineage(context: ViewContext) -> dict[str, Any]:
    """Return the session chains, oldest first; for a session, only its own."""
    found = context.recorded
    roots: dict[str, list[str]] = {}
    for sid, session in sorted(found.items(), key=lambda item: item[1].started):
        roots.setdefault(session.root or sid, []).append(sid)
    shown: dict[str, Any] = {"session": context.session or None}
    if context.session:
        own = _one(context, context.session)
        roots = {own.root: roots[own.root]}
        shown |= {"root": own.root, "parent": own.parent or None}
        shown["chain"] = _chain(context.recorded, context.session)
    shown["lineages"] = [
        {
            "root": root,
            "sessions": [
                {
                    "session": sid,
                    "state": state_word(found[sid]),
                    "started": found[sid].started,
                    **members(found[sid], "parent", "sources", "ended"),
                }
                for sid in sids
            ],
        }
        for root, sids in roots.items()
    ]
    return shown


def _one(context: ViewContext, sid: str) -> Session:
    session = context.recorded.get(sid)
    if session is None:
        raise JournalError("", f"of session {sid} only the ID is known")
    return session


def _chain(sessions: dict[str, Session], sid: str) -> list[str]:
    """Return the ids of the sessions from the first of the chain to this one."""
    chain = [sid]
    while (session := sessions.get(chain[0])) and session.parent:
        if session.parent in chain:
            break
        chain.insert(0, session.parent)
    return chain
