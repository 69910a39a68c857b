"""Several processes and threads use the index at the same time, and writers die."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalError
from journal.history.search import database
from journal.history.search.database import Database
from journal.history.search.index import Index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.journal.history.search.conftest import Home

ROOT = Path(__file__).resolve().parents[4]
KILLED = """
import os, sqlite3
made = sqlite3.connect({path!r}, isolation_level=None)
made.execute("begin immediate")
made.execute("delete from sessions")
os.kill(os.getpid(), 9)
"""
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from journal.history.search.database import Database
from journal.history.search.index import Index
index = Index(sys.argv[2], env={})
found = []
for _ in range(6):
    index.update()
    found.append([hit.digest.sid for hit in index.search("apple", limit=50)])
print(json.dumps(found))
"""


def test_processes_at_once(home: Home) -> None:
    """Each process finds all that existed when it started; none fails."""
    for number in range(10):
        home.session(f"s{number}", "apple")
    ran = [subprocess.Popen([sys.executable, "-c", PROGRAM, str(ROOT), str(home.top)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
           for _ in range(3)]  # fmt: skip
    for number in range(10, 14):
        home.session(f"s{number}", "apple")
    for process in ran:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        counts = [len(found) for found in json.loads(out)]
        assert counts[0] >= 10
        assert counts == sorted(counts)
    assert len(home.found("apple", limit=50)) == 14


def test_threads_at_once(home: Home) -> None:
    """Threads of one process, each with its own index, read the file while it changes."""
    home.session("s0", "apple")
    home.index.update()
    wrong: list[object] = []

    def ask() -> None:
        index = Index(str(home.top), env={})
        for _ in range(10):
            try:
                index.update()
                if not index.search("apple"):
                    wrong.append("nothing")
            except Exception as error:  # noqa: BLE001
                wrong.append(error)
        index.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(1, 6):
        home.session(f"s{number}", "apple")
    for thread in threads:
        thread.join(60)
    assert wrong == []


@pytest.fixture
def taken(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """Yield a home whose index another process keeps locked for writing."""
    home.session("one", "apple")
    home.index.update()
    home.index.close()
    monkeypatch.setattr(database, "_WAIT", 0.05)
    other = sqlite3.connect(home.top / "cache" / "sessions.sqlite", isolation_level=None)
    other.execute("begin immediate")
    yield home
    other.close()


def test_a_busy_index_is_read_as_it_is(taken: Home) -> None:
    """While another process writes, the old index is read, and the output says so."""
    taken.session("two", "apple")
    assert taken.found("apple") == ["one"]
    assert "another process" in "".join(taken.reports)


def test_a_busy_index_that_is_not_there_yet(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there is no index yet while another process builds it, the error says to try again."""
    made = Database(str(home.top))
    with made.writing():
        pass
    made.close()
    home.session("one", "apple")
    monkeypatch.setattr(database, "_WAIT", 0.05)
    other = sqlite3.connect(home.top / "cache" / "sessions.sqlite", isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(JournalError, match="building") as raised:
        home.index.update()
    assert "try again" in raised.value.remedy
    other.close()
    assert home.found("apple") == ["one"]


def test_a_killed_writer_leaves_the_index_as_it_was(home: Home) -> None:
    """A killed writer's transaction is rolled back."""
    home.session("one", "apple")
    home.index.update()
    program = KILLED.format(path=str(home.top / "cache" / "sessions.sqlite"))
    ran = subprocess.run([sys.executable, "-c", program], check=False)
    assert ran.returncode == -9
    assert home.found("apple") == ["one"]
    home.session("two", "apple")
    assert len(home.found("apple")) == 2
