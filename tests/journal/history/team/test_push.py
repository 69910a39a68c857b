"""`journal export --format delta`: rows are added once, also after an interrupted export."""

from __future__ import annotations

import shutil

import pytest

from journal.history.export.columns import TIMES
from tests.journal.history.export.conftest import EVENTS
from tests.journal.history.team.conftest import MORE, same

pytestmark = pytest.mark.team


def test_the_same_numbers(team):
    """Each table has as many rows as `journal sql`; a table without rows exists too."""
    team.journals.write(EVENTS, "shop-00000001")
    team.journals.write(EVENTS[:4], "till-00000002")
    done = team.export()
    assert done["rows"]["events"] == 15
    same(team)
    assert team.rows("stages") == []
    assert (team.there / "stages" / "_delta_log").is_dir()
    assert team.rows("usage", "sum(input_tokens)") == [(5,)]
    assert team.rows("tools", "distinct month")[0] == ("2026-11",)


def test_a_second_export_adds_nothing(team):
    """Without new events a second export adds no row and no commit; new events add only their rows."""
    team.journals.write(EVENTS, "shop-00000001")
    team.export()
    before = sorted(team.there.rglob("*"))
    assert team.export()["rows"] == {}
    assert sorted(team.there.rglob("*")) == before
    team.journals.write(MORE, "shop-00000001")
    done = team.export()
    assert (done["rows"]["events"], done["rows"]["tools"]) == (2, 1)
    assert done["rows"]["sessions"] == 1
    same(team)
    assert team.one("sessions", counted=False) == 2


@pytest.mark.long
def test_a_home_that_forgot_what_it_exported(team):
    """A home without its cache reads from the tables how far it has exported."""
    team.journals.write(EVENTS, "shop-00000001")
    team.export()
    shutil.rmtree(team.journals.home / "cache")
    assert team.export()["rows"] == {}
    shutil.rmtree(team.journals.home / "cache")
    team.journals.write(MORE, "shop-00000001")
    assert team.export()["rows"]["events"] == 2
    same(team)


@pytest.mark.long
def test_a_log_restored_from_a_backup(team):
    """Rows of a restored log are replaced under a new epoch, without lost or doubled rows."""
    team.journals.write(EVENTS, "till-00000002")
    team.journals.write(MORE, "shop-00000001")
    team.export()
    other = [*EVENTS[:3], {"type": "tool.failed", "tool": "Bash", "error": "no"}]
    team.journals.write(other, "shop-00000001")
    done = team.export(code=1)  # the log is shorter than before, and no repair has settled that yet
    assert done["replaced"] == ["shop-00000001"]
    same(team, code=1)
    assert sorted(team.rows("tools", "distinct project, epoch")) == [
        ("shop-00000001", 2), ("till-00000002", 1)]  # fmt: skip
    assert team.export(code=1)["rows"] == {}


def cut_short(team, monkeypatch, before: str) -> None:
    """Export, and be killed before the rows of a table are added."""
    from journal.history.team import store

    real = store.Store.append

    def until(self, table, rows, marks):
        if table == before:
            raise KeyboardInterrupt
        real(self, table, rows, marks)

    with monkeypatch.context() as patched:
        patched.setattr(store.Store, "append", until)
        team.journals.workspace.journal("export", "--to", str(team.there), "--format", "delta")


@pytest.mark.long
def test_an_export_killed_between_two_tables(team, monkeypatch):
    """Tables that were complete before the kill get no row twice."""
    team.journals.write(EVENTS, "shop-00000001")
    cut_short(team, monkeypatch, "usage")
    assert (team.one("tools"), team.one("events")) == (2, 0)
    team.journals.write(MORE, "shop-00000001")
    done = team.export()
    assert (done["rows"]["tools"], done["rows"]["events"]) == (1, 12)
    same(team)
    assert team.one("tools", counted=False) == 3


def test_a_project_is_exported_after_another_was_cut_short(team, monkeypatch):
    """What is known of a cut export is known per log: another project's export changes nothing."""
    team.journals.write(EVENTS, "shop-00000001")
    team.journals.write(EVENTS, "till-00000001")
    team.export()
    team.journals.write(MORE, "shop-00000001")
    cut_short(team, monkeypatch, "events")
    team.journals.write(MORE, "till-00000001")
    team.export("--project", "till-00000001")
    team.export()
    same(team)
    assert team.one("tools", counted=False) == 6


@pytest.mark.parametrize("first", [True, False])
def test_records_altered_after_a_cut_export(team, monkeypatch, first):
    """What a killed export added is replaced if a repair or redaction changed its records since."""
    later = [{"type": "tool.finished", "tool": name} for name in ("Glob", "Read")]
    if not first:
        team.journals.write(EVENTS, "shop-00000001")
        team.export()
    team.journals.write([*EVENTS, *later], "shop-00000001")
    cut_short(team, monkeypatch, "events")
    assert team.one("tools", "count(*) filter (tool = 'Glob')") == 1
    team.journals.write([*EVENTS, {**later[0], "tool": "Grep"}, later[1]], "shop-00000001")
    assert team.export()["replaced"] == ["shop-00000001"]
    same(team)
    assert team.one("tools", "count(*) filter (tool = 'Glob')", counted=False) == 0


def test_one_export_of_a_home_at_a_time(team):
    """While a home exports, another export of it is refused, since both would add the same rows."""
    from journal.history.locks import export_lock

    team.journals.write(EVENTS, "shop-00000001")
    with export_lock(str(team.journals.home)):
        assert "another export" in team.export(code=3)
    team.export()
    same(team)


def test_dry_run(team):
    """--dry-run lists what would be exported and writes nothing."""
    team.journals.write(EVENTS, "shop-00000001")
    planned = team.export("--dry-run")
    assert (planned["rows"]["events"], "repo" in planned["columns"]["tools"]) == (10, True)
    assert not team.there.exists()
    assert team.export()["rows"] == planned["rows"]


@pytest.mark.long
def test_killed_and_its_memory_lost(team, monkeypatch):
    """Without cache and without `events` each table itself says how far it is."""
    import shutil

    test_an_export_killed_between_two_tables(team, monkeypatch)
    shutil.rmtree(team.journals.home / "cache")
    shutil.rmtree(team.there / "events")
    team.export()
    same(team)
    assert team.one("tools", counted=False) == 3


@pytest.mark.long
def test_records_altered_before_the_end(team):
    """A repair or redaction of exported records replaces the project's rows."""
    team.journals.write([{"type": "tool.finished", "tool": "Edit"}, *EVENTS], "shop-00000001")
    team.export()
    team.journals.write([{"type": "tool.finished", "tool": "Read"}, *EVENTS], "shop-00000001")
    assert team.export()["replaced"] == ["shop-00000001"]
    same(team)
    assert team.one("tools", "count(*) filter (tool = 'Read')") == 1


@pytest.mark.long
def test_an_import_that_comes_after_the_export(team):
    """Facts in both logs are one row, also if the import comes after the export; `events` has both."""
    calls = [event | {"use": f"toolu_{n}", "prompt": f"p{n}"} for n, event in enumerate(EVENTS)]
    team.journals.write(calls, "shop-00000001")
    team.export()
    team.journals.write(calls, "shop-00000001", "imported")
    team.export()
    tables = [table for table in TIMES if table != "events"]
    assert {table: team.one(table) for table in tables} == team.journals.counts(tables)
    assert team.rows("events", "count(*) filter (imported), count(*) filter (not imported)") == [
        (9, 10)
    ]
