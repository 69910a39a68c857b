"""docs/sql.md describes the tables, and each query in it gives the expected rows."""

from __future__ import annotations

import datetime as dt
import json
import shlex
from pathlib import Path

import duckdb
import pytest
from packaging.version import Version

PAGE = Path(__file__).parents[3] / "docs" / "sql.md"
BLOCK = (
    PAGE.read_text(encoding="utf-8").partition("```sh\n")[2].partition("```")[0].replace("\\$", "$")
)
COMMANDS = [
    words[2:] for words in map(shlex.split, BLOCK.replace("\njournal", "\0journal").split("\0"))
]
NOW = dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
EVENTS = [
    {"type": "session.started", "source": "startup"},
    {"type": "prompt.submitted", "prompt": "p1", "origin": "human", "text": "Fix the Parser"},
    {"type": "tool.finished", "tool": "Bash", "ms": 1_500, "ts": NOW},
    {"type": "tool.finished", "tool": "Bash", "ms": 500, "ts": NOW},
    {"type": "tool.finished", "tool": "Read", "ms": 9_000, "ts": "2026-01-01T00:00:00.000Z"},
    {"type": "advice.given", "what": "pressure", "level": "info", "tokens": 120_000},
    {"type": "compact.started", "trigger": "manual", "tokens": 168_000},
    {"type": "session.started", "source": "compact"},
    {"type": "compact.started", "trigger": "auto"},
]  # fmt: skip
EXPECTED = [
    [{"project": "shop-00000001", "n": 1, "lead": 1.0, "heeded": 1}],
    [{"tool": "Bash", "n": 2, "seconds": 2.0}],
    [{"text": "Fix the Parser", "prompt": "p1", "tools": 3}],
    [{"what": "pressure", "n": 1}],
]


def test_every_query_has_its_rows_here():
    """Every query of the page has its expected rows in this table."""
    assert len(COMMANDS) == len(EXPECTED)


@pytest.mark.parametrize("number", range(len(EXPECTED)))
def test_documented_query(number, journals):
    """Each query of the page gives known rows on a known journal."""
    journals.write(EVENTS)
    words = [word for word in COMMANDS[number] if word != "--json"]
    result = journals.workspace.journal("sql", *words, "--json")
    assert (result.code, result.err) == (0, "")
    rows = json.loads(result.out)
    wanted = EXPECTED[number]
    assert [{name: row[name] for name in wanted[0]} for row in rows] == wanted


def test_now_and_zones(journals):
    """now() is UTC like the recorded times, and a time with a zone can be printed."""
    journals.write(EVENTS)
    assert journals.one("select count(*) from tools where ts > now() - interval 1 hour") == 2
    assert journals.one("select now() between max(ts) and max(ts) + interval 1 hour from tools")
    assert journals.one("select current_date - now()::date") == 0


AT = "timestamp '2026-11-21 20:30:00'"
ZONED = {
    "select timestamptz '2026-11-21 10:00:00+09'": "2026-11-21T01:00:00Z",
    "select timestamptz '2026-11-21 10:00:00+09'; -- a;b": "2026-11-21T01:00:00Z",
    f"select {AT}::timestamptz at time zone 'Asia/Tokyo'": "2026-11-22T05:30:00Z",
    f"select {AT} at time zone 'Asia/Tokyo'": "2026-11-21T11:30:00Z",
    f"select date_trunc('day', {AT})::date": "2026-11-21",
    f"select date_trunc('day', {AT}::timestamptz at time zone 'Asia/Tokyo')::date": "2026-11-22",
    "select timestamptz '2026-07-01 10:00:00Z' at time zone 'Europe/Berlin'": "2026-07-01T12:00:00Z",
    f"select [{AT}::timestamptz]": ["2026-11-21T20:30:00Z"],
    f"select {{'a': {AT}::timestamptz}}": {"a": "2026-11-21T20:30:00Z"},
    "select typeof(now())": "TIMESTAMP WITH TIME ZONE",
    "select n from (select now() - now() n)": "0:00:00",
}


@pytest.mark.parametrize("query", ZONED)
def test_times_with_a_zone(journals, query):
    """A time with a zone comes back as UTC, alone or inside a value; named zones are known."""
    (row,) = journals.sql(query)
    (value,) = row.values()
    assert value == ZONED[query]


def test_rows_with_a_zone_keep_their_order(journals):
    """The order a query asks for is the order of the result."""
    query = "select timestamptz '2026-11-21 00:00:00Z' + interval 1 day * i t from range(3) r(i) order by i desc"
    assert [row["t"][:10] for row in journals.sql(query)] == [
        "2026-11-23",
        "2026-11-22",
        "2026-11-21",
    ]


def test_a_pivot_of_times_with_a_zone_says_what_to_do(journals):
    """DuckDB 2.0.1 returns such a time; what an earlier one cannot is an error that names the cast."""
    journals.write(EVENTS)
    query = "pivot (select {} n, 'a' k) on k using max(n)"
    cast = journals.workspace.journal("sql", "--json", query.format("now()::timestamp"))
    assert (cast.code, len(json.loads(cast.out)[0]["a"]) > len("2026-11-21T")) == (0, True)
    plain = journals.workspace.journal("sql", "--json", query.format("now()"))
    if Version(duckdb.__version__) >= Version("2.0.1"):
        assert (plain.code, json.loads(plain.out)[0]["a"][:10]) == (
            0,
            json.loads(cast.out)[0]["a"][:10],
        )
    else:
        assert (plain.code, "::timestamp" in plain.err, "Traceback" in plain.err) == (
            2,
            True,
            False,
        )
