"""What commands read is prepared in steps, each of which continues the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.checkpoint import read_all, save
from journal.history import prepare
from journal.history.prepare import prepare_commands
from journal.history.replay import run, stored
from journal.history.replay.run import replay_all
from journal.history.replay.stored import STORED, StoredFolds
from tests.bench.corpus import write_journal

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a log of 1 MB, of which a step prepares a quarter."""
    monkeypatch.setattr(prepare, "STEP", 256 * 1024)
    for module in (prepare, run):
        monkeypatch.setattr(module, "SAVE_AFTER", 256 * 1024)
    return str(write_journal(tmp_path / "shop", 3_000))


def _reached(log: str) -> int:
    """Return the last seq of which all projections are stored."""
    found = StoredFolds(log).last(STORED)
    return found.position.seq if found else 0


@pytest.mark.parametrize("first", [None, pytest.param((), marks=pytest.mark.long), ("sessions",)])
def test_each_step_continues_the_one_before(log: str, first: tuple[str, ...] | None) -> None:
    """Steps reach the end, even if a command has stored fewer projections there already."""
    if first is not None:
        replay_all(log, first)
    reached = []
    for _ in range(3):
        prepare_commands(log)
        reached.append(_reached(log))
    assert reached == sorted({*reached})
    assert reached[-1] > 2_250
    expected = replay_all(log, STORED, stores=False, each=lambda _batch: None).states
    found = replay_all(log, STORED, stores=False)
    assert found.start == reached[-1]
    assert found.states == expected


def test_what_a_later_version_stored_stays(log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step changes nothing if a later version has stored folds, and replaces an earlier one's."""
    folds = StoredFolds(log)
    replay_all(log, STORED)
    path = f"{folds.directory}/{folds.seqs()[0]}.fold"
    (checkpoint,) = read_all(path, slots=1)
    form = stored.code_of_folds().split()[0]
    for version, is_later in ((int(form) + 1, True), (int(form) - 1, False)):
        checkpoint.code = checkpoint.code.replace(checkpoint.code.split()[0], str(version), 1)
        save(path, checkpoint)
        prepare_commands(log)
        (left,) = read_all(path, slots=1) or [None]
        assert (left is not None and left.code == checkpoint.code) == is_later
