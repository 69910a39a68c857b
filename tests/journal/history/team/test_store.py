"""Commits to the tables while others commit, and what the store is told."""

from __future__ import annotations

import pytest

from journal.history.team.store import Store
from tests.journal.history.export.conftest import EVENTS
from tests.journal.history.team.conftest import MORE, same

pytestmark = pytest.mark.team


def test_a_replacement_is_not_disturbed_for_good(team, monkeypatch):
    """Rows that others add while a project's rows are replaced only make the commit start again."""
    from journal.history.team import store

    team.journals.write(MORE, "shop-00000001")
    team.export()
    real = store.Store.must_open
    disturbed: list[str] = []

    def must_open(there, table):
        opened = real(there, table)
        if table == "events" and len(disturbed) < 3:
            disturbed.append(table)
            columns = ", ".join(
                "'another' as origin_id" if name == "origin_id" else f'"{name}"'
                for name, _kind in store.team_columns(table)
            )
            rows = there.stream(table, f"select {columns} from {table} limit 1", opened)
            there._write(table, rows, {}, real(there, table), mode="append")
        return opened

    monkeypatch.setattr(store.Store, "must_open", must_open)
    monkeypatch.setattr(store.time, "sleep", lambda _seconds: None)
    team.journals.write([*EVENTS[:3], {"type": "tool.failed", "tool": "Bash"}], "shop-00000001")
    assert team.export(code=1)["replaced"] == ["shop-00000001"]
    where = "count(*) filter (origin_id <> 'another'), count(*) filter (origin_id = 'another')"
    assert team.rows("events", where) == [(5, 3)]


def test_a_version_that_adds_a_column_meanwhile(team, monkeypatch):
    """An export that meets another version's new column is told to export again, and then adds all."""
    from journal.history.team import store

    real = store.Store.append

    def append(there, table, rows, marks):
        if table == "tools":
            text = "Failed to commit transaction: Metadata changed since last commit."
            with there.faults():
                raise RuntimeError(text)
        real(there, table, rows, marks)

    team.journals.write(EVENTS, "shop-00000001")
    with monkeypatch.context() as patched:
        patched.setattr(store.Store, "append", append)
        assert "others committed at the same time" in team.export(code=3)
    team.export()
    same(team)


def test_what_a_bucket_is_told():
    """Settings of the clouds are passed on, a default region stands for one, http needs a word."""
    env = {
        "AWS_DEFAULT_REGION": "eu-1", "AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AZURE_X": "1",
        "HOME": "/home/ann",
    }  # fmt: skip
    given = Store("s3://team/x/", "/", env)._options
    assert (given["AWS_REGION"], given["AWS_ALLOW_HTTP"], given["AZURE_X"]) == ("eu-1", "true", "1")
    assert "HOME" not in given
    plain = Store("s3://team/x/", "/", {"AWS_ENDPOINT_URL": "https://there"})
    assert "AWS_ALLOW_HTTP" not in plain._options
    assert plain.location == "s3://team/x"


@pytest.mark.parametrize(
    ("where", "location"),
    [("lake", "/work/lake"), ("/lake/", "/lake"), ("file:///lake", "/lake"), ("./a", "/work/./a")],
)
def test_a_directory_is_named_from_where_the_person_is(where, location):
    """A path is relative to the working directory and needs no settings of a cloud."""
    store = Store(where, "/work", {"AWS_REGION": "eu-1"})
    assert (store.location, store.local, store._options) == (location, True, {})
