"""How commands read the journal: sessions, folds, times.

Invariant: the result covers the whole log, and so does `complete`, even if a stored state is used
and only later records are read. Reading takes no lock.
"""

import os
from collections.abc import Iterable
from contextlib import closing

from cli.import_.automatic import need_history
from cli.scope import Scope
from journal.bound import parse_bound, parse_time
from journal.codec import dumps
from journal.errors import UsageError
from journal.history.find_session import (
    SeveralSessionsError,
    find_session,
    is_last,
    matching_sids,
)
from journal.history.logs import LIVE, journals
from journal.history.merged import Cite, parse_cite
from journal.history.replay.run import Replay, replay_all, replay_to
from journal.home import IMPORTED
from journal.log.read import Reader


def session_option(scope: Scope, sids: Iterable[str], *, every: bool = False) -> str:
    """Return the session that --session names, "" without the option.

    sids: of the journal, which are tried first. every: accept a session of another project. Raise
    UsageError if none or several match, or if it belongs to another project.
    """
    if not scope.asked:
        return ""
    from cli.past.search import open_index

    found = [] if is_last(scope.asked) else matching_sids(scope.asked, sids)
    if len(found) > 1:
        raise SeveralSessionsError(scope.asked, found)
    if found:
        return found[0]
    with closing(open_index(scope)) as index:
        past = find_session(index, scope.asked, scope.project.name)
    if past.project != scope.project.name and not every:
        name = scope.name_of(past.project)
        what = f"session {past.digest.sid} belongs to the project {name}"
        raise UsageError(what, f"add --project {past.project}")
    return past.digest.sid


def asked_session(scope: Scope) -> str:
    """Return the session of --session, live or imported; "" without the option."""
    return session_option(scope, sessions_in(scope.directory)) if scope.asked else ""


def session_of(scope: Scope, replay: Replay, also: Iterable[str] = ()) -> str:
    """Return the session that a reading command is about: --session, else Claude Code's.

    "" means all sessions. also: imported sessions. Raise as `session_option` does.
    """
    if scope.asked:
        return session_option(scope, (*also, *replay.sessions))
    return scope.current if scope.current in replay.sessions else ""


def sessions_in(directory: str) -> set[str]:
    """Return every session that a project's logs name, live and imported."""
    return {
        *replay_all(directory, ()).sessions,
        *replay_all(os.path.join(directory, IMPORTED), ()).sessions,
    }


def fold(scope: Scope, names: Iterable[str], until: str = "", *, upto: int = 0) -> Replay:
    """Fold the journal of the scope, up to `until` (SEQ|TIME as typed) or the seq `upto`."""
    need_history(scope)
    bound = upto or (parse_bound(until, scope.now, end=True) if until else None)
    if bound is None:
        return replay_all(scope.directory, names)
    return replay_to(scope.directory, names, bound)


def asked_for(scope: Scope, since: str) -> tuple[list[tuple[str, str]], str]:
    """Return the journals that a report covers, and the time from which on ("" for all).

    Raise UsageError if `since` is not a time, JournalError if the project has no journal.
    """
    bound = parse_time(since, scope.now)
    need_history(scope)
    if scope.every:
        return journals(scope.home), bound
    return [(scope.project.name, scope.directory)], bound


def advised(directory: str, what: str, sid: str | None = None, after: int = 0) -> tuple[int, int]:
    """Return the seq of the first `advice.given` of `what` (0 for none), and the last seq read.

    sid: only in this session. after: only records with a higher seq.
    """
    member = b'"what":%s' % dumps(what)
    session = b"" if sid is None else b'"sid":%s' % dumps(sid)
    reader = Reader(directory, after)
    for batch in reader.batches():
        for seq, line in batch:
            if member in line and session in line:
                return seq, reader.last_seq
    return 0, reader.last_seq


def bound_of(text: str, scope: Scope, *, end: bool = False) -> Cite | str | None:
    """Parse SEQ|TIME of the timeline: an event, live (N) or imported (i:N), or a time."""
    if not text:
        return None
    found = parse_cite(text) or parse_bound(text, scope.now, end=end)
    return Cite(LIVE, found) if isinstance(found, int) else found
