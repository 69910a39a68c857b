"""Commits to the tables while others commit, and what the store is told."""

from __future__ import annotations

import pytest

from journal.errors import JournalError
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


@pytest.mark.parametrize("name", ["a[1]", "a|b", "a^b", "a\\b", "a%20b", "a\nb"])
def test_a_directory_that_the_library_cannot_read_is_refused(name, tmp_path):
    """A path that the library would take for another one, or panic at, is an error that names it."""
    with pytest.raises(JournalError, match="cannot be read"):
        Store(str(tmp_path / name), str(tmp_path), {})


@pytest.mark.parametrize("name", ["a b", "a#b", "a?b", "50%", "a'b", "{a}", "日本", "a:b"])
def test_any_other_directory_can_be_read(name, tmp_path):
    """Tables in a directory with spaces, signs or letters of any language are made and queried."""
    pytest.importorskip("deltalake")
    store = Store(str(tmp_path / name), str(tmp_path), {})
    store.create()
    assert store.rows("forgotten", "select * from forgotten") == []
    assert (tmp_path / name / "forgotten" / "_delta_log").is_dir()


def test_a_panic_of_the_library_is_an_error(tmp_path):
    """What the library panics at is reported, like its errors; an interrupt stays one."""

    class PanicException(BaseException):
        pass

    store = Store(str(tmp_path), str(tmp_path), {})
    with pytest.raises(JournalError, match="cannot be read"), store.faults():
        raise PanicException("invalid URL")
    with pytest.raises(KeyboardInterrupt), store.faults():
        raise KeyboardInterrupt
