"""Filtering in SQL and filtering in Python give the same rows."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from collections import Counter
from contextlib import closing
from functools import cache
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from journal.history.tables.database import History
from journal.history.tables.schema import TABLES
from tests.support.examples import examples, third
from tests.support.journals import Journals, at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIDS = ("s1", "s2", "s3")
NAMED = ("s1", "s2", "s3", "auto", "manual", "Bash", "info", "ended", "human", "", "x'y", "a%")


def stream(sid: str) -> list[dict[str, Any]]:
    """Return the events of a session with something for every table."""
    use = f"toolu_{sid}"
    auto = "manual" if sid == "s2" else "auto"
    events = [
        {"type": "session.started", "source": "startup", "model": "m"},
        {"type": "prompt.submitted", "prompt": f"p-{sid}", "origin": "human", "text": "go"},
        {"type": "tool.finished", "tool": "Bash", "use": use, "ms": 12, "target": "make",
         "us": 2_000},
        {"type": "tool.failed", "tool": "Edit", "use": use + "b", "error": "x'y", "ms": 3},
        {"type": "pressure.sampled", "tokens": 120_000, "window": 200_000, "point": 167_000,
         "pressure": 71.9, "used": 60.0, "source": "transcript"},
        {"type": "advice.given", "what": "pressure", "level": "info", "tokens": 120_000,
         "point": 167_000, "hook": "PostToolUse", "characters": 40},
        {"type": "turn.ended", "prompt": f"p-{sid}"},
        {"type": "compact.started", "trigger": auto, "tokens": 168_000, "point": 167_000},
        {"type": "session.started", "source": "compact", "context_tokens": 21_000},
        {"type": "compact.finished", "trigger": auto, "summary": "Ran make.", "size": 9},
        {"type": "compact.started", "trigger": "auto", "tokens": 169_000, "point": 167_000},
        {"type": "stage.started", "cycle": sid, "stage": "sprint", "remaining": 80.0},
        {"type": "stage.finished", "cycle": sid, "stage": "sprint", "remaining": 55.0},
        {"type": "usage.recorded", "message": f"m-{sid}", "key": f"k-{sid}", "input_tokens": 2,
         "output_tokens": 3, "model": "m"},
        {"type": "session.ended", "reason": "exit"},
    ]  # fmt: skip
    return [{**event, "sid": sid} for event in events]


@cache
def journal() -> tuple[str, dict[str, list[dict[str, Any]]]]:
    """Return a home with two projects and an import, and all rows of every table."""
    home = mkdtemp(prefix="jg-law-")
    journals = Journals.of(home)
    journals.write([event for sid in SIDS for event in stream(sid)])
    journals.write(stream("s1"), "till-00000002")
    journals.write([{**event, "imported": True} for event in stream("s4")], side="imported")
    history = History(home)
    found = {}
    for name in TABLES:
        (result,) = history.query(f"from {name}")
        found[name] = [dict(zip(result.names, row, strict=True)) for row in result.all()]
    history.close()
    return home, found


@pytest.fixture(scope="module", autouse=True)
def _removed() -> Iterator[None]:
    """Remove that home after the last test that may use it."""
    yield
    if journal.cache_info().currsize:
        shutil.rmtree(journal()[0])
        journal.cache_clear()


def literal(value: Any) -> str:
    """Return a value as an SQL literal."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dt.datetime):
        return f"timestamp '{value.isoformat(' ')}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda one, other: one == other,
    "<>": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    ">=": lambda one, other: one >= other,
}


@st.composite
def predicates(draw: st.DrawFn) -> tuple[str, str, Callable[[dict[str, Any]], bool]]:
    """Draw a table and a condition on it, as SQL and as a function."""
    table = draw(st.sampled_from(sorted(TABLES)))
    rows = journal()[1][table]
    columns = [c for c in TABLES[table].columns if c.type != "JSON" and not c.type.endswith("[]")]
    parts, tests = [], []
    for column in draw(st.lists(st.sampled_from(columns), min_size=1, max_size=2)):
        name = column.name
        values = sorted({row[name] for row in rows if row[name] is not None}, key=repr)
        if column.type == "VARCHAR":
            values += NAMED
        kind = draw(st.sampled_from(["compare", "null", "flag"]))
        if kind == "flag" and column.type == "BOOLEAN":
            parts.append(f'"{name}"')
            tests.append(lambda row, name=name: row[name] is True)
        elif kind == "null" or not values:
            wanted = draw(st.booleans())
            parts.append(f'"{name}" is {"" if wanted else "not "}null')
            tests.append(lambda row, name=name, wanted=wanted: (row[name] is None) is wanted)
        else:
            operator, value = (
                draw(st.sampled_from(sorted(OPERATORS))),
                draw(st.sampled_from(values)),
            )
            parts.append(f'"{name}" {operator} {literal(value)}')
            tests.append(
                lambda row, name=name, value=value, compare=OPERATORS[operator]: (
                    row[name] is not None and compare(row[name], value)
                )
            )
    return table, " and ".join(parts), lambda row: all(test(row) for test in tests)


