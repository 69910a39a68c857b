"""What of a session can be found, and how much a word counts in each place.

Invariant: whatever a field's text, no more than `MOST` characters of it are looked at; the weights
are whole numbers, so that a term's weighted count is one.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from journal.history.search.tokens import terms
from projections.digest import title_of
from projections.summary import summarize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.digest import Digest

__all__ = ["Field", "counted", "fields", "gist"]

MOST = 8000  # characters of one text
GIST = 900  # characters: about as much as a model takes in
# A summary repeats these, with words around them that all summaries have.
_SAYS = frozenset(("title", "prompt", "decision", "message", "unit", "compact"))
_ID = 6  # weight of a session's own id
_MOST_COUNTED = 60_000  # an unsigned 16-bit number


class Field(NamedTuple):
    """A text of a session: what it is, how much a word in it counts, the text."""

    name: str
    weight: int
    text: str


def fields(digest: Digest) -> Iterator[Field]:
    """Texts of a session, the most telling first."""
    session = digest.session
    summary = digest.summary or summarize(digest).summary
    yield Field("title", 6, title_of(digest))
    yield Field("summary", 3, summary)
    for text in digest.prompts:
        yield Field("prompt", 4, text)
    for text in dict.fromkeys((*digest.decisions, *digest.summary_decisions)):
        yield Field("decision", 4, text)
    for text in digest.units:
        yield Field("unit", 3, text)
    for text in digest.messages:
        yield Field("message", 2, text)
    for text in digest.compacts:
        yield Field("compact", 2, text)
    for failure in digest.failures:
        yield Field("failure", 2, f"{failure.tool} {failure.target} {failure.error}")
    for text in dict.fromkeys((*session.files, *digest.summary_files)):
        yield Field("file", 3, text)
    for mark in digest.marks:
        yield Field("mark", 1, mark.what)
    yield Field("branch", 2, session.branch)


def counted(digest: Digest) -> tuple[dict[str, int], int]:
    """Weighted number of each term, and that of all of them together: the session's length."""
    found: Counter[str] = Counter()
    for field in fields(digest):
        for term in terms(field.text[:MOST]):
            found[term] += field.weight
    for whole in islice(terms(digest.sid), 1):
        found[whole] += _ID
    size = found.total()
    return {term: min(count, _MOST_COUNTED) for term, count in found.items()}, size


def gist(digest: Digest) -> str:
    """Give the text an embedding is made of: what it was about, in few words, best first."""
    parts: list[str] = []
    for field in fields(digest):
        if field.name in _SAYS:
            parts.append(field.text[:400])
        if sum(map(len, parts)) > GIST:
            break
    return "\n".join(dict.fromkeys(filter(None, parts)))[:GIST]
