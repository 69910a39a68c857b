"""Rows of the session tree: built from the list of sessions."""

from __future__ import annotations

from cli.serve.page.session_rows import (
    PAGE,
    ListEntry,
    ListState,
    browse_rows,
    hit_rows,
    initially_open,
)


def entry(number: int, project: str = "shop-1", day: str = "2026-11-21") -> ListEntry:
    """Build a session of a project and day."""
    key = f"{project}/{number}"
    name = project.split("-", maxsplit=1)[0]
    return ListEntry(key, project, name, f"Title {number}", day, "09:30", "open", "main")


TWO = [entry(1), entry(2, day="2026-11-20"), entry(3, "docs-1"), entry(4)]


def shown(rows: list[dict]) -> list[str]:
    """Return rows as `level label`, to compare."""
    return [f"{row['level']} {row['label']}" for row in rows]


def test_days_stand_once_newest_first() -> None:
    """A day is one row with weekday and count, whatever its sessions' projects."""
    rows = browse_rows(TWO, set(), ListState())
    assert shown(rows) == ["1 Saturday, 2026-11-21", "1 Friday, 2026-11-20"]
    assert [(row["count"], row["open"]) for row in rows] == [(3, False), (1, False)]


def test_open_days_show_their_sessions() -> None:
    """Each session names its project; the open one and the chosen ones are marked."""
    rows = browse_rows(TWO, {"d:2026-11-21"}, ListState({"shop-1/4"}, {}, "docs-1/3"))
    assert shown(rows) == [
        "1 Saturday, 2026-11-21", "2 Title 1", "2 Title 3", "2 Title 4", "1 Friday, 2026-11-20",
    ]  # fmt: skip
    sessions = [row for row in rows if row["kind"] == "session"]
    assert [row["selected"] for row in sessions] == [False, False, True]
    assert [row["reading"] for row in sessions] == [False, True, False]
    assert [row["note"] for row in sessions] == ["shop · main", "docs · main", "shop · main"]
    assert [(row["pos"], row["size"]) for row in sessions] == [(1, 3), (2, 3), (3, 3)]


def test_a_session_without_a_date() -> None:
    """A session without a date comes last, under its own day."""
    assert (
        shown(browse_rows([entry(1, day=""), entry(2)], set(), ListState()))[-1]
        == "1 Without a date"
    )


def test_a_long_day_comes_in_pages() -> None:
    """A long day shows one page of sessions, and one more for each request."""
    many = [entry(number) for number in range(2 * PAGE + 5)]
    opened = {"d:2026-11-21"}
    first = browse_rows(many, opened, ListState())
    assert sum(row["kind"] == "session" for row in first) == PAGE
    assert first[-1]["label"] == f"Show {PAGE} more of {PAGE + 5}"
    last = browse_rows(many, opened, ListState(pages={first[-1]["id"][2:]: 2}))
    assert sum(row["kind"] == "session" for row in last) == len(many)
    assert last[-1]["kind"] == "session"


def test_hits_stand_by_project_in_their_order() -> None:
    """The best hit's project is first, hits keep their rank, and each names its day."""
    rows = hit_rows([TWO[2], TWO[0], TWO[1]], set(), ListState())
    assert shown(rows) == ["1 docs", "2 Title 3", "1 shop", "2 Title 1", "2 Title 2"]
    assert rows[1]["note"] == "2026-11-21 09:30 · main"
    assert shown(hit_rows(TWO, {"f:shop-1"}, ListState())) == ["1 shop", "1 docs", "2 Title 3"]


def test_what_is_open_at_first() -> None:
    """The newest days are open while they have few sessions; without sessions none."""
    assert initially_open([]) == set()
    assert initially_open(TWO) == {"d:2026-11-21", "d:2026-11-20"}
    busy = [entry(number, day=f"2026-11-{21 - number // 15}") for number in range(45)]
    assert initially_open(busy) == {"d:2026-11-21"}
