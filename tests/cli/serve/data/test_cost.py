"""The room left in a session's context, compared with a text."""

from __future__ import annotations

import pytest

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from cli.serve.data.cost import cost_of

PRESSURE = {"known": True, "unknown": None, "tokens": 100_000, "point": 160_000, "window": 200_000,
         "auto_compact": True}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "remaining", "unknown"),
    [
        ({}, 60_000, ""),
        ({"auto_compact": False, "point": 200_000}, 100_000, ""),
        ({"tokens": 170_000}, 0, ""),
        ({"known": False, "unknown": "the reading is too old"}, None, "the reading is too old"),
        ({"known": False, "tokens": None, "unknown": "no reading yet"}, None, "no reading yet"),
        ({"point": None, "window": None}, None, "its compaction threshold is unknown"),
    ],
    ids=["known", "no auto-compact", "past the point", "stale", "no reading", "no point"],
)
def test_what_remains(changes: dict[str, object], remaining: int | None, unknown: str) -> None:
    """The threshold minus tokens; an unknown value is null with the reason, never zero."""
    found = cost_of("x" * 4000, {**PRESSURE, **changes})
    assert (found.tokens, found.remaining, found.unknown) == (1000, remaining, unknown)
    assert found.share == (1000 / remaining if remaining else None)


def test_no_session_is_no_budget() -> None:
    """Without a session a text has a size, but no room to compare it with."""
    found = cost_of("x" * 8, None)
    assert (found.tokens, found.remaining, found.share) == (2, None, None)
    assert found.unknown
