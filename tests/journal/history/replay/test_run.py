"""How far a replay reads, from which checkpoint, and what it stores."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

import journal.history.replay.run
import journal.history.replay.stored
import journal.log.read
from journal.history.replay.run import line_at, replay_but_last
from journal.log.read import Reader
from projections.fold import Fold
from projections.registry import REGISTRY
from tests.journal.history.replay.conftest import Log, result_of, start_of
from tests.projections.drawn import LINES
from tests.support.examples import examples

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@given(st.lists(LINES, min_size=2, max_size=4), st.integers(0, 60), st.none() | st.integers(1, 160))
@examples(40)
def test_the_last_records(begin: list[list[str]], last: int, bound: int | None) -> None:
    """The last records are returned with the fold of all before them, also the second time."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        log = Log(top)
        log.add([line for lines in begin for line in lines] or ["a 09:00 start startup"])
        records = [item for item in Reader(str(log.directory)) if not bound or item[0] <= bound]
        cut = max(0, len(records) - last)
        whole = Fold(REGISTRY.values()).feed(records[:cut])
        for _ in range(2):
            run, held, _after = replay_but_last(str(log.directory), REGISTRY, bound, last)
            assert held == records[cut:]
            assert result_of(run.fold, Reader(top)) == result_of(whole, Reader(top))


def test_one_record(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each record is found by its seq, from the last checkpoint before it; others are not found."""
    directory = str(log.directory)
    records = list(Reader(directory))
    for stored in (False, True):
        assert bool(log.checkpoints) == stored
        assert [(seq, line_at(directory, seq)) for seq, _ in records] == records
        assert line_at(directory, 0) == line_at(directory, records[-1][0] + 1) == b""
        start_of(log)
    starts: list[int] = []

    class Watched(Reader):
        def _find_start(self) -> None:
            super()._find_start()
            starts.append(self._reached)

    monkeypatch.setattr(journal.history.replay.run, "Reader", Watched)
    line_at(directory, records[-1][0])
    assert starts[0] > records[-1][0] // 2


def test_the_second_time_begins_at_the_end(log: Log) -> None:
    """The first fold stores private states; the second one starts at the last of them."""
    assert start_of(log) == 0
    assert log.checkpoints
    assert {oct(path.stat().st_mode & 0o777) for path in log.checkpoints} == {"0o600"}
    assert start_of(log) == max(int(path.stem) for path in log.checkpoints) == 81


def test_a_command_pays_for_the_projections_it_asks_for(log: Log) -> None:
    """Each projection is folded from the start once; the states of others stay stored."""
    assert start_of(log, ("recovery",)) == 0
    assert start_of(log, ("recovery",)) == 81
    assert start_of(log, ("pressure",)) == 0
    assert start_of(log, ("recovery", "pressure")) == 81


def test_digests_have_an_index_of_their_own(log: Log) -> None:
    """Digests are in no stored state, so their fold starts at the first record."""
    start_of(log)
    assert start_of(log, ("digests", "recovery")) == 0


def test_a_short_log_stores_nothing(tmp_path: Path) -> None:
    """For a log that is read quickly nothing is stored."""
    short = Log(str(tmp_path))
    short.add(["a 09:00 start startup"])
    start_of(short)
    assert short.checkpoints == []
