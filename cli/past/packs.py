"""`journal pack make|list|send`: combine past sessions, save them, and send them to a session.

Invariant: packs are the same as those of the page and the API, because all use `history.packs`. All
checks precede the first write.
"""

from contextlib import closing

from cli.error import warn
from cli.past.get import named_sessions
from cli.past.search import open_index
from cli.render.local_time import local_time
from cli.render.text import table
from cli.scope import JournalScope, Scope
from journal.errors import UsageError
from journal.history import packs
from journal.history.find_session import find_session
from journal.history.packs import Pack
from journal.history.search.index import PastSession
from journal.text import plural, quoted

_SHOWN = 80  # characters of a title


def make(
    scope: Scope, *, selector: list[str], title: str, note: str, send_to: str, dry_run: bool
) -> int:
    """Save a pack of the sessions that a selector names; send it to session `send_to` if given."""
    pasts = named_sessions(scope, " ".join(selector))
    target = _target(scope, send_to) if send_to else None
    draft = packs.draft(pasts, title, note, name_of=scope.name_of)
    if dry_run:
        if target is not None:
            packs.check(_recorder(scope, target), target.digest.sid, draft.text)
        data = {"title": draft.title, "text": draft.text, "tokens": draft.tokens}
        return scope.show({**data, "sessions": draft.sids}, draft.text.splitlines())
    recorder = _recorder(scope, target or pasts[0])
    to = target.digest.sid if target else None
    name, seq = packs.save(recorder, draft, to)
    size = f"{plural(len(pasts), 'session')}, about {draft.tokens:,} tokens"
    lines = [f"Saved pack {name}: {quoted(draft.title, _SHOWN)} ({size})."]
    lines.append(_sent(to) if to else f"Send it to a session: journal pack send {name} SESSION")
    return scope.show(
        {
            "pack": name,
            "project": recorder.project.name,
            "title": draft.title,
            "characters": len(draft.text),
            "tokens": draft.tokens,
            "sources": draft.sources,
            "to": to,
            "seq": seq or None,
        },
        lines,
    )


def listing(scope: Scope) -> int:
    """List the saved packs of the project, newest first."""
    scope.must_exist()
    scope.reads()
    found = packs.packs(scope)
    facts = [
        {
            "pack": name,
            "at": at,
            "title": draft.title,
            "sessions": draft.sids,
            "characters": len(draft.text),
            "sources": draft.sources,
            "seq": seq,
        }
        for name, seq, at, draft in found
    ]
    rows = [
        (name, local_time(at), draft.title, len(draft.sids), f"{len(draft.text):,}")
        for name, _, at, draft in found
    ]
    heads = ("PACK", "SAVED", "TITLE", "SESSIONS", "CHARACTERS")
    lines = table(rows, scope.columns, heads=heads, flexible=2, right=(3, 4))
    return scope.show(facts, lines or ["No pack yet. Make one: journal pack make last 2"])


def send(scope: Scope, *, pack: str, session: str) -> int:
    """Queue a saved pack for a session; a hook injects it once, at its next prompt or recovery."""
    scope.must_exist()
    chosen = _pack(packs.packs(scope), pack)
    target = _target(scope, session)
    to, title = target.digest.sid, quoted(chosen.draft.title, _SHOWN)
    seq = packs.queue(_recorder(scope, target), to, chosen.draft, warn)
    data = {"pack": chosen.id, "to": to, "project": target.project, "seq": seq}
    return scope.show(data, [f"Pack {chosen.id} {title}: {_sent(to)}"])


def _sent(to: str) -> str:
    return f"queued for session {to}. It waits for {packs.WAITS}."


def _pack(found: list[Pack], wanted: str) -> Pack:
    """Return the pack with an id or an unambiguous beginning of one; `last` is the newest."""
    if wanted == "last":
        named = found[:1]
    else:
        named = [pack for pack in found if wanted and pack.id.startswith(wanted)]
    if len(named) == 1:
        return named[0]
    shown = quoted(wanted, 60)
    what = f"{shown} names {len(named)} packs" if named else f"there is no pack {shown}"
    raise UsageError(what, "`journal pack list` lists them")


def _target(scope: Scope, ref: str) -> PastSession:
    """Return a session by a reference. Raise UsageError if no pack can be sent to it."""
    with closing(open_index(scope)) as index:
        past = find_session(index, ref, scope.project.name)
    if why := packs.no_target(past):
        raise UsageError(f"{quoted(ref, 60)} {why}", "name a session that hooks recorded")
    return past


def _recorder(scope: Scope, past: PastSession) -> Scope:
    """Return the scope of a session's journal."""
    if past.project == scope.project.name:
        return scope
    return JournalScope(scope.env, scope.home, past.project)
