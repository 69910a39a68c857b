"""The room left in a session's context, compared with a text."""

from __future__ import annotations

import pytest

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from cli.serve.data.cost import cost_of

PRESSURE = {"known": True, "unknown": None, "tokens": 100_000, "point": 160_000, "window": 200_000,
         "auto_compact": True}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "words", "share"),
    [
        pytest.param({}, "60,000 left until compaction", 1 / 60, id="known"),
        pytest.param(
            {"auto_compact": False, "point": 200_000},
            "100,000 left of the usable window (automatic compaction is off)",
            1 / 100,
            id="no-auto-compact",
        ),
        pytest.param({"tokens": 170_000}, "nothing is left until compaction", None, id="past"),
        pytest.param(
            {"known": False, "unknown": "the reading is too old"},
            "unknown (the reading is too old)",
            None,
            id="stale",
        ),
        pytest.param(
            {"known": False, "tokens": None, "unknown": None},
            "has left is unknown",
            None,
            id="none",
        ),
        pytest.param(
            {"point": None, "window": None},
            "unknown (its compaction threshold is unknown)",
            None,
            id="no-point",
        ),
    ],
)
def test_what_remains(changes: dict[str, object], words: str, share: float | None) -> None:
    """The threshold minus tokens; an unknown value has its reason and no share, never zero."""
    found = cost_of("x" * 4000, {**PRESSURE, **changes})
    assert found.sentence.startswith("About 1,000 tokens")
    assert words in found.sentence
    assert found.share == share


@pytest.mark.parametrize(
    "tokens, remaining, chosen, level, words",
    [
        pytest.param(0, None, False, "empty", "Nothing chosen yet", id="empty"),
        pytest.param(0, 900, True, "empty", "900 left", id="empty-with-a-session"),
        pytest.param(40, None, False, "unknown", "no live session is chosen", id="no-session"),
        pytest.param(40, None, True, "unknown", "left is unknown (compacted)", id="unknown"),
        pytest.param(40, 0, True, "over", "nothing is left", id="nothing-left"),
        pytest.param(400, 1000, True, "ok", "About 400 tokens: 40% of the 1,000 left", id="fits"),
        pytest.param(500, 1000, True, "high", "50% of the 1,000 left", id="half"),
        pytest.param(1001, 1000, True, "over", "100% of the 1,000 left", id="just-too-much"),
        pytest.param(3, 1000, True, "ok", "less than 1% of", id="next-to-nothing"),
    ],
)
def test_the_sentence(
    tokens: int, remaining: int | None, chosen: bool, level: str, words: str
) -> None:
    """A cost is written as text; an unknown one is called unknown, without a share."""
    known = remaining is not None
    pressure = {
        "known": known, "unknown": None if known else "compacted", "tokens": 0,
        "point": 9000, "window": None,
    }  # fmt: skip
    if remaining is not None:
        pressure["tokens"] = 9000 - remaining
    cost = cost_of("x" * 4 * tokens, pressure if chosen else None)
    assert cost.level == level
    assert words in cost.sentence
    assert (cost.share is None) == (remaining in (None, 0))
    assert ("to compare with" in cost.sentence) == (not chosen and tokens > 0)
