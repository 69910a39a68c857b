"""The input and the answer of a message, and the records of its text."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.messages.message import (
    Answer,
    Input,
    advice,
    bounded,
    counted,
    in_pieces,
    injection,
    width,
)
from projections.views import Views

TEXTS = st.text(st.sampled_from('ab"\\\n\x01é日😀'), max_size=200)


@given(TEXTS)
def test_a_width_is_that_in_json(text: str) -> None:
    """A text takes as many characters as its JSON has, without the quotes."""
    assert width(text) == len(json.dumps(text, ensure_ascii=False)) - 2


@given(TEXTS, st.integers(0, 150))
def test_a_text_is_cut_to_its_width(text: str, limit: int) -> None:
    """A text that fits is unchanged; a longer one fits then and says so, or is left out."""
    found = bounded(text, limit)
    assert width(found) <= limit
    if width(text) <= limit:
        assert found == text
    else:
        assert found == "" or found.endswith("\n[cut here by the journal]")


def test_an_answer_stays_within_the_limit_of_claude_code() -> None:
    """All texts of an answer together take 9,440 characters at most; the message comes first."""
    found = Answer(message="m" * 5_000, block="b" * 3_000, context="c" * 9_000)
    assert sum(map(width, found.texts.values())) <= 9_440
    assert (len(found.message), len(found.block)) == (5_000, 3_000)
    assert found.context.endswith("[cut here by the journal]")
    assert list(Answer(context="x").texts) == ["context"]
    assert Answer(context="ab", message="c").taken == 2 + 4 + 1 + 4


def test_two_answers_become_one() -> None:
    """Texts for Claude are apart by a blank line; the records of both are kept in order."""
    one = Answer(context="a", message="m", events=[{"type": "one"}])
    both = one.joined(Answer(context="b", plain="p", events=[{"type": "two"}]))
    assert both.texts == {"context": "a\n\nb", "message": "m", "plain": "p"}
    assert [event["type"] for event in both.events] == ["one", "two"]


@given(st.dictionaries(st.sampled_from(["context", "message"]), st.text(max_size=9_000)))
def test_pieces_join_to_the_texts(texts: dict[str, str]) -> None:
    """Texts in pieces fit a record each, and are the same when they are joined."""
    pieces = list(in_pieces(texts))
    joined: dict[str, str] = {}
    for piece in pieces:
        assert len(json.dumps(piece, ensure_ascii=False).encode()) < 14_000
        for name, text in piece.items():
            joined[name] = joined.get(name, "") + text
    assert {name: text for name, text in joined.items() if text} == {
        name: text for name, text in texts.items() if text
    }


@pytest.mark.parametrize(
    ("language", "count", "noun", "text"),
    [("en", 1, "day", "1 day"), ("en", 2, "day", "2 days"),
     ("en", 2, "work-log entry", "2 work-log entries"), ("ja", 3, "session", "3セッション"),
     ("ko", 1_000, "problem", "문제 1,000개")],
)  # fmt: skip
def test_a_number_with_what_it_counts(language: str, count: int, noun: str, text: str) -> None:
    """Each language counts in its own way."""
    assert counted(language, count, noun) == text


def test_the_record_of_a_text_has_its_size_and_digest() -> None:
    """A text is recorded by its length and digest, whatever the reason; other members are added."""
    given_advice = advice("pressure", "text", channel="context", reason="r", level="info")
    assert given_advice == {
        "type": "advice.given", "what": "pressure", "channel": "context", "characters": 4,
        "digest": given_advice["digest"], "reason": "r", "level": "info",
    }  # fmt: skip
    injected = injection("start", "text", reason="r")
    assert (injected["type"], injected["digest"]) == ("context.injected", given_advice["digest"])
    assert injected["digest"].startswith("b2:")
    assert injection("start", "other", reason="r")["digest"] != injected["digest"]


def test_a_switch_reads_one_setting() -> None:
    """It lets the message speak, or silences it, and names the setting."""
    event = SimpleNamespace(sid="a")
    on, off = (Input(Views(), event, {"a": is_on}, 0).switch("a") for is_on in (True, False))
    assert [(each.value, each.passed, each.keys) for each in (on, off)] == [
        ("on", True, ("a",)), ("off", False, ("a",)),
    ]  # fmt: skip
