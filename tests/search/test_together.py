"""Several processes and threads at the index at once, and writers that die."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalError
from journal.history.search import feed, store
from journal.history.search.index import Index

if TYPE_CHECKING:
    from journal.log.segment import Segment
    from tests.search.conftest import Home

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from journal.history.search.index import Index
index = Index(sys.argv[2], env={})
found = []
for _ in range(6):
    index.update()
    found.append([hit.digest.sid for hit in index.search("apple", limit=50)])
print(json.dumps(found))
"""


def test_processes_at_once(home: Home) -> None:
    """They all answer, each with all that was there when it began; none fails, none waits long."""
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
    """Threads of one process share the file, each with an index of its own, while it changes."""
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

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(1, 6):
        home.session(f"s{number}", "apple")
    for thread in threads:
        thread.join(60)
    assert wrong == []


@pytest.fixture
def taken(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home whose index another process is writing, for longer than one waits."""
    home.session("one", "apple")
    home.index.update()
    monkeypatch.setattr(store, "_PATIENCE", 0.05)
    lock = os.open(home.top / "cache" / "sessions.lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return home


def test_a_busy_index_is_read_as_it_is(taken: Home, capsys: pytest.CaptureFixture[str]) -> None:
    """What is new is missing, and that is said."""
    taken.session("two", "apple")
    assert taken.found("apple") == ["one"]
    assert "another process" in capsys.readouterr().err


def test_a_busy_index_that_is_not_there_yet(taken: Home) -> None:
    """There is nothing to read: an error says to try again."""
    taken.index.close()
    (taken.top / "cache" / "sessions.duckdb").unlink()
    with pytest.raises(JournalError, match="building") as raised:
        taken.index.update()
    assert "try again" in raised.value.remedy
    with pytest.raises(JournalError, match="building"):
        taken.index.search("apple")


def test_what_a_killed_writer_left_is_swept(home: Home) -> None:
    """Its copy goes with the next change; the index is as it was."""
    home.session("one", "apple")
    home.index.update()
    left = home.top / "cache" / "sessions.duckdb.999-1"
    left.write_bytes(b"half")
    assert home.found("apple") == ["one"]
    assert left.exists()
    home.session("two", "apple")
    assert len(home.found("apple")) == 2
    assert not left.exists()


def test_a_full_disk_keeps_the_index(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no copy can be written the index is read as it is, and that is said."""
    home.session("one", "apple")
    home.index.update()
    home.session("two", "apple")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device", "sessions.duckdb.1-1")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        assert home.found("apple") == ["one"]
    assert "not up to date (no space left on device)" in capsys.readouterr().err
    assert len(home.found("apple")) == 2


def test_a_log_that_cannot_be_read_hides_no_other(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named, what was known of it stays, and it is read when it can be again."""
    home.session("a", "apple", project="a-00000001")
    home.index.update()
    home.session("a2", "apple", project="a-00000001")
    home.session("b", "apple", project="b-00000002")
    listed = feed.segments

    def refuse(directory: str) -> list[Segment]:
        if "a-00000001" in directory:
            raise PermissionError(13, "Permission denied", directory)
        return listed(directory)

    with monkeypatch.context() as patch:
        patch.setattr(feed, "segments", refuse)
        assert sorted(home.found("apple")) == ["a", "b"]
    assert "a-00000001 cannot be read: Permission denied" in capsys.readouterr().err
    assert sorted(home.found("apple")) == ["a", "a2", "b"]


def test_a_link_in_its_place_is_not_followed(home: Home, tmp_path: Path) -> None:
    """A cache folder that is a link to a place that is not ours to write is refused."""
    home.session("one", "apple")
    (home.top / "cache").symlink_to(tmp_path / "nowhere")
    with pytest.raises(Exception, match=r"cannot be used|symbolic"):
        home.index.update()
