"""The passage a hit shows: it contains the match and names its kind of text."""

from __future__ import annotations

import pytest

from journal.history.search.query import parse_query
from journal.history.search.snippet import LENGTH, snippet_of
from projections.digest import Digest
from projections.facts.session import Gathered
from projections.session import Session

LONG = "It went on and on about other things. " * 60
DIGEST = Digest(
    sid="s",
    prompts=["please fix the login", "then rename the gateway"],
    decisions=["cents are integers"],
    gathered=Gathered(messages=["The cache was stale."]),
    compacts=[LONG + "At last the deadlock was found in the pool."],
    summary="Asked: please fix the login. Done: a lot.",
    session=Session(title="A title about widgets", branch="fix/rounding", files=["src/ledger.py"]),
)


@pytest.mark.parametrize(
    ("query", "kind", "match"),
    [
        ("gateway", "prompt", "gateway"),
        ("login", "prompt", "login"),
        ("integers", "decision", "integers"),
        ("stale", "message", "stale"),
        ("deadlock", "compact", "deadlock"),
        ("ledger", "file", "ledger.py"),
        ("widgets", "title", "widgets"),
    ],
)
def test_the_match_is_in_it(query: str, kind: str, match: str) -> None:
    """Wherever the word is in the session, the passage contains it, bounded and marked."""
    found = snippet_of(DIGEST, parse_query(query).terms)
    assert found.kind == kind
    assert any(
        match.startswith(found.text[a:b]) or match in found.text[a:b] for a, b in found.spans
    )
    assert len(found.text) <= LENGTH


@pytest.mark.parametrize("query", ["größe", "Größe", "GRÖSSE", "grosse", "ändern", "andern", "é"])
def test_case_and_accents_do_not_matter(query: str) -> None:
    """A word that a search finds is marked, with and without its accents."""
    prompt = "Bitte die Größe ändern; É"
    found = snippet_of(Digest(sid="s", prompts=[prompt]), parse_query(query).terms)
    ((start, end),) = found.spans
    assert found.text[start:end] in ("Größe", "ändern", "É")
    assert found.kind == "prompt"


def test_without_a_match() -> None:
    """A session found by meaning shows its summary, without a kind."""
    found = snippet_of(DIGEST, parse_query("zebra").terms)
    assert (found.spans, found.kind) == ([], "")
    assert found.text.startswith("Asked: please fix")
