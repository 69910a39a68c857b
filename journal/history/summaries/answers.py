"""What sessions found out, from whole answers where their transcripts are still there.

A log has the beginning of each answer; the sentence that counts may stand at its end. Invariant: a
run reads a bounded number of bytes, what it finds is redacted, and a session whose transcript
cannot be read keeps what its log says.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec.structs import replace

from journal.history.conversations.resume import recorded_path
from journal.history.conversations.text import redact_entries
from journal.history.conversations.transcript import read_answers
from projections.finding import best_findings, findings_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from journal.history.conversations.model import Entry
    from projections.digest import Digest
    from projections.finding import Finding

__all__ = ["findings_of", "with_findings"]

_RUN = 32 * 1024 * 1024  # bytes of transcripts read in one run
_ONE = 8 * 1024 * 1024  # of one transcript


def with_findings(digests: Iterable[Digest]) -> Iterator[tuple[Digest, Digest]]:
    """Yield each digest, and it again with the findings of its whole answers."""
    left = _RUN
    for digest in digests:
        path = recorded_path(digest)
        size = _size(path) if path else 0
        if not 0 < size <= min(left, _ONE):
            yield digest, digest
            continue
        left -= size
        try:
            found = findings_of(read_answers(path))
        except OSError:
            found = []
        yield digest, replace(digest, findings=found) if found else digest


def findings_of(entries: Iterable[Entry]) -> list[Finding]:
    """Return the sentences of a conversation that say most of what was found out.

    entries: not redacted. An answer is redacted where one of its sentences is chosen, and chosen
    from again: redacting all of them took most of the time, and makes no sentence say more.
    """
    asked = ""
    found: list[Finding] = []
    for entry in entries:
        if entry.kind == "prompt":
            asked = entry.text
        elif best_findings([*found, *findings_in(entry.text, asked, found)]) != found:
            redact_entries((entry,))
            found = best_findings([*found, *findings_in(entry.text, asked, found)])
    return found


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
