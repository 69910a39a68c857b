"""What a mistyped name may have meant."""

from __future__ import annotations

import pytest

from journal.suggest import suggestion


@pytest.mark.parametrize(
    ("typed", "text"),
    [("serch", "did you mean search?"), ("searching", "did you mean search?"), ("xyz", ""),
     ("", "")],
)  # fmt: skip
def test_the_most_similar_name(typed: str, text: str) -> None:
    """A name that resembles none gets no suggestion."""
    assert suggestion(typed, iter(("show", "search", "sessions"))) == text
