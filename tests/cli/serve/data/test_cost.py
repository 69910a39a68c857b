"""The estimate of a text's tokens, and what remains of a session's context."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pydantic", reason="the extra `ui` is not installed")

from cli.serve.data.cost import cost_of, estimate


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("é" * 8, 2), ("日本語", 3), ("한국어 ab", 4)],
)
def test_the_estimate(text: str, tokens: int) -> None:
    """Four letters of a Latin script make a token, any other character one."""
    assert estimate(text) == tokens


@given(st.text(), st.text())
def test_the_estimate_grows_with_the_text(one: str, two: str) -> None:
    """Together they take at least what each takes, and at most what both take apart."""
    both = estimate(one + two)
    assert max(estimate(one), estimate(two)) <= both <= estimate(one) + estimate(two)


PRESSURE = {"known": True, "unknown": None, "tokens": 100_000, "point": 160_000, "window": 200_000,
         "auto_compact": True}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "remaining", "unknown"),
    [
        ({}, 60_000, ""),
        ({"auto_compact": False}, 100_000, ""),
        ({"tokens": 170_000}, 0, ""),
        ({"known": False, "unknown": "the reading is too old"}, None, "the reading is too old"),
        ({"known": False, "tokens": None, "unknown": "no reading yet"}, None, "no reading yet"),
        ({"point": None, "window": None}, None, "where the session is compacted is not known"),
    ],
    ids=["known", "no auto-compact", "past the point", "stale", "no reading", "no point"],
)
def test_what_remains(changes: dict[str, object], remaining: int | None, unknown: str) -> None:
    """Point less tokens; what is not known is null and says why, it is not zero."""
    found = cost_of("s", "x" * 4000, {**PRESSURE, **changes})
    assert (found.tokens, found.remaining, found.unknown) == (1000, remaining, unknown)
    assert found.fits == (None if remaining is None else remaining >= 1000)


def test_no_session_is_no_budget() -> None:
    """A text alone is weighed, against nothing."""
    found = cost_of("", "x" * 8, None)
    assert (found.tokens, found.remaining, found.fits) == (2, None, None)
    assert found.unknown
