"""`journal export`: which files are written or rewritten, and which data leaves the machine."""

from __future__ import annotations

import json
import os
from pathlib import Path

import duckdb
import pytest

from journal.history.export import columns as columns_module
from journal.history.export.columns import LEVELS, TIMES
from journal.history.export.run import _earlier_origin
from journal.history.tables.schema import TABLES
from journal.installation import extra_command
from tests.cli.conftest import Workspace
from tests.support.copied import copied
from tests.support.journals import Journals

GOLDEN = Path(__file__).parent / "golden" / "export-schema.json"
SECRET = ("Fix the parser", "/home/ann/shop/src/cart.py", "src/till.py", "Round once", "go on, Ann",
          "topsecret", "it broke")  # fmt: skip
EVENTS = [
    {"type": "session.started", "source": "startup", "title": "Fix the parser", "cwd": "/home/ann/x"},
    {"type": "prompt.submitted", "text": "go on, Ann, see src/till.py", "origin": "human", "size": 9},
    {"type": "tool.finished", "tool": "Edit", "target": "/home/ann/shop/src/cart.py",
     "changed": True, "ms": 12, "branch": "topsecret"},
    {"type": "tool.failed", "tool": "Bash", "target": "make", "error": "it broke in src/till.py"},
    {"type": "decision.recorded", "text": "Round once"},
    {"type": "compact.started", "trigger": "auto", "tokens": 9},
    {"type": "compact.finished", "summary": "Nothing.", "size": 8},
    {"type": "usage.recorded", "message": "m1", "model": "m", "input_tokens": 5},
    {"type": "turn.ended", "ts": "2026-12-01T00:00:00.000Z"},
]  # fmt: skip


def filled(journals):
    """Return a workspace with two journals and a folder to export to."""
    journals.write(EVENTS, "shop-00000001")
    journals.write(EVENTS[:4], "till-00000002")
    journals.there = journals.workspace.top / "lake"
    return journals


@pytest.fixture
def there(journals):
    """Return a workspace with two journals and a folder to export to."""
    return filled(journals)


def export(there, *words: str, code: int = 0):
    """Run an export; return its JSON output."""
    result = there.workspace.journal("export", "--to", str(there.there), "--json", *words)
    assert result.code == code, result.err
    return json.loads(result.out)


@pytest.fixture(scope="module")
def built():
    """Export the two journals once."""
    yield from copied(_exported)


def _exported(top):
    workspace = Workspace(str(top))
    workspace.home.mkdir(mode=0o700)
    there = filled(Journals(workspace))
    there.first = export(there)
    return there


@pytest.fixture
def exported(built):
    """Return `there` after an export, whose output is `first`."""
    return built.restore()


def files(there) -> dict[str, bytes]:
    """Return the bytes of every Parquet file by its path."""
    top = there.there
    return {str(p.relative_to(top)): p.read_bytes() for p in sorted(top.rglob("*.parquet"))}


def rows(there, table: str, what: str = "*"):
    """Query the exported files, as any engine would."""
    source = f"read_parquet('{there.there}/{table}/**/*.parquet', hive_partitioning=true)"
    return duckdb.sql(f"select {what} from {source}").fetchall()


def test_the_same_numbers(exported):
    """Each table has as many rows in the export as in SQL, under its project and month."""
    for table, here in exported.counts(TIMES).items():
        if here:
            assert rows(exported, table, "count(*)") == [(here,)], table
    months = set(rows(exported, "events", "distinct project, month"))
    assert ("shop-00000001", "2026-12") in months
    assert rows(exported, "usage", "sum(input_tokens)") == [(5,)]


def test_nothing_is_written_twice(exported):
    """A second export writes no file; after new events only the files of their month are written."""
    first = exported.first
    before = files(exported)
    again = export(exported)
    assert (again["written"], again["kept"]) == ([], len(first["written"]))
    exported.write(
        [*EVENTS[:4], {"type": "turn.ended", "ts": "2027-01-05T00:00:00.000Z"}], "till-00000002"
    )
    more = export(exported)
    assert all("project=till-00000002" in name for name in more["written"])
    assert any("events/project=till-00000002/month=2027-01" in name for name in more["written"])
    after = files(exported)
    assert {name for name in before if before[name] != after[name]} <= set(more["written"])
    assert "events/project=till-00000002/month=2026-11/" not in str(more["written"])


def test_a_lost_file_is_written_again(exported):
    """A removed file is written again; a file that is not ours stays."""
    names = sorted(files(exported))
    (exported.there / names[0]).unlink()
    other = exported.there / os.path.dirname(names[1]) / "part-somebody.parquet"
    other.write_bytes(b"theirs")
    assert export(exported)["written"] == [names[0]]
    assert other.read_bytes() == b"theirs"


def test_rows_that_went_are_gone(exported):
    """A month that no longer has rows loses its file."""
    exported.write(EVENTS[:-1], "shop-00000001")
    done = export(exported, code=1)  # the log has lost its end
    assert [name for name in done["removed"] if "month=2026-12" in name]
    assert not [name for name in files(exported) if "month=2026-12" in name]


