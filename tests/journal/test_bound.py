"""SEQ|TIME as a user types it."""

from __future__ import annotations

import pytest

from journal.bound import parse_bound
from journal.errors import UsageError


@pytest.mark.parametrize("text, end, expected", [
    ("42", False, 42),
    ("2026-11-21T20:31:05Z", False, "2026-11-21T20:31:05.000Z"),
    ("2026-11-21T20:31:05+02:00", False, "2026-11-21T18:31:05.000Z"),
    ("2026-11-21 20:31", False, "2026-11-21T20:31:00.000Z"),
    ("2026-11-21", False, "2026-11-21T00:00:00.000Z"),
    ("2026-11-21", True, "2026-11-21T23:59:59.999Z"),
    ("90s", False, "1970-01-02T23:58:30.000Z"), ("1d", False, "1970-01-02T00:00:00.000Z"),
])  # fmt: skip
def test_parse_bound(text, end, expected):
    """SEQ|TIME is a number, an ISO time, a date (its end for an upper bound) or an age."""
    assert parse_bound(text, 2 * 86_400_000, end=end) == expected


@pytest.mark.parametrize("text", ["", "x", "2026-13-01", "-5", "5x", "٣", "1.5", "99999999999d"])
def test_anything_else_is_wrong_usage(text):
    """Any other text is a usage error."""
    with pytest.raises(UsageError):
        parse_bound(text, 0)
