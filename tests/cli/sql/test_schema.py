"""The command that describes the tables."""

from __future__ import annotations

import json

from cli.commands.read import sql
from journal.history.tables.schema import TABLES


def test_schema(journals):
    """`journal schema` prints all tables or one, as text, JSON or Markdown; an unknown name exits 2."""
    journal = journals.workspace.journal
    assert journal("schema").out.count("\n\n") == len(TABLES) - 1
    data = json.loads(journal("schema", "usage", "--json").out)
    assert [column["name"] for column in data[0]["columns"]][:4] == [
        "project",
        "session",
        "ts",
        "model",
    ]
    assert journal("schema", "usage", "--markdown").out.startswith("## usage\n")
    wrong = journal("schema", "usages")
    assert (wrong.code, "did you mean usage?" in wrong.err) == (2, True)


def test_the_help_of_sql_names_each_table():
    """The help of `journal sql` names every table, in the order of `journal schema`."""
    assert f"Tables: {', '.join(TABLES)};" in " ".join((sql.__doc__ or "").split())


def test_a_description_is_whole(filled):
    """A column's description goes on in the next line, word by word; nothing is cut."""
    for columns in (80, 40):
        shown = filled.workspace.journal("schema", "usage", COLUMNS=str(columns)).out
        assert all(len(line) <= columns for line in shown.splitlines())
        for column in TABLES["usage"].columns:
            assert column.comment in " ".join(shown.split())
