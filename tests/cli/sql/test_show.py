"""How a query is given, how its rows are printed, and how errors are reported."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import duckdb
import pytest

from cli.render.text import print_csv
from cli.scope import Scope
from cli.sql.prompt import run_prompt
from journal.history.tables.database import History
from journal.history.tables.schema import TABLES
from journal.log.read import Reader
from journal.text import width
from tests.cases.world import ROOT

if TYPE_CHECKING:
    from tests.support.journals import Journals

QUERY = "select type, count(*) n from events group by 1 order by 1"


@pytest.fixture
def filled(journals: Journals) -> Journals:
    """A journal with some events."""
    journals.write([
        {"type": "prompt.submitted", "text": 'a|b, "c"\nd \x1b[31m 端数', "size": 3},
        {"type": "turn.ended"},
    ])  # fmt: skip
    return journals


FORMS = {
    "table": ((), "type              n\nprompt.submitted  1\nsegment.opened    1\nturn.ended        1\n"),
    "json": (("--json",), ('[\n{"type":"prompt.submitted","n":1},\n{"type":"segment.opened","n":1},'
             '\n{"type":"turn.ended","n":1}\n]\n')),
    "csv": (("--csv",), "type,n\nprompt.submitted,1\nsegment.opened,1\nturn.ended,1\n"),
    "markdown": (("--markdown",), ("| type | n |\n| --- | --- |\n| prompt.submitted | 1 |\n"
                 "| segment.opened | 1 |\n| turn.ended | 1 |\n")),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_forms(name, filled):
    """Table, JSON, CSV and Markdown have the same rows."""
    words, text = FORMS[name]
    result = filled.workspace.journal("sql", QUERY, *words)
    assert (result.code, result.out, result.err) == (0, text, "")


def test_parquet(filled):
    """Rows are written as a Parquet file only its owner can read; nothing goes to stdout."""
    target = filled.workspace.top / "rows.parquet"
    for _ in range(2):
        result = filled.workspace.journal("sql", QUERY, "--parquet", str(target))
        assert (result.code, result.out) == (0, ""), result.err
        assert "3 rows written to" in result.err
    one = filled.workspace.journal("sql", "select 1", "--parquet", str(target.with_name("one")))
    assert "1 row written to" in one.err
    assert duckdb.sql(f"select n from '{target}'").fetchall() == [(1,)] * 3
    assert oct(target.stat().st_mode & 0o777) == "0o600"
    inside = filled.home / "shop-00000001" / "active.jsonl"
    assert filled.workspace.journal("sql", QUERY, "--parquet", str(inside)).code == 2


def test_parquet_of_any_select(filled):
    """The rows of a SELECT with parameters and a comment behind it are written too."""
    target = filled.workspace.top / "rows.parquet"
    words = ("--param", "seq=2", "--parquet", str(target))
    result = filled.workspace.journal(
        "sql", "select ';', seq from events where seq < $seq; --", *words
    )
    assert result.code == 0, result.err
    assert duckdb.sql(f"from '{target}'").fetchall() == [(";", 1)]


def test_values(filled):
    """Every kind of value has a form in JSON and CSV, without rounding."""
    query = ("select 1::hugeint a, 1.5::decimal(9,2) b, 0.1::double c, null d, true e, "
             "date '2026-01-02' f, interval 90 second g, [1,2] h, {'k': 'v'} i, 'x'::blob j, "
             "'nan'::double k, '{\"q\":1}'::json l, map {'m': 1} m, time '10:00:00' n")  # fmt: skip
    (row,) = filled.sql(query)
    assert list(row.values()) == [
        1, 1.5, 0.1, None, True, "2026-01-02", "0:01:30", [1, 2], {"k": "v"}, "78", None,
        {"q": 1}, {"m": 1}, "10:00:00",
    ]  # fmt: skip
    out = filled.workspace.journal("sql", "select 1e9+0.25 a, null b, [1] c", "--csv").out
    assert out == "a,b,c\n1000000000.25,,[1]\n"


CELLS = {
    "'=1+1'": "'=1+1", "'+cmd'": "'+cmd", "'-cmd'": "'-cmd", "'@sum'": "'@sum", "chr(9) || 'x'": "'\tx",
    "'＝1+1'": "'＝1+1",  # noqa: RUF001
    "-5": "-5", "-1.5": "-1.5", "'-5'": "-5", "'+1.5e3'": "+1.5e3", "-1e-9": "-1e-09",
    "'-1+1'": "'-1+1", "'a=1'": "a=1", "' =1'": " =1", "null": '""',
}  # fmt: skip


@pytest.mark.parametrize("value", CELLS)
def test_no_csv_cell_is_a_formula(value, filled):
    """A text that begins a formula gets a quote in front; numbers and other texts do not."""
    out = filled.workspace.journal("sql", f"select {value} x", "--csv").out
    assert out == f"x\n{CELLS[value]}\n"


def test_a_line_break_in_a_cell_begins_no_row(capsys):
    """A carriage return is quoted, so the rest cannot become a row that begins with a formula."""
    print_csv([["a\r=1+1", "b\n=1", "\r=1", None, 1.5], [None]])
    assert capsys.readouterr().out == '"a\r=1+1","b\n=1","\'\r=1",,1.5\n""\n'


def test_no_csv_heading_is_a_formula(filled):
    """A column name is checked like a cell."""
    assert filled.workspace.journal("sql", 'select 1 "=x"', "--csv").out == "'=x\n1\n"


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
@pytest.mark.parametrize("query", ["from turns", "from events", "from sessions", QUERY])
def test_it_fits(query, columns, filled):
    """No line is wider than the terminal, and control characters are escaped."""
    result = filled.workspace.journal("sql", query, COLUMNS=str(columns))
    assert [line for line in result.out.splitlines() if width(line) > columns] == []
    assert "\x1b" not in result.out


def test_a_record_holds_the_whole_value(filled):
    """Where a row is too wide for a table, each value is wrapped below its name, not cut."""
    words = [f"word{number:02d}" for number in range(12)]
    columns = ", ".join(f"'value of {name}' as {name}" for name in "abcdefgh")
    result = filled.workspace.journal(
        "sql", f"select '{' '.join(words)}' as text, {columns}", COLUMNS="40"
    )
    assert result.out.split()[: len(words) + 1] == ["text", *words]
    assert max(map(len, result.out.splitlines())) <= 40


def test_no_rows(filled):
    """The command says that there are no rows; in JSON it is an empty array."""
    assert filled.workspace.journal("sql", "from stages").out == (
        "no rows: journal schema prints the tables, journal import adds past sessions\n"
    )
    assert filled.workspace.journal("sql", "from stages", "--json").out == "[]\n"
    assert filled.workspace.journal("sql", "select 1 a where false", "--csv").out == "a\n"


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


def lines(*given: str):
    """Type lines at a prompt, then end the input."""
    rest = iter(given)

    def read(_prompt: str) -> str:
        line = next(rest, None)
        if line is None:
            raise EOFError
        return line

    return read


def test_prompt(filled, capsys):
    """Statements end in `;`, over lines too; an error ends a statement, not the prompt."""
    scope = Scope({**filled.workspace.env, "COLUMNS": "80"}, cwd=str(filled.workspace.project))
    history = History(str(filled.home))
    read = lines("select nope;", "select 40", " + 2 as n;", ".tables", ".schema usage",
                 ".schema nix", ".what", "copy (select 1) to 'x';", ".quit", "select 9;")  # fmt: skip
    run_prompt(scope, history, {}, "table", read)
    history.close()
    out = capsys.readouterr().out
    assert " n\n42\n" in out
    assert "events, sessions, turns" in out
    assert "cache_read_input_tokens" in out
    assert "unknown table nix" in out
    assert "copy statements are not run here" in out
    assert "9" not in out.splitlines()[-1]
    kept = filled.home / "sql_history"
    assert oct(kept.stat().st_mode & 0o777) == "0o600"


def test_prompt_on_a_terminal(filled):
    """On a terminal without a query there is a prompt, with its history in a 0600 file."""
    leader, follower = pty.openpty()
    ran = subprocess.Popen(
        [sys.executable, "-m", "cli", "sql"], stdin=follower, stdout=follower, stderr=follower,
        cwd=ROOT, env={**os.environ, **filled.workspace.env, "TERM": "dumb"},
    )  # fmt: skip
    os.close(follower)
    os.write(leader, b"select 6*7 as answer;\n.quit\n")
    seen = b""
    try:
        while part := os.read(leader, 4096):
            seen += part
    except OSError:
        pass
    assert ran.wait(30) == 0
    assert b"42" in seen
    kept = filled.home / "sql_history"
    assert "select 6*7" in kept.read_text()
    assert oct(kept.stat().st_mode & 0o777) == "0o600"


def test_duckdb_is_imported_by_a_query_alone(filled):
    """Neither the help nor the schema loads it; a query does."""
    code = (
        "import sys, os; from cli.app import run; c = run(sys.argv[1:]); "
        "print(any('duckdb' in name for name in sys.modules if '.' not in name), file=sys.stderr)"
    )

    def loads(*words: str) -> str:
        env = {**os.environ, **filled.workspace.env}
        ran = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, env=env,
                             capture_output=True, text=True, check=True)  # fmt: skip
        return ran.stderr.strip()

    assert loads("schema", "--json") == "False"
    assert loads("--help") == "False"
    assert loads("sql", "select 1") == "True"


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


def test_a_running_session_has_its_title(journals):
    """Without a summary the title is the first meaningful request."""
    journals.write([
        {"type": "session.started", "source": "startup"},
        {"type": "prompt.submitted", "prompt": "p1", "origin": "human", "text": "hi"},
        {"type": "prompt.submitted", "prompt": "p2", "origin": "human",
         "text": "Round the totals of the cart to cents. Then test it."},
    ])  # fmt: skip
    title = "Round the totals of the cart to cents."
    assert [row["title"] for row in journals.sql("select title from sessions")] == [title]
    journal, where = journals.workspace.journal, ("--project", "shop-00000001", "--json")
    assert json.loads(journal("view", "sessions", *where).out)["sessions"][0]["title"] == title
    listed = json.loads(journal("sessions", *where).out)
    assert [row["title"].rstrip(".") for row in listed] == [title.rstrip(".")]


def test_a_description_is_whole(filled):
    """In 80 columns a column's description goes on in the next line; nothing is cut."""
    shown = filled.workspace.journal("schema", "sessions").out
    assert "…" not in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    for column in TABLES["sessions"].columns:
        assert column.comment.replace(" ", "") in shown.replace(" ", "").replace("\n", "")
