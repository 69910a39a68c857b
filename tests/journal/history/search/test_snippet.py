"""The passage a hit shows: it contains the match and names its kind of text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.history.search.query import parse_query
from journal.history.search.snippet import passage_of, snippet_of
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
    assert len(found.text) <= 240


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


@given(
    before=st.lists(st.sampled_from(["cat", "elephants", "a", "walrus", "über"]), max_size=90),
    after=st.lists(st.sampled_from(["cat", "elephants", "a", "walrus", "über"]), max_size=90),
)
def test_law_of_a_passage(before: list[str], after: list[str]) -> None:
    """A passage holds the match, is cut at spaces, and has an ellipsis exactly where it is cut."""
    text = " ".join([*before, "deadlock", *after])
    found, shown = passage_of(text, parse_query("deadlock").terms)
    assert found == 1
    assert [shown.text[start:end] for start, end in shown.spans] == ["deadlock"]
    assert len(shown.text) <= 240
    inner = shown.text.strip("…")
    assert f" {inner} " in f" {text} "
    assert shown.text.startswith("…") is not text.startswith(inner)
    assert shown.text.endswith("…") is not text.endswith(inner)
    assert len(shown.text) > 200 or shown.text == text


def test_context_before_the_match() -> None:
    """Up to 80 characters stand before the match, so that it can be understood."""
    text = "x " * 300 + "deadlock" + " y" * 300
    _, shown = passage_of(text, parse_query("deadlock").terms)
    ((start, _),) = shown.spans
    assert 76 <= start <= 81


def test_the_place_with_more_of_the_words() -> None:
    """Of two places the one with more different words of the query is shown."""
    gap = " and so on" * 40
    text = f"retry retry retry {gap} retry the payment queue {gap} retry the queue"
    found, shown = passage_of(text, parse_query("retry payment queue").terms)
    marked = [shown.text[start:end] for start, end in shown.spans]
    assert (found, marked) == (3, ["retry", "payment", "queue"])


def test_words_that_touch_are_one_mark() -> None:
    """Pairs of characters that overlap are marked as one run."""
    _, shown = passage_of("まず圧縮率を測る", parse_query("圧縮率").terms)
    assert [shown.text[start:end] for start, end in shown.spans] == ["圧縮率"]


@pytest.mark.parametrize(("query", "word"), [("logs", "logs"), ("deploys", "deploy")])
def test_stems(query: str, word: str) -> None:
    """A word is found in another form, a short one only as it stands."""
    digest = Digest(sid="s", prompts=[f"look at the {word} now"])
    found = snippet_of(digest, parse_query(query).terms)
    assert [found.text[start:end] for start, end in found.spans] == [word]
