"""Find what sessions found out, in their whole answers if the transcripts still exist.

A log has only the beginning of each answer, but the important sentence may be at its end.
Invariant: a run reads a bounded number of bytes and redacts its findings; if a session's transcript
cannot be read, the findings from its log stay.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from journal.history.conversations.model import Entry
from journal.history.conversations.resume import recorded_path
from journal.history.conversations.text import redact_entries
from journal.history.conversations.transcript import read_answers
from projections.digest import Digest
from projections.finding import KeySentence, best_findings, findings_in, least_beside

_RUN = 32 * 1024 * 1024  # bytes of transcripts read in one run
_ONE = 8 * 1024 * 1024  # bytes of the largest transcript that is read


def with_findings(digests: Iterable[Digest]) -> Iterator[tuple[Digest, Digest]]:
    """Yield each digest, and a copy of it with the findings from its whole answers."""
    left = _RUN
    for digest in digests:
        path, found = recorded_path(digest), []
        with suppress(OSError):  # it was deleted, or there is none
            size = os.path.getsize(path)
            if 0 < size <= min(left, _ONE):
                left -= size
                found = findings_of(read_answers(path))
        yield digest, replace(digest, findings=found) if found else digest


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
