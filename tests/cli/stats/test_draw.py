"""Plots of text: bars, and a line over time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cli.stats.draw import bars, line_plot
from journal.text import width

labels = st.text(max_size=30)
values = st.floats(0, 1e9, allow_nan=False)


@given(st.lists(st.tuples(labels, values, labels), max_size=6), st.integers(40, 120))
def test_bars_stay_within(rows: list[tuple[str, float, str]], columns: int) -> None:
    """One line per row, none wider than requested, whatever the labels."""
    drawn = bars(rows, columns)
    assert len(drawn) == len(rows)
    assert all(width(line) <= columns and line.isprintable() for line in drawn)


def test_bars_are_to_scale() -> None:
    """The longest bar fills the width, half of it half; a small one is visible, zero is not."""
    rows = [("a", 80, "8"), ("b", 40, "4"), ("c", 0, "0")]
    assert [line.count("█") for line in bars(rows, 40)] == [36, 18, 0]
    assert "▏" in bars([("a", 1000, ""), ("b", 0.1, "")], 40)[1]


def test_a_sparse_week_is_not_full() -> None:
    """A bar for one is at most two columns, and bars are at most 100 wide in a wide pipe."""
    assert [line.count("█") for line in bars([("a", 1, "1"), ("b", 3, "3")], 40)] == [2, 6]
    assert width(bars([("a", 9000, "9000")], 1_000_000)[0]) == 100


@given(st.lists(st.tuples(st.floats(0, 1e13), st.floats(0, 3)), max_size=40), st.integers(20, 100))
def test_the_line_stays_within(points: list[tuple[float, float]], columns: int) -> None:
    """No line is wider than requested, whatever the readings."""
    points.sort()
    drawn = line_plot(points, [(5.0, "A")], [(1.0, "threshold"), (0.72, "info")], columns)
    assert all(width(line) <= columns for line in drawn)
    assert bool(drawn) == bool(points)
