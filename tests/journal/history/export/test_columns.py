"""Which columns leave the machine at each level of redaction."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import duckdb
import pytest

from journal.history.export import columns as columns_module
from journal.history.export.columns import LEVELS, TIMES
from journal.history.tables.schema import TABLES
from tests.cli.conftest import Workspace
from tests.journal.history.export.conftest import EVENTS, export, rows
from tests.support.journals import Journals

GOLDEN = Path(__file__).parent / "golden" / "export-schema.json"
SECRET = ("Fix the parser", "/home/ann/shop/src/cart.py", "src/till.py", "Round once", "go on, Ann",
          "topsecret", "it broke")  # fmt: skip


def columns_of(table: str) -> list[list[str]]:
    """Return the columns of a file; project and month are in its path, and JSON is text."""
    columns = [column for column in TABLES[table].columns if column.name != "project"]
    own = [[column.name, column.type.replace("JSON", "VARCHAR")] for column in columns]
    return [*own, ["author", "VARCHAR"], ["host", "VARCHAR"]]


@pytest.fixture(scope="module")
def of_level(tmp_path_factory, built):
    """Return a function that exports a journal once at each level."""

    @cache
    def exported_at(level):
        if level == "full":
            return built.restore()
        workspace = Workspace(str(tmp_path_factory.mktemp(level)))
        workspace.home.mkdir(mode=0o700)
        there = Journals(workspace)
        there.write(EVENTS)
        there.there = workspace.top / "lake"
        export(there, "--redact", level, "--author", "ann", "--host", "h1")
        return there

    return exported_at


@pytest.mark.parametrize(
    "level",
    [pytest.param(level, marks=pytest.mark.long if level == "full" else ()) for level in LEVELS],
)
def test_the_schema_is_stable(level, of_level):
    """Files of every level have the columns of the golden file, including author and host."""
    found = {}
    for table in TIMES:
        paths = sorted((of_level(level).there / table).rglob("*.parquet"))
        for path in paths:
            described = duckdb.sql(f"describe select * from read_parquet('{path}', "
                                   "hive_partitioning=false)").fetchall()  # fmt: skip
            found[table] = [[row[0], row[1]] for row in described]
    golden = {table: columns_of(table) for table in TIMES}
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(json.dumps(golden, indent=1) + "\n")
    assert golden == json.loads(GOLDEN.read_text())
    assert found == {table: golden[table] for table in found}
    assert {"events", "sessions", "tools", "compactions", "usage"} <= set(found)


def text_of(there) -> str:
    """Return all exported rows as text."""
    return "\n".join(str(rows(there, table)) for table in TIMES if (there.there / table).is_dir())


def test_by_default_no_text_leaves(exported):
    """full: no text and no path is exported; figures and names of tools and models are."""
    told = text_of(exported)
    assert [word for word in SECRET if word in told] == []
    assert "'Edit'" in told
    assert rows(exported, "tools", "sum(ms)") == [(24,)]


def test_paths_lose_their_folders(of_level):
    """paths: texts are exported, but folders are removed from paths, also within texts."""
    told = text_of(of_level("paths"))
    assert "/home/ann" not in told
    assert "src/" not in told
    assert "…/cart.py" in told
    assert "it broke in …/till.py" in told
    assert "Round once" in told


def test_none_is_as_in_the_journal(of_level):
    """none: texts, paths and whole records are exported."""
    told = text_of(of_level("none"))
    assert [word for word in SECRET if word not in told] == []
    assert '"crc"' in told


@pytest.mark.usefixtures("tools_only")
def test_author_and_host_are_off_by_default(exported):
    """Author and host are always columns, and empty unless they were requested."""
    assert rows(exported, "tools", "distinct author, host") == [(None, None)]
    done = export(exported, "--author", "ann's", "--host", "h1")
    assert done["kept"] == 0
    assert rows(exported, "tools", "distinct author, host") == [("ann's", "h1")]


def test_every_table_is_exported():
    """Every table is exported, each by the month of a time column it has."""
    assert list(TIMES) == list(TABLES)
    for table, time in TIMES.items():
        assert [c.type for c in TABLES[table].columns if c.name == time] == ["TIMESTAMP"]


def test_the_manual_names_each_column_that_is_left_out():
    """docs/team.md lists the omitted text columns as the code does, and no text column is missing."""
    page = (Path(__file__).parents[4] / "docs" / "team.md").read_text(encoding="utf-8")
    for table, columns in columns_module._TEXTS.items():
        assert f"| `{table}` | {', '.join(f'`{name}`' for name in columns)} |" in page
    names = {"text", "title", "branch", "cwd", "target", "subject", "error", "record", "reason"}
    kept = {("sessions", "reason")}  # the reason it ended is one of Claude Code's own words
    for table, found in TABLES.items():
        texts = {column.name for column in found.columns} & names
        left = texts - set(columns_module._TEXTS.get(table, ()))
        assert {(table, name) for name in left} <= kept
