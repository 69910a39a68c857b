"""How a query is given, how its rows are printed, and how errors are reported."""

from __future__ import annotations

import json
import os
from functools import partial

import duckdb
import pytest
from markdown_it import MarkdownIt

from cli.render.text import print_csv
from journal.text import width
from tests.cli.sql.conftest import QUERY

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


def test_markdown_of_a_record_takes_no_effect(filled):
    """No text, and no name of a column, makes a picture, a tag, a link or another cell of the table."""
    texts = ["<img src=x>", "![a](http://x/y)", "a | b", "c \\\\| d", "[e](http://x)"]
    words = ('select unnest($t::json::varchar[]) as "<b>"', "--param", f"t={json.dumps(texts)}")
    out = filled.workspace.journal("sql", *words, "--markdown").out
    tokens = MarkdownIt("commonmark").enable("table").parse(out)
    cells = [token for token in tokens if token.type == "inline"]
    assert {child.type for cell in cells for child in cell.children} <= {"text", "text_special"}
    assert ["".join(child.content for child in cell.children) for cell in cells] == ["<b>", *texts]


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


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, partial(os.symlink, "nowhere")])
def test_parquet_replaces_only_a_file(filled, make):
    """A device, pipe, folder or broken link stays: root would replace /dev/null for all."""
    target = filled.workspace.top / "rows.parquet"
    make(target)
    before = target.lstat()
    result = filled.workspace.journal("sql", QUERY, "--parquet", str(target))
    assert (result.code, target.lstat()) == (3, before)
    assert "is not a regular file" in result.err
    assert not list(target.parent.glob("*.part"))


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


def test_columns_of_one_name(filled):
    """JSON has every column, also where the query gives two of them the same name."""
    assert filled.sql("select 1 n, 2 n, 3 n_1, 4 n") == [{"n": 1, "n_1": 2, "n_1_1": 3, "n_2": 4}]


CELLS = {
    "'=1+1'": "'=1+1", "'+cmd'": "'+cmd", "'-cmd'": "'-cmd", "'@sum'": "'@sum", "chr(9) || 'x'": "'\tx",
    "'＝1+1'": "'＝1+1",  # noqa: RUF001
    "-5": "-5", "-1.5": "-1.5", "'-5'": "-5", "'+1.5e3'": "+1.5e3", "-1e-9": "-1e-09",
    "'-1+1'": "'-1+1", "'a=1'": "a=1", "' =1'": " =1", "null": "",
}  # fmt: skip


def test_no_csv_cell_is_a_formula(filled):
    """A text that begins a formula gets a quote in front; numbers and other texts do not."""
    names = [f"c{number}" for number in range(len(CELLS))]
    query = ", ".join(f"{value} {name}" for value, name in zip(CELLS, names, strict=True))
    out = filled.workspace.journal("sql", f"select {query}", "--csv").out
    heading, cells = out.splitlines()
    assert heading.split(",") == names
    assert dict(zip(CELLS, cells.split(","), strict=True)) == CELLS


def test_a_line_break_in_a_cell_begins_no_row(capsys):
    """A carriage return is quoted, so the rest cannot become a row that begins with a formula."""
    print_csv([["a\r=1+1", "b\n=1", "\r=1", None, 1.5], [None]])
    assert capsys.readouterr().out == '"a\r=1+1","b\n=1","\'\r=1",,1.5\n""\n'


def test_no_csv_heading_is_a_formula(filled):
    """A column name is checked like a cell."""
    assert filled.workspace.journal("sql", 'select 1 "=x"', "--csv").out == "'=x\n1\n"


@pytest.mark.parametrize(
    "columns", [20, *(pytest.param(x, marks=pytest.mark.long) for x in (40, 80, 200))]
)
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
