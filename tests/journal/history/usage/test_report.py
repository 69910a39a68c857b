"""Sums of replies: what counts, once and in which group; and the cost of a compaction."""

from __future__ import annotations

import pytest

from journal.history.tables.database import History
from journal.history.usage.parts import Selection
from journal.history.usage.prices import Tokens, load_prices
from journal.history.usage.report import row_data, usage_report
from tests.support.journals import Journals

MODEL = "claude-opus-4-5-20251101"  # USD: 5 in, 25 out, 6.25 and 10 written, 0.5 read
T = "2026-11-21T10:%02d:00.000Z"
_numbers = iter(range(10_000))


@pytest.fixture
def journals(tmp_path) -> Journals:
    """Return an empty journal home."""
    return Journals.of(str(tmp_path))


def reply(minute: int, *tokens: int, **more: object) -> dict:
    """Return a reply with input, output, written and read tokens."""
    number = next(_numbers)
    names = ("input_tokens", "output_tokens", "cache_creation_input_tokens",
             "cache_read_input_tokens")  # fmt: skip
    return {"type": "usage.recorded", "ts": T % minute, "message": f"m{number}", "model": MODEL,
            "key": f"{number:016x}", "source": "transcript", "imported": True,
            **dict(zip(names, tokens, strict=False)), **more}  # fmt: skip


def read(minute: int, target: str, size: int, tool: str = "Read", **more: object) -> dict:
    """Return a tool call on a file."""
    return {"type": "tool.finished", "ts": T % minute, "tool": tool, "target": target,
            "output_size": size, **more}  # fmt: skip


def compacted(minute: int, **more: object) -> dict:
    """Return the end of a compaction."""
    return {"type": "compact.finished", "ts": T % minute, "trigger": "auto", "summary": "s", **more}


def report(journals: Journals, *by: str, **more: str):
    """Return the usage report of the home."""
    history = History(str(journals.home))
    try:
        return usage_report(history, load_prices(str(journals.home)), by, Selection(**more))
    finally:
        history.close()


def test_a_reply_counts_once(journals):
    """A reply that grew counts once, with its last figures, also across projects."""
    journals.write([reply(1, 1, 5, key="a" * 16), reply(2, 1, 9, key="a" * 16)], side="imported")
    journals.write([reply(3, 1, 700, key="a" * 16), reply(4, 2, 2)], "mall-00000002", "imported")
    total = report(journals).total
    assert (total.replies, total.tokens) == (2, Tokens(input=3, output=702))


def test_who_is_counted(journals):
    """Subagents and sidechains count; synthetic replies do not."""
    journals.write(
        [reply(1, 1), reply(2, 10, agent="a1"), reply(3, 100, agent="sidechain"),
         reply(4, 1000, model="<synthetic>")], side="imported",
    )  # fmt: skip
    assert report(journals).total.tokens.input == 111


@pytest.mark.parametrize(
    ("zone", "times"),
    [
        ("America/New_York", ("2026-02-30T08:00:00.000Z", "0001-01-01T00:00:00.000Z")),
        ("Asia/Tokyo", ("9999-12-31T23:59:59.999Z",)),
    ],
)
def test_a_reply_at_an_impossible_time_counts(journals, zone, times, in_zone):
    """A time that is no date, or at an end of the calendar, keeps no reply out of a report."""
    in_zone(zone)
    odd = [reply(number, 1, ts=time) for number, time in enumerate(times, 2)]
    journals.write([reply(1, 1), *odd], side="imported")
    for kind in ("day", "week", "month", "block"):
        assert report(journals, kind).total.tokens.input == 1 + len(times), kind


def test_a_reply_without_a_date_costs_the_same_in_sql(journals):
    """`usage.cost_usd` has a cost also where the time is no date, as the report has."""
    journals.write([reply(1, 1_000_000, ts="2026-02-30T08:00:00.000Z")], side="imported")
    history = History(str(journals.home))
    (found,) = history.query("select cost_usd from usage")
    assert found.all() == [(report(journals).total.cost,)] == [(5.0,)]
    history.close()


