"""Facts are appended in batches, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history.importer.reader import Fact
from journal.history.importer.sink import Sink
from journal.history.importer.state import RecordedKeys
from journal.log.read import Reader
from journal.log.record import type_of

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-21T12:00:00.000Z"
BODY = b'"ts":"2026-11-20T10:00:00.000Z","type":"note","v":1,"sid":"s"'


def fact(key: str = "", project: str = "shop", body: bytes = BODY, output: int = -1) -> Fact:
    """Return a fact of a project."""
    return Fact(project, "note", key, output, body=body)


def sink(tmp_path: Path, **more: Any) -> Sink:
    """Return a sink that appends to a home."""
    return Sink(home=str(tmp_path), now=NOW, **more)


def notes(tmp_path: Path, project: str = "shop") -> int:
    """Return how many facts are in the imported log of a project."""
    reader = Reader(str(tmp_path / project / "imported"))
    return sum(type_of(line) == "note" for _, line in reader)


def test_a_known_fact_is_dropped_with_those_that_belong_to_it(tmp_path: Path) -> None:
    """A fact without a key is new or known as the one before it is."""
    found = sink(tmp_path)
    recorded = RecordedKeys()
    recorded.add("aa")
    found.take([fact("aa"), fact(), fact("bb"), fact(), fact("bb")], recorded)
    found.flush()
    assert (found.added, found.repeated, notes(tmp_path)) == ({"note": 2}, 2, 2)


def test_facts_wait_for_a_batch(tmp_path: Path) -> None:
    """500 facts per project are appended once their session ends, and the rest by `flush`."""
    found = sink(tmp_path)
    found.take([fact() for _ in range(499)] + [fact(project="mill")])
    found.begin("")
    assert not (tmp_path / "shop").exists()
    found.take([fact()])
    found.begin("")
    assert notes(tmp_path) == 500
    assert not (tmp_path / "mill").exists()
    found.flush()
    found.flush()
    assert (notes(tmp_path), notes(tmp_path, "mill")) == (500, 1)
    assert found.projects == {"shop": 500, "mill": 1}


def test_a_dry_run_counts_and_appends_nothing(tmp_path: Path) -> None:
    """Facts are counted, those that a project does not capture apart, and no file is made."""
    found = sink(tmp_path, dry=True)
    found.take([fact(), fact(body=b"")])
    found.sync()
    assert (found.added, found.not_captured) == ({"note": 1}, 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("sync", "count"), [("none", 0), ("barrier", 1), ("always", 1)])
def test_the_disk_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sync: str, count: int
) -> None:
    """At the end the log is synced once, unless the setting `append.sync` is "none"."""
    found = sink(tmp_path)
    leaving = {"shop"} if sync == "none" else set()
    found.take([fact()])
    found.flush()
    waits: list[int] = []
    monkeypatch.setattr("os.fdatasync", waits.append)
    found.sync(leaving)
    found.sync(leaving)
    assert len(waits) == count
