"""With or without stored states a replay gives the same, whatever happens to the log."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cli.read
import journal.history.replay.run
import journal.history.replay.stored
import journal.log.read
from cli import integrity
from cli.read import fold, sessions_in
from journal.history.replay.facts import sid_of, ts_of
from journal.history.replay.run import line_at, replay_all, replay_but_last, replay_to, within
from journal.history.replay.stored import STORED
from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.record import type_of
from journal.log.repair import repair
from journal.log.seal import seal
from projections.fold import Fold
from projections.registry import REGISTRY
from tests.projections.drawn import LINES
from tests.projections.timeline import fields_of
from tests.support.examples import examples

NOW = "2026-11-22T00:00:00.000Z"
BATCH = 2048
ENCODE = msgspec.json.encode


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in small batches, and store states after each."""
    monkeypatch.setattr(journal.log.read, "BATCH", BATCH)
    monkeypatch.setattr(journal.history.replay.run, "SAVE_AFTER", BATCH)
    monkeypatch.setattr(journal.history.replay.run, "_NEAREST", BATCH)
    monkeypatch.setattr(journal.history.replay.stored, "_NEAR", 8)
    monkeypatch.setattr(cli.read, "need_history", lambda _scope: None)


class Log:
    """A journal in a home of its own, with the expected and the actual results of a fold."""

    def __init__(self, top: str) -> None:
        self.home = Path(top) / "journal"
        self.directory = self.home / "shop"
        self.scope: Any = SimpleNamespace(now=0, directory=str(self.directory))

    @property
    def active(self) -> Path:
        """The active segment."""
        return self.directory / "active.jsonl"

    @property
    def checkpoints(self) -> list[Path]:
        """The files of stored states."""
        return sorted((self.home / "cache" / "shop" / "live" / "folds").glob("*"))

    def add(self, lines: list[str]) -> None:
        """Append the events that the lines describe, each at its own time."""
        for line in lines:
            fields = fields_of(line)
            with Writer(str(self.directory), fields.pop("ts"), sync="none") as writer:
                writer.append(fields)

    def flip(self, at: int) -> None:
        """Flip a bit of the first segment."""
        path = min(self.directory.glob("*.jsonl*"), default=self.active)
        data = bytearray(path.read_bytes())
        data[at % len(data)] ^= 1
        path.write_bytes(data)

    def truth(self, names: list[str], bound: int | str | None) -> dict[str, Any]:
        """Return the result of a fold from the first record."""
        reader = Reader(str(self.directory))
        records = list(reader)
        found = [item for item in records if bound is None or within(item, bound)]
        whole = Fold([REGISTRY[name] for name in names]).feed(found)
        lasts: dict[str, tuple[int, str]] = {}
        for seq, line in found:
            if sid := sid_of(line):
                lasts[sid] = (seq, ts_of(line))
        return {
            **_of(whole, reader),
            "events": len(found),
            "first": ts_of(found[0][1]) if found else "",
            "ts": ts_of(found[-1][1]) if found else "",
            "last_type": type_of(found[-1][1]) if found else "",
            "sessions": lasts,
        }

    def command_result(self, names: list[str], bound: int | str | None) -> dict[str, Any]:
        """Return the result that a command gets."""
        upto = bound if isinstance(bound, int) else 0
        until = bound if isinstance(bound, str) else ""
        folded = fold(self.scope, names, until, upto=upto)
        lasts = {sid: (seq, folded.last(sid)) for sid, seq in folded.sessions.items()}
        return {
            **_of(folded.fold, folded.reader),
            "events": folded.facts.events,
            "first": folded.facts.first,
            "ts": folded.facts.ts,
            "last_type": folded.facts.last_type,
            "sessions": lasts,
        }


def _of(whole: Fold, reader: Reader) -> dict[str, Any]:
    states = {name: ENCODE(state) for name, state in whole.states.items()}
    gaps = [(first, last) for first, last, _ in reader.found.gaps]
    counts = {name: count for name, count in reader.found.counts.items() if count}
    return {"states": states, "unknown": whole.unknown, "seq": whole.seq, "counts": counts,
            "keys": whole.recent_keys(), "complete": reader.found.complete, "gaps": gaps}  # fmt: skip


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
            assert _of(run.fold, Reader(top)) == _of(whole, Reader(top))


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
        def _find_start(self, listed: Any) -> None:
            super()._find_start(listed)
            starts.append(self._reached)

    monkeypatch.setattr(journal.history.replay.run, "Reader", Watched)
    line_at(directory, records[-1][0])
    assert starts[0] > records[-1][0] // 2


# -- what is stored, and when it is not used ---------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Return a log of several batches in one segment."""
    made = Log(str(tmp_path))
    made.add([f"a 09:{minute % 60:02} prompt word{minute} key k{minute}" for minute in range(80)])
    return made


def start_of(log: Log, names: tuple[str, ...] = ("recovery",)) -> int:
    """Fold the log; return the seq at which the fold could start."""
    return replay_all(str(log.directory), names).start


def test_the_second_time_begins_at_the_end(log: Log) -> None:
    """The first fold stores private states; the second one starts at the last of them."""
    assert start_of(log) == 0
    assert log.checkpoints
    assert {oct(path.stat().st_mode & 0o777) for path in log.checkpoints} == {"0o600"}
    assert start_of(log) == max(int(path.stem) for path in log.checkpoints) == 81


@pytest.mark.parametrize("bound, late", [
    ("2026-11-21T09:59:00.001Z", True), ("2026-11-21T09:59:00.000Z", False),
    ("2026-11-21T09:30:00.000Z", False),
])  # fmt: skip
def test_a_time_as_the_bound(log: Log, bound: str, late: bool) -> None:
    """For a time as the bound a state is used only if every record before it is earlier."""
    start_of(log)
    assert (replay_to(str(log.directory), ("recovery",), bound).start > 60) == late
    assert log.command_result(["recovery"], bound) == log.truth(["recovery"], bound)


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
    assert integrity.rebuild(scope) == 0
    assert start_of(log, STORED) >= 81