def test_dry_run(there):
    """--dry-run reports the same files and writes none."""
    planned = export(there, "--dry-run")
    assert planned["written"]
    assert not there.there.exists()
    assert export(there)["written"] == planned["written"]


def columns_of(table: str) -> list[list[str]]:
    """Return the columns of a file; project and month are in its path, and JSON is text."""
    columns = [column for column in TABLES[table].columns if column.name != "project"]
    own = [[column.name, column.type.replace("JSON", "VARCHAR")] for column in columns]
    return [*own, ["author", "VARCHAR"], ["host", "VARCHAR"]]


@pytest.mark.parametrize("level", LEVELS)
def test_the_schema_is_stable(level, there):
    """Files of every level have the columns of the golden file, including author and host."""
    words = () if level == "full" else ("--author", "ann", "--host", "h1")
    export(there, "--redact", level, *words)
    found = {}
    for table in TIMES:
        paths = sorted((there.there / table).rglob("*.parquet"))
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


def test_paths_lose_their_folders(there):
    """paths: texts are exported, but folders are removed from paths, also within texts."""
    export(there, "--redact", "paths")
    told = text_of(there)
    assert "/home/ann" not in told
    assert "src/" not in told
    assert "…/cart.py" in told
    assert "it broke in …/till.py" in told
    assert "Round once" in told


def test_none_is_as_in_the_journal(there):
    """none: texts, paths and whole records are exported."""
    export(there, "--redact", "none")
    told = text_of(there)
    assert [word for word in SECRET if word not in told] == []
    assert '"crc"' in told


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


def test_faults(there):
    """A bad target exits 2 inside the journal home or for an unknown project, otherwise 3."""
    journal = there.workspace.journal
    assert journal("export", "--to", str(there.home / "x")).code == 2
    (there.workspace.top / "file").write_text("")
    assert journal("export", "--to", str(there.workspace.top / "file")).code == 3
    unknown = journal("export", "--to", "nope://bucket/x", "--format", "parquet")
    assert unknown.code == 3
    assert f" {extra_command('export-s3')}\n" in unknown.err
    assert journal("export", "--to", "x", "--redact", "some").code == 2
    assert journal("export", "--to", "x", "--project", "none-there").code == 2
    (there.workspace.top / "empty").mkdir()
    assert journal("export", "--to", "x", "--project", str(there.workspace.top / "empty")).code == 3


def test_a_rotten_manifest(exported):
    """A manifest that cannot be parsed is an error, and nothing is overwritten."""
    (manifest,) = (exported.there / "_manifest").glob("*.json")
    manifest.write_text("{")
    result = exported.workspace.journal("export", "--to", str(exported.there))
    assert (result.code, "is not the manifest" in result.err) == (3, True)


def test_lines_that_are_no_rows_are_said(there):
    """A corrupt line is counted in the output, and the exit code is 1."""
    with (there.home / "shop-00000001" / "active.jsonl").open("ab") as file:
        file.write(b"\0\n")
    assert export(there, code=1)["lines_excluded"] == 1


def test_rows_say_whose_they_are(there):
    """Origin and person are random ids, the repository is its remote's name; SQL has the same."""
    (there.home / "shop-00000001" / "repo").write_text("github.com/shop/cart\n")
    export(there)
    found = rows(there, "tools", "distinct origin_id, person, repo, epoch")
    ((origin, person, repo, epoch),) = [row for row in found if row[2]]
    assert (len(origin), len(person), repo, epoch) == (16, 16, "github.com/shop/cart", 1)
    here = "select distinct origin_id, person, repo, epoch from tools where repo is not null"
    assert [tuple(row.values()) for row in there.sql(here)] == [(origin, person, repo, epoch)]
    there.workspace.journal("config", "set", "export.person", "ann@example.com")
    export(there)
    assert rows(there, "tools", "distinct person") == [("ann@example.com",)]


def test_a_renamed_host_exports_nothing_again(exported, monkeypatch):
    """Files are named by the journal's own id, so renaming the host exports nothing again."""
    before = files(exported)
    renamed = os.uname_result(("Linux", "another-host", "6", "1", "x"))
    monkeypatch.setattr(os, "uname", lambda: renamed)
    assert export(exported)["written"] == []
    assert files(exported) == before


def test_files_of_the_earlier_form_are_replaced(exported):
    """Files of version 0.1.0, named by the host, are removed once their rows are in new files."""
    count = rows(exported, "tools", "count(*)")
    (manifest,) = (exported.there / "_manifest").glob("*.json")
    name = _earlier_origin(str(exported.home))
    text = (
        manifest.read_text()
        .replace(manifest.stem, name)
        .replace(f'"version": {columns_module.VERSION}', '"version": 1')
    )
    (exported.there / "_manifest" / f"{name}.json").write_text(text)
    for path in list(exported.there.rglob("part-*.parquet")):
        path.with_name(f"part-{name}.parquet").write_bytes(path.read_bytes())
    assert rows(exported, "tools", "count(*)") != count
    export(exported)
    assert rows(exported, "tools", "count(*)") == count
    assert [path.stem for path in (exported.there / "_manifest").iterdir()] == [manifest.stem]


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
