"""How old unfinished work is."""

from __future__ import annotations

import pytest

from projections.messages.unfinished import age

MINUTE = 60_000


@pytest.mark.parametrize(
    ("minutes", "texts"),
    [
        (-5, ("1 minute", "1分", "1분")),
        (0, ("1 minute", "1分", "1분")),
        (59, ("59 minutes", "59分", "59분")),
        (60, ("1 hour", "1時間", "1시간")),
        (47 * 60 + 59, ("47 hours", "47時間", "47시간")),
        (48 * 60, ("2 days", "2日", "2일")),
    ],
)
def test_an_age_is_never_zero(minutes: int, texts: tuple[str, str, str]) -> None:
    """An age is told in the largest unit that gives a number, in each language."""
    assert tuple(age(minutes * MINUTE, language) for language in ("en", "ja", "ko")) == texts
