"""Behaviour that depends on time: ages, days and weeks, stale readings, inferred ends."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from journal.bound import parse_bound
from tests.cases.world import OTHER, World

if TYPE_CHECKING:
    from pathlib import Path

    from freezegun.api import FrozenDateTimeFactory


@pytest.fixture
def shop(tmp_path: Path, clock: FrozenDateTimeFactory) -> World:
    """Return a session that has started."""
    made = World(tmp_path, inline=True, clock=clock)
    made.start()
    return made


@pytest.mark.parametrize(
    ("age", "span"),
    [
        ("90s", timedelta(seconds=90)),
        ("30m", timedelta(minutes=30)),
        ("2h", timedelta(hours=2)),
        ("3d", timedelta(days=3)),
        ("2w", timedelta(weeks=2)),
    ],
)
def test_an_age_counts_back_from_now(shop: World, age: str, span: timedelta) -> None:
    """An event of exactly that age is included, one a millisecond older is not."""
    shop.prompt("here")
    written = shop.now
    second = timedelta(seconds=1)  # a command runs a second later
    for older, count in ((timedelta(), 1), (timedelta(milliseconds=1), 0)):
        shop.now = written + span + older - second
        found = shop.run("events", "--type", "prompt.submitted", "--since", age, "--json").data
        assert len(found) == count


@pytest.mark.parametrize(
    ("at", "until", "count"),
    [
        ("2026-12-31T23:59:59.999Z", "2026-12-31", 1),
        ("2027-01-01T00:00:00.000Z", "2026-12-31", 0),
        ("2027-01-01T00:00:00.000Z", "2027-01-01", 1),
        ("2028-02-29T23:59:59.999Z", "2028-02-29", 1),
    ],
    ids=["last of the year", "first of the next", "that day", "leap day"],
)
def test_a_day_ends_with_its_last_millisecond(shop: World, at: str, until: str, count: int) -> None:
    """`--until` a date includes all of that day in UTC and nothing of the next."""
    shop.now = datetime.fromisoformat(at) - timedelta(seconds=1)
    shop.prompt("here")
    found = shop.run("events", "--type", "prompt.submitted", "--until", until, "--json").data
    assert len(found) == count


@pytest.mark.parametrize(("seconds", "known"), [(297, True), (298, False)])
def test_a_reading_is_known_for_five_minutes(shop: World, seconds: int, known: bool) -> None:
    """After five minutes of activity the remaining context is unknown."""
    shop.prompt()
    shop.read(30)
    shop.after(seconds=seconds)
    assert (shop.view("stage")["remaining"] is not None) is known


def test_a_week_begins_on_monday(shop: World) -> None:
    """Compactions a second before and after midnight on Sunday are in two weeks (UTC)."""
    for at in (datetime(2026, 11, 22, 23, 59, 57, tzinfo=UTC), datetime(2026, 11, 23, tzinfo=UTC)):
        shop.now = at
        shop.compact()
    out = shop.run("stats", "compactions").out
    weeks = [line.split()[0] for line in out.splitlines() if line.strip().startswith("2026-11-")]
    assert weeks == ["2026-11-16", "2026-11-23"]


def test_a_killed_session_ends_with_the_next_start(shop: World) -> None:
    """Without SessionEnd the next start infers the end, at the time of that start."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        shop.append({"type": "session.started", "sid": OTHER, "source": "startup", "pid": gone.pid})
    shop.after(days=2).start("resume")
    (ended,) = shop.run("events", "--type", "session.ended", "--json").data
    assert (ended["sid"], ended["inferred"]) == (OTHER, True)
    assert ended["ts"] == "2026-11-23T09:00:02.000Z"


@pytest.mark.parametrize("words", [("events",), ("sessions",), ("status",), ("stats", "sessions")],
                         ids=" ".join)  # fmt: skip
def test_times_are_local_and_the_zone_is_named_once(words, played, in_zone):
    """A person sees local time; JSON stays UTC."""
    in_zone("Asia/Kathmandu")
    out = played.journal(*words, TZ="Asia/Kathmandu").out
    assert "14:4" in out or words == ("sessions",)
    assert len(re.findall(r"\bUTC", out)) <= 1
    assert "T14:4" not in played.journal(*words, "--json", TZ="Asia/Kathmandu").out


@pytest.mark.parametrize("text,end,wanted", [
    ("2026-11-21", False, "2026-11-20T23:00:00.000Z"), ("2026-11-21", True, "2026-11-21T22:59:59.999Z"),
    ("2026-10-25", True, "2026-10-25T22:59:59.999Z"), ("2026-11-21T09:30", False, "2026-11-21T08:30:00.000Z"),
    ("2026-11-21T09:30:00Z", False, "2026-11-21T09:30:00.000Z"),
    ("2026-11-21T09:30:00+05:45", False, "2026-11-21T03:45:00.000Z"),
])  # fmt: skip
def test_a_date_is_a_local_day(text, end, wanted, in_zone):
    """A date is a local day of 23 to 25 hours, unless it names a zone."""
    in_zone("Europe/Berlin")
    assert parse_bound(text, 0, end=end) == wanted
