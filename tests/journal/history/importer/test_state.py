"""What an import remembers: the keys of recorded facts, and how far each transcript was read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from journal.history.importer.find import Transcript
from journal.history.importer.state import (
    FileState,
    ImportState,
    RecordedKeys,
    fingerprint,
    has_grown,
    key_of,
    load_state,
    save_state,
)
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journal.history.importer.conftest import Sandbox

KEY = "00000000000000aa"


def test_a_fact_is_recorded_once_and_a_reply_that_grew_again() -> None:
    """A known key is refused; a reply's is accepted as long as its output grows."""
    recorded = RecordedKeys()
    assert [recorded.add(KEY) for _ in range(2)] == [True, False]
    assert [recorded.add(KEY, output) for output in (0, 0, 7, 5, 7, 8)] == [
        True, False, True, False, False, True,
    ]  # fmt: skip


def test_the_keys_of_a_log_are_known(sandbox: Sandbox) -> None:
    """Keys and output tokens are read from the imported logs, of all projects or of one."""
    sandbox.write(prompt(), reply("m1", 42))
    sandbox.run()
    (log,) = sandbox.home.glob("*/imported")
    (asked,), (used,) = sandbox.events("prompt.submitted"), sandbox.events("usage.recorded")
    for only, known in ((log.parent.name, True), ("", True), ("another", False)):
        recorded = RecordedKeys()
        recorded.load(str(sandbox.home), only)
        assert recorded.add(asked["key"]) is not known
        assert recorded.add(used["key"], 42) is not known
        assert recorded.add(used["key"], 43)


def test_a_key_is_of_all_its_parts() -> None:
    """The key is 16 hex digits, and parts that join to the same text have different ones."""
    assert key_of("ab", "c") == "3d6305e9f03e93e5"
    assert key_of("a", "bc") != key_of("ab", "c")


@pytest.mark.parametrize(
    ("stored", "since", "reached"),
    [("", "", True), ("", "2026-01-02", True), ("2026-01-02", "", False),
     ("2026-01-02", "2026-01-02", True), ("2026-01-02", "2026-01-01", False)],
)  # fmt: skip
def test_how_far_back_a_transcript_was_read(stored: str, since: str, reached: bool) -> None:
    """A file read without a bound holds all; one with a bound holds what came after it."""
    assert FileState(since=stored).reaches(since) is reached


def test_a_changed_transcript_is_another() -> None:
    """Size, time and inode together tell whether a transcript changed."""
    state = FileState(size=1, mtime=2, inode=3)
    item = Transcript("t.jsonl", 1, 2, 3, "s", "")
    assert state.is_of(item)
    changed = [item._replace(size=9), item._replace(mtime=9), item._replace(inode=9)]
    assert not any(map(state.is_of, changed))


def test_a_file_that_grew_is_the_one_that_was_read(tmp_path: Path) -> None:
    """A file with more at its end has grown; another beginning, end or inode is another file."""
    path = tmp_path / "t.jsonl"
    data = b"a" * 9000
    path.write_bytes(data)

    def grown(content: bytes) -> bool:
        path.write_bytes(content)
        return has_grown(read, descriptor)

    with path.open("rb") as file:
        descriptor = file.fileno()
        inode = os.fstat(descriptor).st_ino
        read = FileState(inode=inode, offset=9000, fingerprint=fingerprint(descriptor, 9000))
        assert grown(data)
        assert grown(data + b"more")
        assert not grown(b"b" + data[1:])
        assert not grown(data[:-1] + b"b")
        assert not grown(data[:-1])
        read.inode += 1
        assert not grown(data)


def test_a_state_that_does_not_fit_is_none(sandbox: Sandbox) -> None:
    """A damaged state, one of another version, or one of logs that are gone counts as none."""
    sandbox.write(reply("m1"))
    sandbox.run()
    home, path = str(sandbox.home), sandbox.home / "import.state"
    state = load_state(home)
    assert list(state.files) == [str(sandbox.file)]
    save_state(home, state, RecordedKeys())
    stored = path.read_bytes()
    assert load_state(home) == state
    for damaged in (b"", b"[", stored.replace(b'"version":3', b'"version":2')):
        path.write_bytes(damaged)
        assert load_state(home) == ImportState()
    path.write_bytes(stored)
    sandbox.delete_logs()
    assert load_state(home) == ImportState()
