"""A journal under random operations, compared with a plain list of what it must hold."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from journal.checkpoint import Checkpoint, Position, load_snapshot, save_in_place
from journal.log import spool
from journal.log.append import Writer
from journal.log.findings import ANOMALY, CORRUPT
from journal.log.read import Reader
from journal.log.record import frame, seq_of, unframe
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.verify import verify
from tests.support.examples import examples

from .book import NOW, Book


class JournalMachine(RuleBasedStateMachine):
    """Random operations on one journal.

    `book.acknowledged`: what must be there. `lost`: seqs that damage took; no new record may get one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.home = tempfile.mkdtemp(prefix="journal-model-")
        self.book = Book(Path(self.home, "journal"))
        self.snapshot = f"{self.book.directory}/snapshot"
        self.lost: set[int] = set()
        self.waiting: list[str] = []
        self.damaged = self.ever_damaged = False
        self.count = 0

    def teardown(self) -> None:
        """Remove the journal."""
        assert self.home.startswith(tempfile.gettempdir())
        shutil.rmtree(self.home)

    @initialize()
    def open(self) -> None:
        """Create the journal with one record."""
        self.book.write("first")

    @rule(sizes=st.lists(st.sampled_from([0, 1, 60, 900, 5000]), min_size=1, max_size=4))
    def append(self, sizes: list[int]) -> None:
        """Write several records at once; they get new seqs."""
        self.count += 1
        before = set(self.book.acknowledged)
        texts = [f"{self.count}.{number}." + "x" * size for number, size in enumerate(sizes)]
        events = [{"type": "note", "v": 1, "sid": "s", "text": text} for text in texts]
        with Writer(self.book.directory, NOW, sync="none") as writer:
            for seq, text in zip(writer.append(*events), texts, strict=True):
                assert seq not in before | self.lost
                self.book.acknowledged[seq] = text
        if self.waiting:
            self._adopt()

    def _adopt(self) -> None:
        """Note the seqs of spooled events: the last writer appended them before its own."""
        for seq, line in Reader(self.book.directory):
            text = unframe(line).get("text")
            if text in self.waiting:
                self.book.acknowledged[seq] = text
                self.waiting.remove(text)
        assert not self.waiting

    @rule(share=st.floats(0.0, 0.999))
    def die_while_writing(self, share: float) -> None:
        """Leave part of a line, as a writer killed in its one write does; nobody got a seq for it."""
        reader = Reader(self.book.directory)
        last = max((seq for seq, _ in reader), default=0)
        line = frame(last + 1, {"ts": NOW, "type": "note", "v": 1, "sid": "s", "note": "x" * 50})
        active = self.book.active
        if active.exists() and active.read_bytes()[-1:] == b"\n" and not self.lost:
            with active.open("ab") as file:
                file.write(line[: int((len(line) - 1) * share)])

    @rule(place=st.floats(0.0, 0.999), bit=st.integers(0, 7))
    def flip(self, place: float, bit: int) -> None:
        """Flip a bit; that costs at most one record."""
        path = self.book.active
        raw = bytearray(path.read_bytes())
        at = int(len(raw) * place)
        raw[at] ^= 1 << bit
        path.write_bytes(raw)
        there = dict(Reader(self.book.directory))
        gone = {seq for seq in self.book.acknowledged if seq not in there}
        assert len(gone) <= 1
        self.lost |= gone
        for seq in gone:
            del self.book.acknowledged[seq]
        self.damaged = self.ever_damaged = True

    @rule()
    def put_in_spool(self) -> None:
        """Put an event into the spool for the next writer."""
        self.count += 1
        text = f"waiting {self.count}"
        spool.put(self.book.directory, NOW, ({"type": "note", "v": 1, "sid": "s", "text": text},))
        self.waiting.append(text)

    @rule(packed=st.booleans())
    def seal(self, packed: bool) -> None:
        """Seal the active segment; sealing also appends spooled events."""
        seal(self.book.directory, NOW, compress=packed)
        self._adopt()

    @rule()
    def crash_while_sealing(self) -> None:
        """Crash after the rename, before there is a new active segment."""
        lines = list(Reader(self.book.directory))
        raw = self.book.active.read_bytes()
        if not self.damaged and raw.endswith(b"\n") and raw:
            name = f"{seq_of(raw):09d}-{lines[-1][0]:09d}.jsonl"
            os.rename(self.book.active, Path(self.book.directory, name))
            self.book.write("after the crash")
            self._adopt()

    @rule()
    def repair(self) -> None:
        """Repair; no finding is left."""
        report = repair(self.book.directory, NOW)
        self._adopt()
        assert report.exit_code == 0, report.findings
        self.damaged = False

    @rule()
    def take_snapshot(self) -> None:
        """Store the fold of the whole log."""
        seqs = [seq for seq, _ in Reader(self.book.directory)]
        with Writer(self.book.directory, NOW) as writer:
            if self.waiting:  # opening the writer has just appended them: `seqs` is too old
                self._adopt()
                return
            head = writer.read(0, 64)
            end = writer.read(writer.size - 11, 11)
            if not head.startswith(b'{"seq":') or not end.endswith(b'"}\n'):
                return
            if seqs[-1:] != [writer.last_seq]:
                return
            first = max(seq_of(head), 0)
            position = Position(first, writer.size, writer.last_seq, end[:8].decode())
            save_in_place(self.snapshot, Checkpoint(position, "v", repr(seqs).encode(), {}))

    @rule()
    def drop_snapshot(self) -> None:
        """Remove the snapshot; nothing else may be lost with it."""
        Path(self.snapshot).unlink(missing_ok=True)

    @invariant()
    def acknowledged_is_there(self) -> None:
        """Every acknowledged, undamaged record is read, and nothing that nobody wrote."""
        there, reader = self.book.read()
        assert self.book.acknowledged.items() <= there.items()
        assert set(there.values()) <= set(self.book.acknowledged.values()) | set(self.waiting)
        if not self.ever_damaged:
            assert not reader.found.counts.get(CORRUPT), reader.found.listed
            assert not reader.found.counts.get(ANOMALY), reader.found.listed
            assert verify(self.book.directory).exit_code == 0

    @invariant()
    def snapshot_and_tail_are_the_whole(self) -> None:
        """Folding from the snapshot equals folding from the start."""
        kept = load_snapshot(self.book.directory, "v")
        if kept is None or self.damaged:
            return
        every = [seq for seq, _ in Reader(self.book.directory)]
        rest = [seq for seq, _ in Reader(self.book.directory, 0, kept.position)]
        folded = [int(seq) for seq in kept.payload.decode().strip("[]").split(",")]
        assert [seq for seq in folded if seq not in self.lost] + rest == every


QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def test_the_journal_behaves_like_a_list() -> None:
    """After any operations in any order, every acknowledged, undamaged record is there."""
    run_state_machine_as_test(
        JournalMachine,
        settings=examples(25, stateful_step_count=25, deadline=None,
                          derandomize=True, suppress_health_check=QUIET),
    )  # fmt: skip


@pytest.mark.long
def test_the_journal_behaves_like_a_list_at_length() -> None:
    """The same with four hundred histories of fifty steps, other ones each time."""
    run_state_machine_as_test(
        JournalMachine,
        settings=settings(max_examples=400, stateful_step_count=50, deadline=None,
                          suppress_health_check=QUIET),
    )  # fmt: skip
