"""Redacting many texts at once gives the same as redacting each text alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from journal.redaction import batch, redact
from journal.redaction.batch import redact_texts
from journal.redaction.markers import EXACT, FOLDED, WORDS
from journal.redaction.rules import RULES
from tests.support.examples import examples

if TYPE_CHECKING:
    import pytest

MARKERS = sorted({marker for group in (*WORDS, *EXACT, *FOLDED) for marker in group[2]})
EXAMPLES = [rule[1] for rule in RULES.values()]
PIECES = st.one_of(
    st.sampled_from(MARKERS), st.sampled_from(EXAMPLES), st.text(max_size=8),
    st.sampled_from((" ", "\n", "=", ": ", "\u3000", "x" * 13, "a1B2" * 5, "plain words")),
)  # fmt: skip
TEXTS = st.lists(st.lists(PIECES, max_size=6).map("".join), max_size=5)


def one_by_one(texts: list[str]) -> dict[str, str]:
    """Redact each text by itself; return those that changed, by their old text."""
    return {text: clean for text in texts if (clean := redact(text)) is not text}


@given(st.lists(TEXTS, max_size=4))
@examples(300)
def test_many_texts_are_redacted_as_one_by_one(batches: list[list[str]]) -> None:
    """Redacting in batches equals redacting one by one, whatever earlier batches contained."""
    for texts in batches:
        assert redact_texts(texts) == one_by_one(texts)


def test_every_kind_of_secret_among_others() -> None:
    """Each rule's example is redacted at the first batch and again once its words are known."""
    texts = [f"see here: {example}\nand so on" for example in EXAMPLES]
    expected = one_by_one(texts)
    assert expected
    assert redact_texts(texts) == redact_texts(texts) == expected


def test_forgotten_words_are_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After too many words a process forgets them, and the next batch is redacted all the same."""
    texts = [f"word{number} {example}" for number, example in enumerate(EXAMPLES)]
    expected = one_by_one(texts)
    monkeypatch.setattr(batch, "_MOST_WORDS", 3)
    for _ in range(3):
        assert {k: v for text in texts for k, v in redact_texts([text]).items()} == expected
