"""Summarize ended sessions: find those that wait for a summary, and append the events.

The search index has the digests, so it is brought up to date first. A log has only the beginning of
each answer, but the important sentence may be at its end: findings come from the whole answers if
the transcripts still exist. Invariant: each state of a session is summarized once, even if several
processes try at the same time. A run reads a bounded number of bytes and redacts its findings; if a
session's transcript cannot be read, the findings from its log stay.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from msgspec.structs import replace

from journal.checkpoint import Position
from journal.codec import digest, dumps
from journal.history.conversations.model import Entry
from journal.history.conversations.resume import recorded_path
from journal.history.conversations.text import redact_entries
from journal.history.conversations.transcript import read_answers
from journal.history.search.index import Index
from journal.log.append import Writer
from journal.log.record import prepare_all, seq_of
from journal.redaction.batch import redact_events
from projections.digest import Digest
from projections.finding import KeySentence, best_findings, findings_in, least_beside
from projections.summary import Summary, summarize

SESSIONS = 50  # summarized in one run
BYTES = 64 * 1024 * 1024  # bytes of the log read in one run: a second or two
_RUN = 32 * 1024 * 1024  # bytes of transcripts read in one run
_ONE = 8 * 1024 * 1024  # bytes of the largest transcript that is read


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


def with_findings(digests: Iterable[Digest]) -> Iterator[tuple[Digest, Digest]]:
    """Yield each digest, and a copy of it with the findings from its whole answers."""
    left = _RUN
    for found in digests:
        path, findings = recorded_path(found), []
        with suppress(OSError):  # it was deleted, or there is none
            size = os.path.getsize(path)
            if 0 < size <= min(left, _ONE):
                left -= size
                findings = findings_of(read_answers(path))
        yield found, replace(found, findings=findings) if findings else found


def findings_of(entries: Iterable[Entry]) -> list[KeySentence]:
    """Return the most informative findings among the sentences of a conversation.

    entries: not redacted. An answer is redacted only when one of its sentences is chosen; then the
    choice is repeated on the redacted text. Redacting all answers took most of the time and cannot
    improve a sentence. The last answer is read first: an earlier sentence must weigh more than the
    later ones, so most answers need not be cut into sentences at all.
    """
    request = ""
    answers: list[tuple[Entry, str]] = []
    for entry in entries:
        if entry.kind == "prompt":
            request = entry.text
        else:
            answers.append((entry, request))
    found: list[KeySentence] = []
    for entry, request in reversed(answers):
        least = least_beside(found, earlier=True)
        if findings_in(entry.text, request, least):
            redact_entries((entry,))
            found = best_findings([*findings_in(entry.text, request, least), *found])
    return found
