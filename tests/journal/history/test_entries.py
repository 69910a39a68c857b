"""The entries of a log's sessions are the same, stored or read again."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import journal.history.entries
from journal.history.entries import EntriesPass, LogEntries, entries_of
from journal.history.tables.database import History
from journal.log.append import Writer
from tests.projections.drawn import LINES
from tests.projections.timeline import fields_of
from tests.support.examples import examples


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store after every read."""
    monkeypatch.setattr(journal.history.entries, "SAVE_AFTER", 1)


def add(log: Path, lines: list[str]) -> None:
    """Append the events that the lines describe, each at its own time."""
    for line in lines:
        fields = fields_of(line)
        with Writer(str(log), fields.pop("ts"), sync="none") as writer:
            writer.append(fields)


def found(log: Path) -> bytes:
    """Return the entries of a log, without the keys that only a later read needs."""
    entries: LogEntries = entries_of(str(log))
    entries.keys = {}
    return msgspec.json.encode(entries)


def again(log: Path) -> bytes:
    """Return the entries of a log for which nothing is stored."""
    shutil.rmtree(log.parent / "cache", ignore_errors=True)
    return found(log)


@given(LINES, st.integers(0, 40))
@examples(40)
def test_going_on_gives_what_reading_all_gives(lines: list[str], cut: int) -> None:
    """Continuing from stored entries equals reading from the first record."""
    with tempfile.TemporaryDirectory() as top:
        log = Path(top) / "shop"
        add(log, ["a 08:00 prompt x", *lines[:cut]])
        first = found(log)
        assert found(log) == first
        add(log, lines[cut:])
        assert found(log) == again(log)


@given(LINES)
@examples(10)
def test_the_pass_that_writes_rows_gives_the_same_entries(lines: list[str]) -> None:
    """Entries taken while a log's rows are first written are those that a read of their own gives."""
    with tempfile.TemporaryDirectory() as top:
        log = Path(top) / "shop-00000000"
        add(log, ["a 08:00 prompt x", *lines])
        passes: list[EntriesPass] = []

        def follow(directory: str) -> EntriesPass:
            passes.append(EntriesPass(directory))
            return passes[-1]

        history = History(top, follow=follow)
        history.make(["_events"])
        history.close()
        (made,) = passes
        made.found.keys = {}
        assert msgspec.json.encode(made.found) == found(log) == again(log)


def test_a_changed_record_is_noticed(tmp_path: Path) -> None:
    """If a byte of an old record changed, stored entries are not used and the record gives none."""
    log = tmp_path / "shop"
    add(log, ["a 09:00 prompt one", "a 09:01 prompt two"])
    assert [entry.kind for entry in entries_of(str(log)).trails["a"].entries] == ["prompt"] * 2
    active = log / "active.jsonl"
    active.write_bytes(active.read_bytes().replace(b'"text":"two"', b'"text":"owt"'))
    os.utime(active, ns=(1, 1))
    assert [entry.kind for entry in entries_of(str(log)).trails["a"].entries] == ["prompt"]
