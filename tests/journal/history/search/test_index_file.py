"""The file of the index: made, damaged, outdated, and where it cannot be written."""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import sqlite3
import stat
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest

from journal.history.search import database, index_file, update
from journal.history.search.index import Index
from journal.history.search.ranking import Filter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.journal.history.search.conftest import Home


SHOP = "shop-00000001"


def test_the_file_is_private_and_can_go(home: Home) -> None:
    """The index has mode 0600 in a 0700 folder; if it is deleted, it is built again."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    path = home.top / "cache" / "sessions.sqlite"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.unlink()
    assert home.found("apple") == ["one"]
    home.index.close()
    assert [item.name for item in path.parent.iterdir()] == ["sessions.sqlite"]


def _noise(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(300_000))


def _half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(12_288, len(data), 64):
        data[at] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [_noise, _half, _middle])
@pytest.mark.parametrize("more", [False, True], ids=["nothing-new", "something-new"])
def test_a_damaged_index_is_made_anew(
    home: Home, damage: Callable[[Path], None], more: bool
) -> None:
    """With a damaged index the search still answers, and says on stderr that it was built again."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    home.index.close()
    damage(home.top / "cache" / "sessions.sqlite")
    if more:
        home.session("two", "banana")
    assert home.found("apple") == ["one"]
    assert "Rebuilding the search index" in "".join(home.reports)


@pytest.mark.parametrize("asked", ["sessions", "live", "waiting"])
def test_a_damaged_row_is_made_anew(home: Home, asked: str) -> None:
    """A row whose digest cannot be read costs no list: the index is built again."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    with home.index.database.writing() as connection:
        connection.execute("update sessions set live = x'00'")
    index = home.index
    lists = {
        "sessions": index.sessions,
        "live": lambda: index.live(SHOP),
        "waiting": lambda: index.waiting(SHOP),
    }
    lists[asked]()
    assert "Rebuilding the search index: a session in it cannot be read." in home.reports


@pytest.mark.parametrize("damage", [_noise, _half, _middle])
def test_a_reader_does_without_a_damaged_index(home: Home, damage: Callable[[Path], None]) -> None:
    """Who may not write finds everything despite a damaged index, and leaves it as it is."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    home.index.close()
    path = home.top / "cache" / "sessions.sqlite"
    damage(path)
    before = path.read_bytes()
    home.index = Index(str(home.top), env={}, progress=home.reports.append, stores=False)
    assert home.found("apple") == ["one"]
    assert [past.digest.sid for past in home.index.sessions()] == ["one"]
    assert path.read_bytes() == before
    assert "Rebuilding the search index" in "".join(home.reports)


