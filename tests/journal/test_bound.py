"""SEQ|TIME as a user types it."""

from __future__ import annotations

import pytest

from journal.bound import check_order, parse_bound, parse_range
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


NOW = 1_763_726_400_000  # 2025-11-21 12:00 UTC


@pytest.mark.parametrize(("text", "end", "expected"), [
    ("today", False, "2025-11-20T15:00:00.000Z"), ("Today", True, "2025-11-21T14:59:59.999Z"),
    ("yesterday", False, "2025-11-19T15:00:00.000Z"),
    ("yesterday", True, "2025-11-20T14:59:59.999Z"),
])  # fmt: skip
def test_today_and_yesterday_are_local_days(text, end, expected, in_zone):
    """Both are dates, so an upper bound is their end."""
    in_zone("Asia/Tokyo")
    assert parse_bound(text, NOW, end=end) == expected


def test_a_range_has_its_bounds_in_order():
    """A range whose end is before its start is a mistake, not an empty answer; open ends are none."""
    assert parse_range("2025-11-20", "2025-11-20", NOW)[1].startswith("2025-11-20T23:59:59")
    assert parse_range("", "2025-11-20", NOW)[0] == parse_range("2025-11-20", "", NOW)[1] == ""
    with pytest.raises(UsageError, match="--since is later than --until"):
        parse_range("2025-11-21", "2025-11-20", NOW)


def test_only_bounds_of_one_kind_are_compared():
    """An event and a time, or events of two logs, have no order before the logs are read."""
    check_order(("live", 7), "2025-11-20")
    check_order(None, "2025-11-20")
    check_order(("live", 7), ("imported", 2))
    for low, high in (("2025-11-21", "2025-11-20"), (("live", 7), ("live", 2))):
        with pytest.raises(UsageError):
            check_order(low, high)
