"""The wording and the rounding of the context that is left."""

from __future__ import annotations

import pytest

from projections.headroom import Headroom


@pytest.mark.parametrize(
    ("tokens", "limit", "left"),
    [(0, 167_000, 100.0), (83_500, 167_000, 50.0), (151_970, 167_000, 9.0), (101_202, 167_000, 39.4),
     (167_000, 167_000, 0.0), (180_000, 167_000, 0.0)],
)  # fmt: skip
def test_left_is_the_rest_of_the_limit(tokens: int, limit: int, left: float) -> None:
    """The percentage has one decimal and never falls below zero."""
    assert Headroom(tokens, limit, compacts=True).left == left


@pytest.mark.parametrize(
    ("compacts", "language", "text"),
    [
        (True, "en", "40.0% left until compaction"),
        (False, "en", "40.0% of the usable window left, automatic compaction is off"),
        (True, "ja", "圧縮まで残り40.0%"),
        (False, "ko", "쓸 수 있는 창의 40.0% 남음, 자동 압축 꺼짐"),
    ],
)
def test_the_text_names_what_the_room_is_measured_to(
    compacts: bool, language: str, text: str
) -> None:
    """Without automatic compaction the text speaks of the window, in each language."""
    assert Headroom(60_000, 100_000, compacts).text(language) == text
