"""docs/sql.md: it says what the tables are, and every query it shows gives the rows it should."""

from __future__ import annotations

import datetime as dt
import json
import shlex
from pathlib import Path

import pytest

from cli.sql.page import page

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


def test_the_page_is_current():
    """docs/sql.md is what the tables say."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_query_has_its_rows_here():
    """A query added to the page needs its rows in this table."""
    assert len(COMMANDS) == len(EXPECTED)


@pytest.mark.parametrize("number", range(len(EXPECTED)))
def test_documented_query(number, asked):
    """Each query of the page gives known rows on a known journal."""
    asked.write(EVENTS)
    words = [word for word in COMMANDS[number] if word != "--json"]
    result = asked.workspace.journal("sql", *words, "--json")
    assert (result.code, result.err) == (0, "")
    rows = json.loads(result.out)
    wanted = EXPECTED[number]
    assert [{name: row[name] for name in wanted[0]} for row in rows] == wanted


def test_now_and_zones(asked):
    """now() is UTC, as the times recorded are, and a time with a zone can be printed."""
    asked.write(EVENTS)
    assert asked.one("select count(*) from tools where ts > now() - interval 1 hour") == 2
    assert asked.one("select now() between max(ts) and max(ts) + interval 1 hour from tools")
    query = "select timestamptz '2026-11-21 10:00:00+09' as at"
    assert asked.sql(query) == [{"at": "2026-11-21T01:00:00Z"}]
