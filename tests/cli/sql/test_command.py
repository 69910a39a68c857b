"""Where a query comes from, what its run prints beside the rows, and its errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from journal.history.tables.database import History
from journal.log.read import Reader
from tests.cases.world import ROOT
from tests.cli.sql.conftest import QUERY


def test_where_the_query_comes_from(filled, tmp_path):
    """An argument, a file or stdin; parameters stand for values, never for SQL."""
    journal = filled.workspace.journal
    path = tmp_path / "q.sql"
    path.write_text("-- how many\nselect count(*) n from events where type = $type;\n")
    words = ("--param", "type=turn.ended", "--csv")
    assert journal("sql", "--file", str(path), *words).out == "n\n1\n"
    assert journal("sql", "-", *words, stdin=path.read_text()).out == "n\n1\n"
    nasty = journal("sql", "select $x x", "--param", "x='; drop", "--csv")
    assert nasty.out == "x\n'; drop\n"  # as it is: it begins no formula
    assert (
        journal("sql", "select $n::int + 1 n, 3 > $n b", "--param", "n=3", "--csv").out
        == "n,b\n4,false\n"
    )


WRONG = {
    "syntax": (("selec 1",), 2, "query:1:1: syntax error"),
    "second-line": (("select 1,\n  nope\nfrom events",), 2, "query:2:3: "),
    "table": (("from evnts",), 2, "did you mean events?"),
    "column-elsewhere": (("select cost_usd from sessions",), 2, "cost_usd is a column of usage"),
    "column-longer": (("select cost from usage",), 2, "columns like it: cost_usd"),
    "column": (("select prject from events",), 2, "columns like it: project"),
    "conversion": (("select 'x'::int",), 2, "Could not convert"),
    "missing-param": (("select $a",), 2, "no value for $a"),
    "extra-param": (("select 1", "--param", "a=1"), 2, "the query has no $a"),
    "bad-param": (("select 1", "--param", "a"), 2, "not NAME=VALUE"),
    "both": (("select 1", "--file", "x"), 2, "give only one of them"),
    "two-forms": (("select 1", "--json", "--csv"), 2, "cannot be combined"),
    "no-file": (("--file", "nope.sql"), 3, "nope.sql: no such file"),
    "no-query": ((), 2, "no query"),
    "empty": (("  ;",), 2, "the query is empty"),
    "nul": (("select '\x00'",), None, ""),
    "parquet-nowhere": (("select 1", "--parquet", "no/such/x.parquet"), 3, "cannot be written"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_faults(name, filled):
    """The error has the place and what exists instead, with the documented exit code."""
    words, code, text = WRONG[name]
    result = filled.workspace.journal("sql", *words)
    assert code is None or result.code == code, result
    assert text in result.err
    assert "Traceback" not in result.err
    assert result.code in (0, 2, 3)


def test_the_excerpt_shows_the_line(filled):
    """The excerpt is from the person's query, not from the statements around it."""
    result = filled.workspace.journal("sql", "select nope\nfrom events")
    assert result.err.splitlines()[1] == "  | select nope"
    long = "select seq, ts, type, session, project, cwd, branch, nope from events order by seq"
    assert filled.workspace.journal("sql", long).err.splitlines()[1] == f"  | {long}"


def test_duckdb_is_imported_by_a_query_alone(filled):
    """Neither the help nor the schema loads it; a query does."""
    code = (
        "import sys; from cli.app import run\n"
        "for words in ['schema', '--json'], ['--help'], ['sql', 'select 1']:\n"
        "    run(words)\n"
        "    loaded = any('duckdb' in name for name in sys.modules if '.' not in name)\n"
        "    print(*words, loaded, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, **filled.workspace.env},
                         capture_output=True, text=True, check=True)  # fmt: skip
    assert ran.stderr.splitlines() == [
        "schema --json False", "--help False", "sql select 1 True",
    ]  # fmt: skip


def test_json_is_alone_on_stdout(filled):
    """Messages about bad lines go to stderr."""
    with (filled.home / "shop-00000001" / "active.jsonl").open("ab") as file:
        file.write(b"\0\0\n")
    result = filled.workspace.journal("sql", QUERY, "--json")
    assert json.loads(result.out)
    assert "warning: shop is damaged" in result.err
    assert "--project shop, then" in result.err
    assert result.code == 1


def test_a_query_answers_for_the_logs_it_reads(filled, monkeypatch):
    """A query without a table of the journals reads no log, not even to look for damage."""
    with (filled.home / "shop-00000001" / "active.jsonl").open("ab") as file:
        file.write(b"\0\0\n")
    read = []
    batches = Reader.batches
    monkeypatch.setattr(Reader, "batches", lambda reader: read.append(1) or batches(reader))
    result = filled.workspace.journal("sql", "select 6*7 as answer", "--csv")
    assert (result.code, result.out, result.err, read) == (0, "answer\n42\n", "", [])
    assert filled.workspace.journal("sql", QUERY).code == 1
    assert read


def test_a_slow_query_prints_nothing_else(filled):
    """DuckDB's own progress bar, which would go to stdout, is off."""
    history = History(str(filled.home))
    (result,) = history.query("select current_setting('enable_progress_bar')")
    assert result.all() == [(False,)]
    history.close()
