"""Folding views in bounded steps gives the same as one fold, and never delays a hook."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from journal.history.current import Current, catch_up
from journal.log.append import Writer
from journal.log.rewrite import finish
from journal.log.seal import seal
from tests.bench.corpus import write_journal
from tests.bench.stage import HOOK, NOW, Stage
from tests.support.examples import part

if TYPE_CHECKING:
    from pathlib import Path

MANY = [pytest.param(12_000, id="12,000"), pytest.param(1_000_000, marks=pytest.mark.long)]


@pytest.fixture
def journal(tmp_path: Path) -> str:
    """Return a journal of about 300 KB, without a snapshot."""
    return str(write_journal(tmp_path / "journal", 1_000))


def whole(directory: str) -> dict[str, object]:
    """Fold a journal in one go; return its views."""
    with Writer(directory, NOW) as writer:
        current = Current(directory)
        assert current.advance(writer)
        return current.fold.states


@pytest.mark.parametrize(
    ("form", "step"),
    part(itertools.product(("active", "sealed", "compressed"), (1, 100_000, 100_000_000)), 2),
)
def test_steps_come_to_the_same(
    form: str, step: int, journal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folding in stored steps equals one fold, with active, sealed or compressed segments."""
    monkeypatch.setattr("journal.history.current.STEP_BYTES", step)
    expected = whole(journal)
    if form != "active":
        seal(journal, NOW, compress=form == "compressed")
    assert catch_up(journal, NOW) > 0
    current = Current(journal)
    assert current.fold.states == expected
    assert catch_up(journal, NOW) == 0


def test_views_of_records_that_have_changed_are_not_stored(journal: str) -> None:
    """Views that were loaded before `journal redact` or `gc` changed records are not stored."""
    with Writer(journal, NOW) as writer:
        current = Current(journal)
        assert current.advance(writer)
    finish(journal, NOW, None)
    assert not current.store()


def test_partial_progress_is_stored(tmp_path: Path) -> None:
    """A caller with little time folds a part, and the next one continues from there."""
    journal = str(write_journal(tmp_path / "journal", 3_000))
    expected = whole(journal)
    reached = []
    for _ in range(20):
        with Writer(journal, NOW) as writer:
            current = Current(journal)
            done = current.advance(writer, 200_000)
            assert current.store()
        reached.append(current.fold.seq)
        if done:
            break
    assert len(reached) > 2
    assert reached == sorted(set(reached))
    assert current.fold.states == expected


def test_little_behind_is_left_to_the_hooks(journal: str) -> None:
    """With `least`, nothing is folded if the rest is small enough for a hook."""
    assert catch_up(journal, NOW, least=100_000_000) == 0
    assert catch_up(journal, NOW, least=1_000) == 1


def test_no_journal_is_begun(tmp_path: Path) -> None:
    """Without a journal nothing is folded and none is created."""
    assert catch_up(str(tmp_path / "none"), NOW) == 0
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("events", MANY)
def test_a_lost_snapshot_costs_no_event(events: int, tmp_path: Path) -> None:
    """Far behind, a hook appends, ends in time and is silent; after the background work it answers."""
    stage = Stage(tmp_path)
    usual = stage.run(stage.payload("SessionStart", source="startup"))[0]
    write_journal(stage.journal, events)
    (stage.journal / "snapshot").unlink()
    for number in range(1, 3):
        stage.usage(156_000)
        spent, output = stage.run(stage.payload("UserPromptSubmit", session=f"s{number}"))
        assert output == b""
        assert spent < 10 * usual
        assert (
            f'"sid":"s{number}"'.encode() in (stage.journal / "active.jsonl").read_bytes()[-4096:]
        )
    stage.run(stage.payload("SessionStart", source="startup"), (*HOOK, "background"))
    stage.usage(156_000)
    assert b"additionalContext" in stage.run(stage.payload("UserPromptSubmit", session="s9"))[1]
