"""`journal stats` over a recorded session: text, JSON, a page, narrow terminals, errors."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cli.stats import NAMES
from journal.log.append import Writer
from tests.cli.conftest import SID, START, Workspace

GOLDEN = Path(__file__).parent / "golden"


def test_nothing_in_a_part_of_the_time(played: Workspace) -> None:
    """With --since, no report says that there is nothing yet and how to import it."""
    out = played.journal("stats", "--since", "2099-01-01").out
    assert "no session in this period" in out
    drawn = played.journal("stats", "pressure", "--session", SID, "--since", "2099-01-01")
    assert "has no reading of its context in this period" in drawn.err
    assert " yet" not in out


@pytest.mark.parametrize("name", NAMES)
def test_the_text(played: Workspace, name: str) -> None:
    """Each report fits 80 columns, and 40 as well."""
    out = {columns: played.journal("stats", name, COLUMNS=str(columns)).out for columns in (80, 40)}
    text = played.plain(out[80])
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
    for columns, shown in out.items():
        assert max(map(len, shown.splitlines())) <= columns


def test_json(played: Workspace) -> None:
    """One report prints its data; all reports are an object by name."""
    one = played.journal("stats", "advice", "--json").data
    assert [(row["level"], row["given"], row["auto"]) for row in one] == [
        ("info", 1, 1),
        ("urgent", 1, 1),
    ]
    assert list(played.journal("stats", "--json").data) == list(NAMES)
    assert played.journal("stats", "compactions", "--json").data[0]["tokens"] == 961_000


def members(data: Any) -> set[str]:
    """Return the names in JSON data, those of objects and of objects in lists of it."""
    if isinstance(data, list):
        return {name for item in data for name in members(item)}
    named = data.items() if isinstance(data, dict) else ()
    return {name for key, value in named for name in (key, *members(value))}


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("compactions", "at imported point project seq tokens trigger"),
        ("pressure", "session project moments at kind tokens point seq"),
        ("advice", "auto compound given level manual nothing"),
        ("hooks", "hooks hook calls median_ms p95_ms total_ms sessions session short"),
        ("sessions", "compactions minutes most_percent project prompts session started title"),
    ],
)
def test_names_of_json_stay(played: Workspace, name: str, found: str) -> None:
    """A script that reads a report finds the names that it had before."""
    assert members(played.journal("stats", name, "--json").data) == set(found.split())


def test_a_page_says_where_it_is(played: Workspace) -> None:
    """With --html the path is printed instead of the reports, with --json their data."""
    page = str(played.top / "stats.html")
    assert played.journal("stats", "--html", page).out == f"Written: {page}\n"
    given = played.journal("stats", "advice", "--json", "--html", page, "--force")
    assert given.data == played.journal("stats", "advice", "--json").data


def test_measured_hooks(played: Workspace) -> None:
    """A call with a recorded duration (`us`) has a cost; older calls are unknown."""
    assert played.journal("stats", "hooks", "--json").data["sessions"][0]["total_ms"] is None
    with Writer(str(played.directory), START) as writer:
        writer.append({"v": 1, "type": "turn.ended", "sid": SID, "us": 21_500})
    rows = played.journal("stats", "hooks", "--json").data["hooks"]
    assert [row["total_ms"] for row in rows if row["hook"] == "Stop"] == [21.5]


def test_a_session_lasts_as_long_in_sql(played: Workspace) -> None:
    """A session lasts from its first event to its last one, whatever they are."""
    with Writer(str(played.directory), "2026-11-21T12:00:00.000Z") as writer:
        writer.append({"v": 1, "type": "tool.finished", "sid": SID, "tool": "Read"})
    rows = played.journal("stats", "sessions", "--json").data
    query = "select session, seconds // 60 as minutes from sessions order by started desc"
    asked = played.journal("sql", query, "--json").data
    assert [(row["session"], row["minutes"]) for row in rows] == [(*row.values(),) for row in asked]


def test_short_calls(played: Workspace) -> None:
    """Every call in short form counts, also several of one tool in one session."""
    call = {"v": 1, "type": "tool.finished", "sid": SID, "tool": "Read", "short": True}
    with Writer(str(played.directory), START) as writer:
        writer.append(call, call, call)
    (row,) = played.journal("stats", "hooks", "--json").data["sessions"]
    assert row["short"] == 3
    assert "3 calls in 1 session recorded in short form" in played.journal("stats", "hooks").out


def test_all_projects(played: Workspace) -> None:
    """--all covers every journal of the home, from anywhere."""
    result = played.journal("stats", "sessions", "--all", "--json", cwd=played.top)
    assert [row["session"] for row in result.data] == [SID]


def test_mistakes(played: Workspace) -> None:
    """An unknown report, time or session exits with 2; an unreadable journal or file with 3."""
    assert played.journal("stats", "nothing").code == 2
    assert played.journal("stats", "--since", "9").code == 2
    assert played.journal("stats", "--project", str(played.top)).code == 3
    assert played.journal("stats", "pressure", "--session", "zzz").code == 2
    assert played.journal("stats", "--html", str(played.top)).code == 3
    assert played.journal("stats", "--html", str(played.top / "no" / "way.html")).code == 3


def test_the_session_drawn_has_a_curve(played: Workspace) -> None:
    """`stats pressure` draws the latest session with several readings, not a later one with one."""
    drawn = played.journal("stats", "pressure", "--json").data["session"]
    with Writer(str(played.directory), "2026-11-21T23:00:00.000Z", sync="none") as log:
        log.append({"ts": "2026-11-21T23:00:00.000Z", "type": "session.started", "v": 1, "sid": "b",
                    "source": "startup"})  # fmt: skip
        log.append({"ts": "2026-11-21T23:00:01.000Z", "type": "pressure.sampled", "v": 1, "sid": "b",
                    "tokens": 5_000, "window": 200_000, "point": 167_000})  # fmt: skip
    assert played.journal("stats", "pressure", "--json").data["session"] == drawn
    with Writer(str(played.directory), "2026-11-21T23:01:00.000Z", sync="none") as log:
        log.append({"ts": "2026-11-21T23:01:00.000Z", "type": "pressure.sampled", "v": 1, "sid": "b",
                    "tokens": 6_000, "window": 200_000, "point": 167_000})  # fmt: skip
    assert played.journal("stats", "pressure", "--json").data["session"] == "b"
