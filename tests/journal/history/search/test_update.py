"""Which records of a log the index reads, and when it reads all again."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.replay import run
from journal.history.replay.stored import StoredFolds
from journal.history.search import update
from journal.history.search.index import Index
from journal.log.findings import VALID
from journal.log.repair import repair
from journal.log.seal import seal
from tests.journal.history.search.held import anew, state

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.journal.history.search.conftest import Home

NOW = "2026-11-21T12:00:00.000Z"
SHOP = "shop-00000001"


def test_it_reads_on(home: Home, tmp_path: Path) -> None:
    """Updated step by step, the index equals a new one, across seals and resumed sessions."""
    random_ = random.Random(3)
    for step in range(24):
        sid = f"s{random_.randint(0, 7)}"
        project = random_.choice((SHOP, "mill-00000002"))
        if random_.random() < 0.6:
            home.session(sid, f"word{step} parser", over=random_.random() < 0.7, project=project)
        else:
            home.tell(sid, ("tool.failed", {"tool": "Bash", "target": "make", "error": f"E{step}"}),
                      ("decision.recorded", {"text": f"rule {step}"}), project=project)  # fmt: skip
        if step in (7, 15):
            seal(str(home.top / project), NOW, compress=step == 15)
        if step % 2:
            assert home.index.update() > 0
            assert home.index.update() == 0
    home.index.update()
    assert state(home.index) == anew(home, tmp_path)


@pytest.mark.parametrize("stores", [True, False])
def test_a_long_log_is_read_once(
    home: Home, monkeypatch: pytest.MonkeyPatch, *, stores: bool
) -> None:
    """The first read stores a checkpoint of the log's state, if the index may store."""
    monkeypatch.setattr(run, "SAVE_AFTER", 1)
    home.session("one", "fix the login redirect loop")
    directory = str(home.top / SHOP)
    index = Index(str(home.top), env={}, stores=stores)
    home.others.append(index)
    assert index.update() == 1
    stored = StoredFolds(directory).last()
    assert (stored is not None) == stores
    if stored is not None:
        assert stored.found.counts == {VALID: 4}
        assert stored.facts().events == 4


def test_only_the_sessions_concerned_are_touched(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new record updates only its session, and the log is read from where the last update ended."""
    for number in range(5):
        home.session(f"s{number}", "parser")
    home.index.update()
    read: list[int] = []
    whole = update.Reader.batches

    def counted(self: update.Reader, segment: Any, active: Any) -> Any:
        for batch in whole_segment(self, segment, active):
            read.append(len(batch))
            yield batch

    whole_segment = update.Reader._segment
    monkeypatch.setattr(update.Reader, "_segment", counted)
    home.tell("s2", ("prompt.submitted", {"text": "tokenizer"}))
    assert home.index.update() == 1
    assert read == [1]
    assert whole is update.Reader.batches
    assert home.found("tokenizer") == ["s2"]


def test_a_hook_call_that_came_twice_counts_once(home: Home, tmp_path: Path) -> None:
    """Repeats are recognised by key, even if the index was updated between them."""
    body = {"text": "parser", "key": "k1"}
    home.tell("one", ("session.started", {}), ("prompt.submitted", body))
    home.index.update()
    home.tell("one", ("prompt.submitted", body))
    home.index.update()
    assert home.index.find("one")[0].digest.session.prompts == 1
    assert state(home.index) == anew(home, tmp_path)


def _corrupt(home: Home) -> None:
    path = home.top / SHOP / "active.jsonl"
    data = path.read_bytes()
    at = data.index(b"banana")
    path.write_bytes(data[:at] + b"\0" + data[at + 1 :])


def _repair(home: Home) -> None:
    _corrupt(home)
    home.index.update()
    repair(str(home.top / SHOP), NOW)


def _replace(home: Home) -> None:
    shutil.rmtree(home.top / SHOP)
    home.session("other", "cherry cake")


def _cut(home: Home) -> None:
    path = home.top / SHOP / "active.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))


def _sealed_damage(home: Home) -> None:
    seal(str(home.top / SHOP), NOW, compress=False)
    home.session("late", "date palm")
    home.index.update()
    path = next((home.top / SHOP).glob("0*.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"banana", b"bananx"))


def _remove(home: Home) -> None:
    shutil.rmtree(home.top / SHOP)


@pytest.mark.parametrize("happen", [_corrupt, _repair, _replace, _cut, _sealed_damage, _remove])
def test_another_log_is_noticed(home: Home, tmp_path: Path, happen: Callable[[Home], None]) -> None:
    """After damage, repair, a cut, replacement or removal the index has nothing of the old log."""
    home.session("keep", "elderberry", project="mill-00000002")
    home.session("one", "apple pie")
    home.session("two", "banana bread")
    home.session("three", "grape juice")
    assert home.found("banana") == ["two"]
    happen(home)
    home.index.update()
    assert state(home.index) == anew(home, tmp_path)
    assert home.found("banana") == []
    assert home.found("elderberry") == ["keep"]


def test_a_log_that_cannot_be_read_hides_no_other(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unreadable log is reported, its old entries stay, and other logs are still read."""
    home.session("a", "apple", project="a-00000001")
    home.index.update()
    home.session("a2", "apple", project="a-00000001")
    home.session("b", "apple", project="b-00000002")
    whole = update.LogUpdate.add_new

    def refuse(self: update.LogUpdate, *more: Any, **options: Any) -> Any:
        if "a-00000001" in self.log.directory:
            raise PermissionError(13, "Permission denied", self.log.directory)
        return whole(self, *more, **options)

    with monkeypatch.context() as patch:
        patch.setattr(update.LogUpdate, "add_new", refuse)
        assert sorted(home.found("apple")) == ["a", "b"]
    assert "a-00000001 cannot be read: Permission denied" in "".join(home.reports)
    assert sorted(home.found("apple")) == ["a", "a2", "b"]