@examples(60, sample=2, suppress_health_check=list(HealthCheck))
@given(st.lists(predicates(), min_size=1, max_size=5))
def test_filtered_in_sql_as_in_python(drawn) -> None:
    """Any condition on any table gives the rows that fulfil it, counted and listed."""
    home, tables = journal()
    with closing(History(home)) as history:
        for table, condition, holds in drawn:
            expected = [row for row in tables[table] if holds(row)]
            (counted,) = history.query(f"select count(*) from {table} where {condition}")
            assert counted.all() == [(len(expected),)], (table, condition)
            (listed,) = history.query(f"from {table} where {condition}")
            rows = [dict(zip(listed.names, row, strict=True)) for row in listed.all()]
            assert sorted(map(repr, rows)) == sorted(map(repr, expected)), (table, condition)


KEYS = ("project", "session", "imported", "prompt", "seq")


@st.composite
def joins(draw: st.DrawFn) -> tuple[str, str, list[str], int]:
    """Draw two tables, the keys to join them on, and a number of rows."""
    tables = st.sampled_from(sorted(TABLES))
    one, other = draw(tables), draw(tables)
    named = [{column.name for column in TABLES[table].columns} for table in (one, other)]
    common = [key for key in KEYS if all(key in names for names in named)]
    keys = draw(st.lists(st.sampled_from(common), min_size=1, unique=True))
    return one, other, keys, draw(st.integers(0, 4))


@examples(24, sample=1, suppress_health_check=list(HealthCheck))
@given(st.lists(joins(), min_size=1, max_size=3))
def test_joined_grouped_and_cut_in_sql_as_in_python(drawn) -> None:
    """Tables joined on any keys they share, then counted by the first key and cut, as in Python."""
    home, tables = journal()
    with closing(History(home)) as history:
        for one, other, keys, number in drawn:
            found = Counter(tuple(row[key] for key in keys) for row in tables[other])
            counts: Counter[Any] = Counter()
            for row in tables[one]:
                key = tuple(row[name] for name in keys)
                counts[key[0]] += 0 if None in key else found[key]
            expected = sorted(((k, n) for k, n in counts.items() if n > number), key=repr)
            query = f"""
                with j as (select a."{keys[0]}" as k from {one} a join {other} b using ({",".join(keys)}))
                select k, count(*) from j group by k having count(*) > {number}"""
            (grouped,) = history.query(query)
            assert sorted(grouped.all(), key=repr) == expected, query
            query = f"select * from ({query}) union all from ({query}) order by all limit 3 offset {number}"
            (cut,) = history.query(query)
            twice = sorted([*expected, *expected])
            assert cut.all() == twice[number : number + 3], query


REPORTED = {
    "compactions where done": 6,
    "compactions where done and trigger = 'auto'": 5,
    "compactions where trigger = 'auto'": 9,
    f"compactions where ts > timestamp '{at(9)[:19].replace('T', ' ')}'": 7,
    "compactions where project like 'shop%' and not imported": 6,
    "compactions": 10,
}


@pytest.mark.parametrize("what", REPORTED)
def test_compactions_are_counted_whatever_the_condition(what: str) -> None:
    """A condition that the planner can decide without reading rows does not empty the table."""
    home, _tables = journal()
    history = History(home)
    (result,) = history.query(f"select count(*) from {what}")
    assert result.all() == [(REPORTED[what],)]
    history.close()


def test_a_table_under_any_name_that_reaches_it() -> None:
    """Quoted, in upper case, through a view, a macro or a computed name, a table has the same rows."""
    home, tables = journal()
    count = len(tables["turns"])
    for text in ('from "turns"', "FROM TURNS", "from query_table('tu' || 'rns')",
                 "with a as (from turns) from a", "create view v as from turns; from v",
                 "from query('from tur' || 'ns')",
                 "create macro m() as table from turns; from m()"):  # fmt: skip
        history = History(home)
        *_, last = history.query(text)
        assert len(last.all()) == count, text
        history.close()


def test_every_table_is_listed() -> None:
    """A listing of tables has all of them, including those no query has named yet."""
    home, _tables = journal()
    for text in ("show tables", "select table_name from information_schema.tables"):
        history = History(home)
        (result,) = history.query(text)
        assert set(TABLES) <= {row[0] for row in result.all()}
        history.close()


def test_whole_records_of_every_event() -> None:
    """`from events` has every record as it is in the log."""
    _home, tables = journal()
    shop = [row for row in tables["events"] if row["project"] == "shop-00000001"]
    assert {json.loads(row["record"])["seq"] for row in shop} == set(range(1, 47))


def test_no_journal_at_all(journals):
    """Without a journal every table exists and is empty."""
    for name in third(TABLES):
        assert journals.sql(f"select * from {name}") == []
    assert set(journals.counts(TABLES).values()) == {0}


def test_projects(journals):
    """A query reads all projects or the named one; a project without a journal exits 3."""
    journals.write([{"type": "turn.ended"}], "shop-00000001")
    journals.write([{"type": "turn.ended"}], "till-00000002")
    query = "select distinct project from events order by 1"
    assert [r["project"] for r in journals.sql(query)] == ["shop-00000001", "till-00000002"]
    assert [r["project"] for r in journals.sql(query, "--project", "till-00000002")] == [
        "till-00000002"
    ]
    result = journals.workspace.journal("sql", query, "--project", str(journals.workspace.project))
    assert result.code == 3
    assert "no journal for" in result.err
