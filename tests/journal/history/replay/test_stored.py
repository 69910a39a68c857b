"""With or without stored states a replay gives the same, whatever happens to the log."""

from __future__ import annotations

import os
import tempfile
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import journal.history.replay.run
import journal.history.replay.stored
import journal.log.read
from cli import integrity
from cli.read import sessions_in
from journal.history.replay.run import replay_all, replay_to
from journal.history.replay.stored import STORED
from journal.log.append import Writer
from journal.log.repair import repair
from journal.log.seal import seal
from projections.registry import REGISTRY
from tests.journal.history.replay.conftest import NOW, Log, start_of
from tests.projections.drawn import LINES
from tests.support.examples import examples

if TYPE_CHECKING:
    from pathlib import Path

_NAMES = st.lists(st.sampled_from(sorted(REGISTRY)), unique=True, max_size=4)
_BOUNDS = st.one_of(
    st.none(),
    st.integers(1, 120),
    st.integers(0, 59).map(lambda minute: f"2026-11-21T09:{minute:02}:00.000Z"),
)
_ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), LINES),
        st.tuples(st.just("look"), st.tuples(_NAMES, _BOUNDS)),
        st.tuples(st.just("look"), st.tuples(_NAMES, _BOUNDS)),
        st.tuples(st.just("seal"), st.booleans()),
        st.tuples(st.just("flip"), st.integers(0, 1 << 20)),
        st.tuples(st.just("repair"), st.none()),
    ),
    max_size=8,
)


@given(st.lists(LINES, min_size=3, max_size=3), _ACTS, st.tuples(_NAMES, _BOUNDS))
@examples(60)
def test_kept_or_not(begin: list[list[str]], acts: list[tuple[str, Any]], last: Any) -> None:
    """After appends, seals, compression, damage and repair each replay equals a fold of the log."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        log = Log(top)
        log.add([line for lines in begin for line in lines] or ["a 09:00 start startup"])
        for act, what in [("look", (sorted(REGISTRY), None)), *acts, ("look", last)]:
            if act == "add":
                log.add(what)
            elif act == "seal":
                seal(str(log.directory), NOW, compress=what)
            elif act == "flip":
                log.flip(what)
            elif act == "repair":
                repair(str(log.directory), NOW)
            else:
                names, bound = what
                assert log.command_result(names, bound) == log.truth(names, bound)
                assert sessions_in(str(log.directory)) == set(log.truth([], None)["sessions"])


def test_types_of_a_later_version_stay_counted(log: Log) -> None:
    """A replay that continues from stored states still counts the events that it cannot read."""
    with Writer(str(log.directory), NOW) as writer:
        writer.append({"type": "tool.finished", "v": 99, "sid": "a"})
    first, second = (replay_all(str(log.directory)) for _ in range(2))
    assert (first.start, first.fold.unknown) == (0, {"tool.finished": 1})
    assert (second.start > 0, second.fold.unknown) == (True, {"tool.finished": 1})


@pytest.mark.parametrize("bound, late", [
    ("2026-11-21T09:59:00.001Z", True), ("2026-11-21T09:59:00.000Z", False),
    ("2026-11-21T09:30:00.000Z", False),
])  # fmt: skip
def test_a_time_as_the_bound(log: Log, bound: str, late: bool) -> None:
    """For a time as the bound a state is used only if every record before it is earlier."""
    start_of(log)
    assert (replay_to(str(log.directory), ("recovery",), bound).start > 60) == late
    assert log.command_result(["recovery"], bound) == log.truth(["recovery"], bound)


@pytest.mark.parametrize("compress", [True, False])
def test_sealed_segments(log: Log, compress: bool) -> None:
    """For a sealed log the states at the end of all segments are stored."""
    seal(str(log.directory), NOW, compress=compress)
    start_of(log)
    assert start_of(log) >= 81


@pytest.mark.parametrize("compress", [True, False])
def test_sealing_keeps_checkpoints(log: Log, compress: bool) -> None:
    """Sealing and compressing change no record, so an earlier state is still used."""
    start_of(log)
    seal(str(log.directory), NOW, compress=compress)
    assert start_of(log) == 81


def test_appending_keeps_them(log: Log) -> None:
    """After an append the state before it is still used."""
    start_of(log)
    log.add(["b 09:00 start startup"])
    assert start_of(log) == 81


def _flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    times = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_a_changed_byte_of_the_log(log: Log) -> None:
    """If a byte before the state changed, the log is read from the start, whatever its times."""
    start_of(log)
    _flip(log.active, 1000)
    replay = replay_all(str(log.directory), ("recovery",))
    assert replay.start == 0
    assert not replay.complete


@pytest.mark.parametrize("at", [5, 900, -5], ids=["head", "middle", "end"])
def test_a_damaged_file(log: Log, at: int) -> None:
    """A stored state with a changed byte is not used."""
    start_of(log)
    for path in log.checkpoints:
        _flip(path, at)
    assert start_of(log) == 0
    assert start_of(log) == 81


def test_another_version(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """States of another version of a projection are not used."""
    start_of(log)
    monkeypatch.setattr(REGISTRY["recovery"], "version", 99)
    assert start_of(log) == 0
    assert start_of(log) == 81


def test_another_journal(log: Log) -> None:
    """A new journal under the same name uses no states of the old one."""
    start_of(log)
    log.active.unlink()
    log.add([f"b 09:{minute % 60:02} prompt word{minute} key k{minute}" for minute in range(80)])
    assert start_of(log) == 0


def test_logarithmically_few(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a growing log is folded, few states are stored, at growing distances."""
    monkeypatch.setattr(journal.history.replay.stored, "_FREE", 1 << 30)
    for hour in range(10, 18):
        log.add([f"a {hour}:{minute:02} prompt word{minute} key k{minute}" for minute in range(60)])
        start_of(log)
    seqs = sorted((int(path.stem) for path in log.checkpoints), reverse=True)
    assert seqs[0] == 561
    assert 3 <= len(seqs) <= 6


def test_a_share_of_the_log(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the states are large compared to the log, only the last one is stored."""
    monkeypatch.setattr(journal.history.replay.stored, "_FREE", 0)
    start_of(log)
    assert [path.stem for path in log.checkpoints] == ["81"]


@pytest.mark.parametrize("compress", [True, False])
def test_commands_store_them(log: Log, compress: bool) -> None:
    """`journal seal` and `journal rebuild` store the states of all projections."""
    scope: Any = SimpleNamespace(
        must_exist=lambda: None, directory=str(log.directory), iso=NOW, json=True,
        home=str(log.home), project=SimpleNamespace(name="shop"), show=lambda *_: None,
    )  # fmt: skip
    assert integrity.seal(scope, no_compress=not compress) == 0
    assert start_of(log, STORED) >= 81
    for path in log.checkpoints:
        path.unlink()
    integrity.rebuild(scope)
    assert start_of(log, STORED) >= 81
