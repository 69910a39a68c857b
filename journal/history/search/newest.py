"""List the newest sessions of a project that has no index yet.

Invariant: the index would list the same ones. Only the ends of the logs are folded, from the first
record of the oldest session in question on.
"""

import os
from collections.abc import Collection

from journal.history.replay.run import replay_all
from journal.history.replay.stored import StoredFolds
from journal.history.search.digests import merged
from journal.history.search.index import PastSession
from journal.history.sessions import sessions_of
from journal.home import IMPORTED
from journal.log.read import Reader
from projections.digest import Digest, has_no_work
from projections.digests import PROJECTION
from projections.fold import Fold

_MOST = 64 * 1024 * 1024  # bytes of each log that are folded; beyond it, an index pays


def newest_sessions(home: str, project: str, count: int) -> list[PastSession] | None:
    """Return the newest sessions with work of their own; None if too much would be folded."""
    directory = os.path.join(home, project)
    sessions = sessions_of(directory)
    ordered = sorted(sessions, key=lambda sid: sessions[sid].session.started, reverse=True)
    chosen = set(ordered[: 2 * count])
    live, imported = (_digests(log, chosen) for log in (directory, f"{directory}/{IMPORTED}"))
    if live is None or imported is None:
        return None
    parts = [sid for digests in (live, imported) for sid, item in digests.items() if item.of]
    found = [merged(live.get(sid), imported.get(sid)) for sid in (*chosen, *parts)]
    own = [item for item in found if item is not None and not has_no_work(item)]
    if len(own) < count and len(chosen) < len(ordered):
        return None
    own.sort(key=lambda item: item.sid)
    own.sort(key=lambda item: item.session.started, reverse=True)
    return [PastSession(project, item) for item in own[:count]]


def _digests(log: str, sids: Collection[str]) -> dict[str, Digest] | None:
    """Return the digests of sessions, and perhaps of others; None if too much would be folded."""
    known = replay_all(log, ()).facts.sessions
    firsts = [known[sid][0] for sid in sids if sid in known]
    if not firsts:
        return {}
    stored = StoredFolds(log).last(upto=min(firsts) - 1)
    reader = Reader(log, min(firsts) - 1, stored.position if stored else None)
    fold = Fold([PROJECTION])
    for batch in reader.batches():
        fold.feed(batch)
        if reader.bytes_read > _MOST:
            return None
    digests: dict[str, Digest] = fold.states["digests"].sessions
    return {sid: item for sid, item in digests.items() if item.of or sid in sids}