def test_groups(journals):
    """Groups have their own replies; the most expensive comes first, periods in order of time."""
    journals.write(
        [reply(1, 1, branch="main"), reply(2, 7, branch="fix"), reply(3, 1)], side="imported"
    )
    journals.write(
        [reply(1, 50, ts="2026-10-02T00:00:00.000Z", sid="s2")], "mall-00000002", "imported"
    )
    found = {
        kind: [(row.names[0], row.tokens.input) for row in report(journals, kind).rows]
        for kind in ("branch", "project", "month", "day", "model", "block")
    }
    assert found == {
        "branch": [("", 51), ("fix", 7), ("main", 1)],
        "project": [("mall-00000002", 50), ("shop-00000001", 9)],
        "month": [("2026-10", 50), ("2026-11", 9)],
        "day": [("2026-10-02", 50), ("2026-11-21", 9)],
        "model": [(MODEL, 59)],
        "block": [("2026-10-02T00:00:00.000Z", 50), ("2026-11-21T10:00:00.000Z", 9)],
    }
    assert [row.names for row in report(journals, "day", "branch").rows] == [
        ("2026-10-02", ""), ("2026-11-21", "fix"), ("2026-11-21", ""), ("2026-11-21", "main"),
    ]  # fmt: skip


def test_bounds(journals):
    """`since` and `until` are inclusive, and a project's blocks start where those of all projects do."""
    journals.write([reply(1, 1), reply(2, 2), reply(3, 4)], side="imported")
    assert report(journals, since=T % 2).total.tokens.input == 6
    assert report(journals, until=T % 2).total.tokens.input == 3
    early = reply(0, 8, ts="2026-11-21T06:30:00.000Z")
    journals.write([early], "mall-00000002", "imported")
    (row,) = report(journals, "block", project="shop-00000001").rows
    assert (row.names, row.tokens.input) == (("2026-11-21T06:00:00.000Z",), 7)


def test_unknown_is_not_zero(journals):
    """A model without a price has no cost and is named; with others the cost is partial."""
    journals.write([reply(1, 5, model="new"), reply(2, 5, model="new")], side="imported")
    data = row_data((), report(journals).total)
    assert (data["cost_usd"], data["unpriced"], data["input_tokens"]) == (None, {"new": 2}, 10)
    journals.write([reply(1, 5, model="new"), reply(2, 1_000_000)], side="imported")
    data = row_data((), report(journals).total)
    assert (data["cost_usd"], data["unpriced"]) == (5.0, {"new": 1})


def test_one_hour_cache_and_fast_mode(journals):
    """The one-hour cache and fast mode have their own prices."""
    hour = reply(1, 0, 0, 2_000_000, cache_creation_1h_input_tokens=1_000_000)
    journals.write(
        [hour, reply(2, 1_000_000, model="claude-opus-5-5", speed="fast")], side="imported"
    )
    assert report(journals).total.cost == pytest.approx(6.25 + 10 + 8)


# -- what a compaction costs ---------------------------------------------------------------------

BEFORE = [reply(1, 3, 10, 500, 900), read(2, "/a.py", 3000), read(3, "/b.py", 30, "Edit"),
          reply(4, 3, 10, 500, 900)]  # fmt: skip
