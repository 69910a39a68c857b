"""Rows of the session tree: from entries to what a row shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.serve.page.rows import (
    PAGE,
    ListEntry,
    browse_rows,
    hit_rows,
    initially_open,
    split_at_matches,
)


def entry(number: int, project: str = "shop-1", day: str = "2026-11-21") -> ListEntry:
    """Make a session of a project and day."""
    key = f"{project}/{number}"
    name = project.split("-", maxsplit=1)[0]
    return ListEntry(key, project, name, f"Title {number}", day, "09:30", "open", "main")


TWO = [entry(1), entry(2, day="2026-11-20"), entry(3, "docs-1"), entry(4)]


def shown(rows: list[dict]) -> list[str]:
    """Put rows as `level label` for reading."""
    return [f"{row['level']} {row['label']}" for row in rows]


def test_closed_projects_show_nothing_of_them() -> None:
    """A closed project is one row with its count."""
    rows = browse_rows(TWO, set(), set(), {})
    assert shown(rows) == ["1 shop", "1 docs"]
    assert [(row["count"], row["open"]) for row in rows] == [(3, False), (1, False)]


def test_open_ones_show_days_and_sessions() -> None:
    """Days stand newest first, their sessions beneath; a day that is closed keeps its own."""
    rows = browse_rows(TWO, {"p:shop-1", "d:shop-1:2026-11-21"}, {"shop-1/4"}, {})
    assert shown(rows) == [
        "1 shop", "2 2026-11-21", "3 Title 1", "3 Title 4", "2 2026-11-20", "1 docs",
    ]  # fmt: skip
    assert [row["selected"] for row in rows if row["kind"] == "session"] == [False, True]
    assert [(row["pos"], row["size"]) for row in rows if row["level"] == 2] == [(1, 2), (2, 2)]


def test_a_long_day_comes_in_pages() -> None:
    """Of a day with many sessions a page is shown, and one more for each time it is asked for."""
    many = [entry(number) for number in range(2 * PAGE + 5)]
    opened = {"p:shop-1", "d:shop-1:2026-11-21"}
    first = browse_rows(many, opened, set(), {})
    assert sum(row["kind"] == "session" for row in first) == PAGE
    assert first[-1]["label"] == f"Show {PAGE} more of {PAGE + 5}"
    last = browse_rows(many, opened, set(), {first[-1]["id"][2:]: 2})
    assert sum(row["kind"] == "session" for row in last) == len(many)
    assert last[-1]["kind"] == "session"


def test_hits_stand_by_project_in_their_order() -> None:
    """The project of the best hit is first, hits keep their rank, and each says its day."""
    rows = hit_rows([TWO[2], TWO[0], TWO[1]], set(), set(), {})
    assert shown(rows) == ["1 docs", "2 Title 3", "1 shop", "2 Title 1", "2 Title 2"]
    assert rows[1]["note"] == "2026-11-21 09:30 · main"
    assert shown(hit_rows(TWO, {"f:shop-1"}, set(), {})) == ["1 shop", "1 docs", "2 Title 3"]


def test_what_is_open_at_first() -> None:
    """The newest project, and its newest days while they are few; nothing of nothing."""
    assert initially_open([]) == set()
    days = {"d:shop-1:2026-11-21", "d:shop-1:2026-11-20"}
    assert initially_open(TWO) == {"p:shop-1"} | days
    busy = [entry(number, day=f"2026-11-{21 - number // 8}") for number in range(24)]
    assert initially_open(busy) == {"p:shop-1", "d:shop-1:2026-11-21"}


@pytest.mark.parametrize(
    "spans, wanted",
    [
        pytest.param([], "abcdef", id="none"),
        pytest.param([(1, 3)], "a[bc]def", id="one"),
        pytest.param([(4, 6), (0, 1)], "[a]bcd[ef]", id="any-order"),
        pytest.param([(0, 3), (2, 4)], "[abc][d]ef", id="overlapping"),
        pytest.param([(-4, 1), (5, 99)], "[a]bcde[f]", id="beyond-the-text"),
        pytest.param([(3, 3), (4, 2)], "abcdef", id="empty-and-backwards"),
    ],
)
def test_marks(spans: list[tuple[int, int]], wanted: str) -> None:
    """A snippet is cut at its matches."""
    parts = split_at_matches("abcdef", spans)
    assert "".join(f"[{text}]" if hit else text for text, hit in parts) == wanted


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40))))
def test_marks_lose_no_text(text: str, spans: list[tuple[int, int]]) -> None:
    """Whatever the spans, the parts together are the snippet."""
    assert "".join(part for part, _ in split_at_matches(text, spans)) == text
