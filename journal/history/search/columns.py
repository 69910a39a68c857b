"""The texts of a session that are indexed, and their columns in the index.

Invariant: at most `LONGEST` characters of each text are indexed, and the same digest always gives
the same columns: FTS5 needs them again to remove a session.
"""

from collections.abc import Iterator
from typing import NamedTuple

from projections.digest import Digest, title_of
from projections.facts.compaction import commands_of
from projections.summary import summarize
from projections.terms import terms

COLUMNS = {"title": 0.5, "asked": 1.5, "decided": 4.0, "worked": 4.0, "said": 1.0, "about": 0.25}
"""Column → weight of a match in it."""

LONGEST = 8000
"""Characters of one text that are indexed."""
_GIST = 900  # characters, about as many as a model reads
_ABOUT = frozenset(("title", "prompt", "decision", "message", "unit", "compact"))


class IndexedText(NamedTuple):
    """One text of a session: its kind, and the column in which it is indexed."""

    kind: str
    column: str
    text: str


def texts(digest: Digest) -> Iterator[IndexedText]:
    """Yield the texts of a session, the most relevant first."""
    session = digest.session
    yield IndexedText("title", "title", title_of(digest))
    yield IndexedText("summary", "about", digest.summary or summarize(digest).summary)
    for text in digest.prompts:
        yield IndexedText("prompt", "asked", text)
    for text in dict.fromkeys((*digest.decisions, *digest.summary_decisions)):
        yield IndexedText("decision", "decided", text)
    choices, plan = digest.gathered.choices, digest.gathered.plan
    chosen = [f"{choice.question} {choice.answer}" for choice in choices]
    for text in (*chosen, *([plan.title, *plan.steps] if plan else [])):
        yield IndexedText("decision", "decided", text)
    for text in digest.notes:
        yield IndexedText("note", "decided", text)
    for text in digest.units:
        yield IndexedText("unit", "worked", text)
    found = (finding.text for finding in digest.findings)
    for text in dict.fromkeys((*digest.messages, *found)):
        yield IndexedText("message", "said", text)
    for text in digest.compacts:
        yield IndexedText("compact", "said", text)
    yield from _worked(digest)
    for mark in digest.marks:
        yield IndexedText("mark", "about", mark.what)
    yield IndexedText("branch", "title", session.branch)


def _worked(digest: Digest) -> Iterator[IndexedText]:
    """Yield failures, commands that worked, and files."""
    for failure in digest.gathered.failures:
        yield IndexedText("failure", "worked", f"{failure.tool} {failure.target} {failure.error}")
    for text in commands_of(digest.gathered.ran):
        yield IndexedText("command", "worked", text)
    for text in dict.fromkeys((*digest.session.files, *digest.summary_files)):
        yield IndexedText("file", "worked", text)


def columns_of(digest: Digest) -> list[str]:
    """Return the terms of a session, joined by spaces, for each of `COLUMNS`."""
    found: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for _, column, text in texts(digest):
        found[column] += terms(text[:LONGEST])
    found["title"] += digest.sid.casefold().split("-")  # whole: `404` finds no ID that contains it
    return [" ".join(items) for items in found.values()]


def gist(digest: Digest) -> str:
    """Return the text for a session's vector: its most relevant texts."""
    parts: list[str] = []
    for kind, _, text in texts(digest):
        if kind in _ABOUT:
            parts.append(text[:400])
        if sum(map(len, parts)) > _GIST:
            break
    return "\n".join(dict.fromkeys(filter(None, parts)))[:_GIST]
