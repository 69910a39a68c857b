"""Summaries of the sessions that are over: which sessions wait for one, and their events.

The search index knows the digests, so it is read on first. Invariant: a summary is appended once
for each state of a session, whoever else is at it.
"""

from __future__ import annotations

import os
from contextlib import closing

from journal.codec import digest, dumps
from journal.history.search.index import Index
from journal.history.summaries.answers import with_findings
from journal.log.append import Writer
from journal.log.record import seq_of
from projections.summary import summarize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from journal.checkpoint import Position
    from projections.digest import Digest
    from projections.summary import Summary

__all__ = ["BYTES", "SESSIONS", "append_new", "event_of", "summarize_waiting"]

SESSIONS = 50  # summarised in one run
BYTES = 64 * 1024 * 1024  # of the log read in one run: a second or two


def summarize_waiting(
    directory: str,
    now: str,
    settings: Mapping[str, Any],
    limit: int = SESSIONS,
    *,
    leaving: str = "",
    most: int = BYTES,
) -> int:
    """Append `session.summarized` for sessions of a journal that are over; return how many.

    now: ISO 8601. limit: sessions at most. leaving: a session that is about to go on. most: bytes
    of the log that are read; where that is not all there is, the rest is for the next run, and so
    are the summaries. Raises Busy or JournalOffError when nothing can be appended.
    """
    if not settings.get("summary.auto", True) or limit <= 0:
        return 0
    home, project = os.path.split(directory)
    with closing(Index(home)) as index:
        if not index.read_on(project, most):
            return 0
        # The position first: another run may move the index on in between.
        position = index.position(project)
        waiting = [one for one in index.waiting(project) if one.sid != leaving][:limit]
    events = [event_of(one, summarize(read)) for one, read in with_findings(waiting)]
    if not events:
        return 0
    with Writer(directory, now, sync=settings["append.sync"]) as writer:
        return len(append_new(writer, position, events))


def append_new(
    writer: Writer, position: Position | None, events: Sequence[dict[str, Any]]
) -> list[int]:
    """Append the summaries that no other run has appended since `position`; return their seqs."""
    first = seq_of(writer.read(0, 64))
    start = position.offset if position and position.segment == first else 0
    fresh = writer.read(start, writer.size)
    new = [event for event in events if event["key"].encode() not in fresh]
    return writer.append(*new) if new else []


def _side(found: Digest) -> list[str]:
    """Return what tells a seq of the imported log from one of the hooks' log."""
    return ["imported"] if found.imported else []


def event_of(found: Digest, summary: Summary, again: str = "") -> dict[str, Any]:
    """Return the event of a summary. It belongs to no session: nothing happened in that one.

    again: what tells it from an earlier one of the same state, "" where there is none.
    """
    fields: dict[str, Any] = {
        "type": "session.summarized",
        "v": 1,
        "sid": "",
        "key": digest(dumps(["session.summarized", found.sid, found.seq, *_side(found), again])),
        "branch": found.session.branch,
        "of": found.sid,
        "upto": found.seq,
        "started": found.session.started,
        "ended": found.session.ended,
        "root": found.session.root,
        "title": summary.title,
        "summary": summary.summary,
        "decisions": summary.decisions,
        "files": summary.files,
        "engine": summary.engine,
    }
    return {name: value for name, value in fields.items() if name == "sid" or value not in ("", [])}
