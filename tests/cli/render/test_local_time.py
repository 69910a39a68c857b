"""The zone that a list names."""

from __future__ import annotations

import pytest

from cli.render.local_time import zone_between, zone_note
from journal.clock import millis


@pytest.mark.parametrize(
    ("name", "now", "note"),
    [
        ("UTC", "2026-11-21T09:00:00Z", "Times are UTC."),
        ("Asia/Tokyo", "2026-11-21T09:00:00Z", "Times are JST (UTC+09:00)."),
        ("Asia/Kathmandu", "2026-07-21T09:00:00Z", "Times are UTC+05:45."),
        ("Europe/Berlin", "2026-11-21T09:00:00Z",
         "Times are CET (UTC+01:00), in summer CEST (UTC+02:00)."),
        ("Europe/Berlin", "2026-07-21T09:00:00Z",
         "Times are CEST (UTC+02:00), in winter CET (UTC+01:00)."),
        ("Australia/Sydney", "2026-11-21T09:00:00Z",
         "Times are AEDT (UTC+11:00), in winter AEST (UTC+10:00)."),
    ],
)  # fmt: skip
def test_a_list_names_the_zone_of_both_halves_of_the_year(name, now, note, in_zone) -> None:
    """A list may have times of summer and of winter, so both offsets are named."""
    in_zone(name)
    assert zone_note(millis(now) or 0) == note


def test_a_session_over_a_change_of_clocks_names_both_zones(in_zone) -> None:
    """The zone of the last time would be wrong for the first."""
    in_zone("Europe/Berlin")
    summer, winter, later = (f"2026-10-{day}T22:30:00.000Z" for day in (24, 25, 26))
    assert zone_between(summer, winter) == "CET (UTC+01:00), in summer CEST (UTC+02:00)"
    assert zone_between(winter, later) == "CET (UTC+01:00)"
