"""Tables and charts of a report."""

from __future__ import annotations

from cli.stats.report import newest_bars


def test_a_chart_names_what_it_leaves_out() -> None:
    """A chart shows the newest periods; with more of them, its title says how many there are."""
    rows = [(f"day {at}", 1.0, "1") for at in range(20)]
    assert newest_bars("cost ", "day", rows[:14]) == ("cost per day", rows[:14])
    assert newest_bars("cost ", "day", rows) == ("cost per day, the newest 14 of 20", rows[6:])
