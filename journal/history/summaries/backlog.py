"""Summarize ended sessions: find those that wait for a summary, and append the events.

The search index has the digests, so it is brought up to date first. Invariant: each state of a
session is summarized once, even if several processes try at the same time.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from journal.checkpoint import Position
from journal.codec import digest, dumps
from journal.history.search.index import Index
from journal.history.summaries.answers import with_findings
from journal.log.append import Writer
from journal.log.record import prepare_all, seq_of
from journal.redaction.batch import redact_events
from projections.digest import Digest
from projections.summary import Summary, summarize

SESSIONS = 50  # summarized in one run
BYTES = 64 * 1024 * 1024  # bytes of the log read in one run: a second or two


def summarize_waiting(
    directory: str,
    now: str,
    settings: Mapping[str, Any],
    limit: int = SESSIONS,
    *,
    leaving: str = "",
    most: int = BYTES,
) -> int:
    """Append `session.summarized` for ended sessions of a journal; return how many.

    now: ISO 8601. limit: maximum number of sessions. leaving: a session to leave out because it is
    about to continue. most: maximum bytes of the log to read; if the log has more, this run appends
    no summaries and the next run reads on. Raise Busy or JournalOffError if the journal cannot be
    written.
    """
    if not settings.get("summary.auto", True) or limit <= 0:
        return 0
    home, project = os.path.split(directory)
    with closing(Index(home)) as index:
        if not index.read_on(project, most):
            return 0
        # Read the position first: another run may advance the index in between.
        position = index.position(project)
        waiting = [found for found in index.waiting(project) if found.sid != leaving][:limit]
    events = [event_of(found, summarize(read)) for found, read in with_findings(waiting)]
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
    appended = writer.read(start, writer.size)
    new = [event for event in events if event["key"].encode() not in appended]
    return writer.append(*prepare_all(new, writer.now, redact=redact_events)) if new else []


def event_of(found: Digest, summary: Summary, again: str = "") -> dict[str, Any]:
    """Return the event of a summary. Its own sid is empty because nothing happened in the session.

    again: distinguishes it from an earlier summary of the same state, "" if there is none.
    """
    side = ["imported"] if found.imported else []  # seqs of the two logs are different ones
    fields: dict[str, Any] = {
        "type": "session.summarized",
        "v": 1,
        "sid": "",
        "key": digest(dumps(["session.summarized", found.sid, found.seq, *side, again])),
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
