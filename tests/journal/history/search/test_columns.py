"""Which texts of a session are indexed, and the weight of each column."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.search.columns import COLUMNS, columns_of, gist, texts
from projections.digest import Digest
from projections.facts.session import Gathered
from projections.session import Session

if TYPE_CHECKING:
    from tests.journal.history.search.conftest import Home

DIGEST = Digest(
    sid="sid-1",
    session=Session(
        title="titleword", branch="feature/branchword", files=["src/fileword.py"], prompts=1
    ),
    first=1,
    seq=9,
    prompts=["promptword"],
    decisions=["decisionword"],
    units=["unitword"],
    gathered=Gathered(messages=["messageword"]),
    compacts=["compactword"],
    summary="summaryword",
)
WORDS = {
    "title": ["titleword", "sid", "branchword"],
    "asked": ["promptword"],
    "decided": ["decisionword"],
    "worked": ["unitword", "fileword"],
    "said": ["messageword", "compactword"],
    "about": ["summaryword"],
}


def test_weights() -> None:
    """The weights were chosen with the labelled set: measure with it before changing them."""
    assert COLUMNS == {
        "title": 0.5, "asked": 1.5, "decided": 4.0, "worked": 4.0, "said": 1.0, "about": 0.25,
    }  # fmt: skip


@pytest.mark.parametrize("column", WORDS)
def test_each_text_has_its_column(column: str) -> None:
    """Each text of a session is in the column whose weight it should have."""
    found = dict(zip(COLUMNS, columns_of(DIGEST), strict=True))
    for word in WORDS[column]:
        assert word in found[column].split()


def test_an_id_is_no_words() -> None:
    """An ID is found by itself and its parts, not by the numbers and letters inside them."""
    digest = Digest(sid="382e57cb-B5EC-49e6-9ca9-d271abc07d4e", session=DIGEST.session, first=1)
    found = columns_of(digest)[0].split()
    assert {"382e57cb", "b5ec", "49e6", "9ca9", "d271abc07d4e"} <= {*found}
    assert not {"382", "57", "271", "abc"} & {*found}


def test_every_text_is_indexed() -> None:
    """Each text has an existing column, and each column has a text."""
    assert {text.column for text in texts(DIGEST)} == set(COLUMNS)


def test_a_long_text_is_cut() -> None:
    """Of one text the first 8,000 characters are indexed."""
    digest = Digest(sid="s", first=1, prompts=["x " * 4000 + "beyond"])
    assert "beyond" not in columns_of(digest)[1].split()
    assert columns_of(digest)[1].split() == ["x"] * 4000


def test_the_gist_is_short_and_in_the_persons_words() -> None:
    """A vector is made from title, prompts and decisions, not files: at most 900 characters."""
    text = gist(DIGEST)
    assert text.startswith("titleword\npromptword")
    assert "fileword" not in text
    assert len(gist(Digest(sid="s", first=1, prompts=["a" * 5000] * 9))) <= 900


def test_a_decision_counts_for_more_than_a_reply(home: Home) -> None:
    """A match in a decision ranks above one in a prompt, and that above one in a reply."""
    filler = [("prompt.submitted", {"text": "one two three four"})]
    home.tell("replied", *filler, ("turn.ended", {"message": "walrus"}))
    home.tell("asked", *filler, ("prompt.submitted", {"text": "walrus"}))
    home.tell("decided", *filler, ("decision.recorded", {"text": "walrus"}))
    for number in range(6):
        home.session(f"other{number}", "something else")
    assert home.found("walrus") == ["decided", "asked", "replied"]
