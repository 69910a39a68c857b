"""The sessions of a project, merged from its live and its imported log.

Invariant: each session counts once, by `projections.merging.merge`. Views, tables, reports, exports
and the page take their counts from here.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import replace

from journal.history.logs import LIVE, is_log
from journal.history.replay.run import replay_all
from journal.home import IMPORTED
from projections.compactions import same_pairs
from projections.merging import has_same_start, is_fuller, merge
from projections.session import Compaction, Session
from projections.sessions import Sessions, by_activity


class MergedSession(NamedTuple):
    """A session of a project, from one log or both.

    session: both merged. live, imported: as each log has it, None without events in that log.
    counted: the log that its counts come from.
    """

    session: Session
    live: Session | None
    imported: Session | None
    counted: str

    @property
    def is_imported(self) -> bool:
        """Return whether no hook recorded any of it."""
        return self.live is None

    @property
    def is_same_start(self) -> bool:
        """Return whether hooks saw the session start that the transcript has."""
        return bool(self.live and self.imported and has_same_start(self.live, self.imported))

    @property
    def compactions(self) -> list[tuple[bool, Compaction]]:
        """Return each counted compaction, with whether its record is an imported one.

        If a hook and a transcript report the same one, the record is the hook's, which has more
        fields, with the transcript's tokens: Claude Code counted these when it compacted, while a
        hook knows only those of the last reply.
        """
        live, counted = self.live.compacted if self.live else [], self.session.compacted
        others = counted
        if counted is live:
            others = self.imported.compacted if self.imported else []
        pairs = same_pairs(live, others)
        if counted is live:
            same = {index: others[at] for at, index in pairs.items()}
            return [(False, _with_tokens(item, same.get(at, item))) for at, item in enumerate(live)]
        found = []
        for at, item in enumerate(counted):
            hook = live[pairs[at]] if at in pairs else None if item.done else item
            found.append((hook is None, _with_tokens(hook or item, item)))
        return found

    @property
    def attempts(self) -> list[int]:
        """Return the seqs of unfinished compactions that only hooks report."""
        return [
            compaction.seq
            for compaction in (self.live.compacted if self.live else ())
            if not compaction.done and compaction in self.session.compacted
        ]


def _with_tokens(item: Compaction, transcript: Compaction) -> Compaction:
    before, after = transcript.tokens or item.tokens, transcript.after or item.after
    return replace(item, tokens=before, after=after)


def sessions_of(directory: str) -> dict[str, MergedSession]:
    """Return the sessions of a project's journal, sorted by last activity."""
    live = replay_all(directory, ("sessions",)).states["sessions"] if is_log(directory) else None
    return merged(live or Sessions(), imported_sessions(directory))


def imported_sessions(directory: str) -> dict[str, Session]:
    """Return the sessions imported from transcripts, and sessions that these only name."""
    below = os.path.join(directory, IMPORTED)
    if not is_log(below):
        return {}
    return by_activity(replay_all(below, ("sessions",)).states["sessions"])


def merged(live: Sessions, imported: Mapping[str, Session]) -> dict[str, MergedSession]:
    """Return each session once, sorted by last activity. An imported one without an end is over."""
    named = by_activity(live)
    hooks, transcripts = begun(named), begun(imported)
    found = {}
    for sid in dict.fromkeys((*transcripts, *hooks)):
        session = merge(named.get(sid), imported.get(sid))
        assert session is not None  # it is in one of them
        own, other = hooks.get(sid), transcripts.get(sid)
        if own is None:
            found[sid] = MergedSession(_over(session), None, other, IMPORTED)
        else:
            counted = IMPORTED if other is not None and is_fuller(other, own) else LIVE
            found[sid] = MergedSession(session, own, other, counted)
    if not imported:
        return found
    return dict(sorted(found.items(), key=lambda item: item[1].session.last))


def begun(sessions: Mapping[str, Session]) -> dict[str, Session]:
    """Return the sessions that have events in a log, without sessions that it only names."""
    return {sid: session for sid, session in sessions.items() if session.seq}


def _over(session: Session) -> Session:
    """End a session at its last activity if its transcript records no end."""
    if session.ended:
        return session
    return replace(session, ended=session.last, inferred=True, reason="unknown")