def test_an_index_of_another_build(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index with other tables is built again, and that is reported once."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    home.index.close()
    monkeypatch.setattr(database, "CODE", "another")
    assert home.found("apple") == ["one"]
    assert home.found("apple") == ["one"]
    assert "".join(home.reports).count("another version") == 1


def test_no_journal_no_file(tmp_path: Path) -> None:
    """Without a journal nothing is found and no file is created."""
    index = Index(str(tmp_path / "none"), env={})
    assert index.update() == 0
    assert index.search("apple") == []
    assert index.sessions() == []
    assert index.find("x") == []
    assert not os.path.lexists(tmp_path / "none")


def test_only_the_named_projects_are_brought_up_to_date(home: Home) -> None:
    """Only the named projects are updated; the others stay as they are."""
    home.session("a", "apple", project="a-00000001")
    home.session("b", "apple", project="b-00000002")
    home.index.update()
    home.session("a2", "apple", project="a-00000001")
    home.session("b2", "apple", project="b-00000002")
    assert home.index.update(["a-00000001"]) == 1
    assert sorted(hit.digest.sid for hit in home.index.search("apple")) == ["a", "a2", "b"]
    shutil.rmtree(home.top / "a-00000001")
    assert home.index.update(["b-00000002"]) == 1
    assert len(home.index.search("apple")) == 4
    home.index.update()
    assert sorted(hit.digest.sid for hit in home.index.search("apple")) == ["b", "b2"]


def _worded(home: Home) -> list[tuple[str, int]]:
    connection = home.index.database.open()
    assert connection is not None
    sql = """select sid, (select count(*) from words w where w.rowid = s.doc) from sessions s
        order by sid"""
    return connection.execute(sql).fetchall()


def test_words_come_with_the_first_search(home: Home) -> None:
    """A list needs no words: a search adds them, also those of sessions that changed since."""
    home.session("a", "apple")
    home.session("b", "banana")
    home.index.update()
    assert _worded(home) == [("a", 0), ("b", 0)]
    assert home.found("apple") == ["a"]
    assert _worded(home) == [("a", 1), ("b", 1)]
    home.session("b", "cherry")
    home.index.update()
    assert _worded(home) == [("a", 1), ("b", 0)]
    assert home.found("cherry") == home.found("banana") == ["b"]


def test_the_background_adds_the_words(home: Home) -> None:
    """What the background handler reads can be searched without further work."""
    home.session("a", "apple")
    home.index.update()
    home.session("b", "banana")
    assert home.index.read_on(SHOP, 1 << 30)
    assert _worded(home) == [("a", 1), ("b", 1)]


def test_words_that_cannot_be_stored(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that cannot add words reads every session instead."""
    home.session("a", "apple")
    assert home.found("apple") == ["a"]
    home.session("b", "apple")
    home.index.update()

    def full(_: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(index_file, "add_words", full)
    assert sorted(home.found("apple")) == ["a", "b"]


def test_with_fts5_again_the_index_is_built_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index made without FTS5 is built again as soon as SQLite has it."""
    with monkeypatch.context() as patch:
        patch.setattr(database, "has_fts5", lambda: False)
        home.session("one", "apple")
        assert home.found("apple") == ["one"]
        home.index.close()
    home.reports.clear()
    assert home.found("apple") == ["one"]
    assert "no FTS5" not in "".join(home.reports)


@pytest.mark.parametrize("error", [sqlite3.OperationalError("database or disk is full"),
                                   OSError(errno.ENOSPC, "No space left on device")])  # fmt: skip
def test_an_index_that_cannot_be_made(
    home: Home, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Where the first index does not fit on the disk, one in memory answers, and says so."""
    home.session("a", "zebra")
    monkeypatch.setattr(database.Database, "_create", Mock(side_effect=error))
    home.index.update()
    assert home.found("zebra") == ["a"]
    assert re.match("The search index cannot be stored: .* (full|device)", home.reports[-1])


def test_an_index_that_cannot_be_opened(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SQLite can make no write-ahead log beside the index, one in memory answers."""
    home.session("a", "zebra")
    assert home.found("zebra") == ["a"]
    assert home.index.has("shop-00000001")
    home.index.close()
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    monkeypatch.setattr(database.Database, "_connect", Mock(side_effect=error))
    assert not home.index.has("shop-00000001")
    assert home.found("zebra") == ["a"]
    assert home.reports[-1].startswith("The search index cannot be stored: unable to open")


def test_a_home_that_cannot_be_written_is_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no index can be stored, one in memory answers, and nothing is written."""
    home.session("a", "zebra")
    monkeypatch.setattr("journal.history.search.database.os.access", lambda *_: False)
    index = Index(str(home.top), env={})
    index.update()
    assert [past.digest.sid for past in index.sessions(Filter())] == ["a"]
    assert not (home.top / "cache").exists()
    index.close()


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE])
def test_a_full_disk_keeps_the_index(
    home: Home, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """On a full or failing disk the old index is read, and the output says so."""
    home.session("one", "apple")
    home.index.update()
    home.session("two", "apple")

    def full(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = code
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(update.LogUpdate, "add_new", full)
        assert home.found("apple") == ["one"]
    assert "not up to date (database or disk is full)" in "".join(home.reports)
    assert "built again" not in "".join(home.reports)
    assert len(home.found("apple")) == 2


def test_a_link_in_its_place_is_not_followed(home: Home, tmp_path: Path) -> None:
    """A link in place of the cache folder is refused if its target cannot be used."""
    home.session("one", "apple")
    (home.top / "cache").symlink_to(tmp_path / "nowhere")
    with pytest.raises(Exception, match=r"cannot be used|symbolic"):
        home.index.update()