CASES = {
    "nothing was compacted": ([*BEFORE, read(5, "/a.py", 3000), reply(6, 1, 1, 9)], Tokens()),
    "the context is written anew": (
        [*BEFORE, compacted(5), reply(6, 7, 20, 400, 60), reply(7, 1, 1, 1, 1)],
        Tokens(input=7, cache_write=400),
    ),
    "files are read again": (
        [*BEFORE, compacted(5), reply(6, 7, 20, 400, 60), read(7, "/a.py", 3000),
         reply(8, 1, 1, 5000, 1)],
        Tokens(input=7, cache_write=400 + 1000),
    ),
    "at most what the next reply writes": (
        [*BEFORE, compacted(5), reply(6, 7, 20, 400, 60), read(7, "/a.py", 3000),
         reply(8, 30, 1, 600, 1)],
        Tokens(input=7 + 30, cache_write=400 + 600),
    ),
    "a file written before": (
        [*BEFORE, compacted(5), reply(6, 0, 0, 4), read(7, "/b.py", 31), reply(8, 0, 0, 90)],
        Tokens(cache_write=4 + 11),
    ),
    "each file once, new files not": (
        [*BEFORE, compacted(5), reply(6, 0, 0, 4), read(7, "/new.py", 300), read(8, "/a.py", 30),
         read(9, "/a.py", 3000), reply(10, 0, 0, 9000)],
        Tokens(cache_write=4 + 10),
    ),
    "once more after the next one": (
        [*BEFORE, compacted(5), reply(6, 0, 0, 4), read(7, "/a.py", 30), reply(8, 0, 0, 90),
         compacted(9), reply(10, 0, 0, 2), read(11, "/a.py", 30), reply(12, 0, 0, 90)],
        Tokens(cache_write=4 + 10 + 2 + 10),
    ),
    "read again, then compacted before a reply": (
        [*BEFORE, compacted(5), reply(6, 0, 0, 4), read(7, "/a.py", 30), compacted(8),
         reply(9, 0, 0, 50)],
        Tokens(cache_write=4 + 50),
    ),
    "one compaction, reported twice": (
        [*BEFORE, compacted(5), {"type": "session.started", "source": "compact", "ts": T % 5},
         compacted(6), reply(7, 0, 0, 4), reply(8, 0, 0, 9)],
        Tokens(cache_write=4),
    ),
    "begun and given up": (
        [*BEFORE, {"type": "compact.started", "ts": T % 5}, reply(6, 0, 0, 4)], Tokens(),
    ),
    "no reply followed": ([*BEFORE, compacted(5)], Tokens()),
    "a subagent's reply is not the main thread's": (
        [*BEFORE, compacted(5), reply(6, 0, 0, 4, agent="a1"), reply(7, 0, 0, 9)],
        Tokens(cache_write=9),
    ),
    "another session's is not this one's": (
        [*BEFORE, compacted(5), reply(6, 0, 0, 4, sid="s2"), reply(7, 0, 0, 9)],
        Tokens(cache_write=9),
    ),
    "the request for the summary": (
        [*BEFORE, reply(5, 1, 200, 30, 4000, agent="acompact-1f"), compacted(6), reply(7, 0, 0, 9)],
        Tokens(1, 200, 30 + 9, 0, 4000),
    ),
    "the one-hour cache": (
        [*BEFORE, compacted(5), reply(6, 0, 0, 100, cache_creation_1h_input_tokens=60),
         read(7, "/a.py", 300), reply(8, 0, 0, 120, cache_creation_1h_input_tokens=90)],
        Tokens(cache_write=100 + 100, cache_write_1h=60 + 70),
    ),
}  # fmt: skip


@pytest.mark.parametrize("events,tokens", CASES.values(), ids=CASES)
def test_what_a_compaction_costs(events, tokens, journals):
    """A compaction costs its request, the rewritten context and files read again (docs/usage.md)."""
    journals.write(events, side="imported")
    total = report(journals).total
    assert total.compacted == tokens
    each = (*tokens[:2], tokens.cache_write - tokens.cache_write_1h, *tokens[3:])
    rates = (5, 25, 6.25, 10, 0.5)
    cost = sum(count * rate for count, rate in zip(each, rates, strict=True)) / 1_000_000
    assert total.compact_cost == pytest.approx(cost)
    assert total.compact_cost <= total.cost


def test_live_compactions_and_imported_replies(journals):
    """A compaction from hooks and replies from a transcript cost the same as in one log."""
    journals.write([BEFORE[1], BEFORE[2], compacted(5), read(7, "/a.py", 3000)])
    journals.write([BEFORE[0], BEFORE[3], compacted(5), reply(6, 7, 20, 400, 60), reply(8, 1, 1, 5000)],
                side="imported")  # fmt: skip
    total = report(journals).total
    assert (total.compacted, total.compactions) == (Tokens(input=7, cache_write=400 + 1000), 1)
