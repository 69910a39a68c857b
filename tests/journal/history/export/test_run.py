"""`journal export`: which files are written or rewritten, and which data leaves the machine."""

from __future__ import annotations

import os

import pytest

from journal.history.export import columns as columns_module
from journal.history.export.columns import TIMES
from journal.history.export.run import _earlier_origin
from tests.journal.history.export.conftest import EVENTS, export, files, rows


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


def test_a_rotten_manifest(exported):
    """A manifest that cannot be parsed is an error, and nothing is overwritten."""
    (manifest,) = (exported.there / "_manifest").glob("*.json")
    manifest.write_text("{")
    result = exported.workspace.journal("export", "--to", str(exported.there))
    assert (result.code, "is not the manifest" in result.err) == (3, True)


@pytest.mark.usefixtures("tools_only")
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
