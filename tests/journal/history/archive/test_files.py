"""Stored conversations outlive their transcripts: redacted, each line once, within a size limit."""

from __future__ import annotations

import json
import os
import re
import stat
from typing import TYPE_CHECKING

import pytest

from journal.history.archive.files import conversation, parts_in, stored_bytes
from journal.history.importer.records import line_of
from journal.history.importer.state import STATE, note_removed, stored_parts
from journal.home import project_of
from tests.journal.history.importer.conftest import SID, Sandbox
from tests.journal.history.importer.lines import prompt
from tests.support.examples import third

if TYPE_CHECKING:
    from pathlib import Path

    from journal.history.importer.records import TranscriptLine


def directory(sandbox: Sandbox) -> str:
    """Return the journal directory of the transcript's project."""
    return str(sandbox.home / project_of("/home/dev/shop", sandbox.env).name)


def stored(sandbox: Sandbox) -> list[TranscriptLine]:
    """Return the stored lines of the session."""
    return list(conversation(directory(sandbox), SID))


def stored_in_parts(sandbox: Sandbox, texts: str) -> Path:
    """Import a prompt of each letter by a run of its own; return the file of the conversation."""
    for at, text in enumerate(texts, 1):
        sandbox.write(prompt(text, at))
        sandbox.run()
    (file,) = (sandbox.home / directory(sandbox) / "conversations").iterdir()
    return file


def test_a_damaged_line_keeps_its_records(sandbox: Sandbox) -> None:
    """A record inside a line that is not one record is stored, as it is imported."""
    torn = b'{"parentUuid":null,"type":"user","mess'
    sandbox.write(torn + json.dumps(prompt("fix it")).encode() + b"\n", prompt("go on", 2))
    sandbox.run()
    assert [line.message and line.message.content for line in stored(sandbox)] == [
        "fix it",
        "go on",
    ]


def test_a_transcript_that_grows_and_is_read_again(sandbox: Sandbox) -> None:
    """Each line is stored once, even if the state was lost and the whole transcript is read again."""
    sandbox.write(prompt("a", 1))
    sandbox.run()
    sandbox.write(prompt("b", 2))
    sandbox.run()
    sandbox.delete_state()
    sandbox.write(prompt("c", 3))
    sandbox.run()
    sandbox.file.unlink()
    texts = [line.message.content for line in stored(sandbox) if line.message is not None]
    assert texts == ["a", "b", "c"]


def test_the_size_limit(sandbox: Sandbox) -> None:
    """Above the limit nothing is stored; once the limit is raised, the missing lines are."""
    sandbox.home.mkdir()
    config = sandbox.home / "config.toml"
    config.write_text("[import]\ntext_mib = 0\n")
    sandbox.write(prompt("a", 1))
    sandbox.run()
    assert stored_bytes(directory(sandbox)) == 0
    config.write_text("[import]\ntext_mib = 1\n")
    sandbox.write(prompt("b", 2))
    sandbox.run()
    assert [line.message.content for line in stored(sandbox) if line.message] == ["a", "b"]


def test_a_full_archive_has_what_it_has(sandbox: Sandbox) -> None:
    """What is stored already is not left out, even if the files have reached the limit."""
    sandbox.write(prompt("a", 1))
    assert sandbox.run(limit=1_000).sink.left_out == set()
    full = stored_bytes(directory(sandbox))
    sandbox.delete_state()
    assert sandbox.run(limit=full).sink.left_out == set()
    sandbox.write(prompt("b", 2))
    assert sandbox.run(limit=full).sink.left_out == {str(sandbox.file)}
    assert stored_bytes(directory(sandbox)) == full


def test_what_a_crash_left_half_written(sandbox: Sandbox) -> None:
    """A half-written part is not read, and the next import writes after the whole parts."""
    sandbox.write(prompt("a", 1))
    sandbox.run()
    (file,) = (sandbox.home / directory(sandbox) / "conversations").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with file.open("ab") as torn:
        torn.write(b"0123 99 1000\nabc")
    assert len(stored(sandbox)) == 1
    sandbox.write(prompt("b", 2))
    sandbox.run()
    assert len(stored(sandbox)) == 2


def test_a_damaged_part_is_named_and_the_others_are_read(sandbox: Sandbox) -> None:
    """If the middle one of three parts is damaged, the others are read and its offset is reported."""
    file = stored_in_parts(sandbox, "abc")
    data = bytearray(file.read_bytes())
    middle = data.index(b"\n", data.index(b"\n", len(data) // 3)) + 1
    damaged: list[int] = []
    assert len(list(conversation(directory(sandbox), SID, damaged))) == 3
    assert damaged == []
    data[middle + 2 : middle + 12] = bytes(10)
    file.write_bytes(data)
    texts = [
        line.message.content
        for line in conversation(directory(sandbox), SID, damaged)
        if line.message
    ]
    assert len(texts) == 2
    assert len(damaged) == 1


def missing(sandbox: Sandbox) -> list[int]:
    """Return the offsets at which the stored conversation is damaged or ends too early."""
    folder = directory(sandbox)
    damaged: list[int] = []
    expected = stored_parts(*os.path.split(folder), SID)
    list(conversation(folder, SID, damaged, expected))
    return damaged


@pytest.mark.parametrize("left", [None, 0, 1, 2])
def test_a_conversation_that_lost_its_end_is_noticed(sandbox: Sandbox, left: int | None) -> None:
    """A deleted file, an empty one and one without its last part are damaged; a whole one is not."""
    file = stored_in_parts(sandbox, "ab")
    heads = [head for head, _ in parts_in(str(file))]
    assert missing(sandbox) == []
    if left is None:
        file.unlink()
    else:
        os.truncate(file, (0, heads[1].begin, file.stat().st_size)[left])
    assert bool(missing(sandbox)) == (left != 2)


@pytest.mark.parametrize("known", [True, False])
def test_a_conversation_removed_on_purpose_is_not_missed(sandbox: Sandbox, known: bool) -> None:
    """After `note_removed`, or with a state that records no parts, a missing file is believed."""
    file = stored_in_parts(sandbox, "a")
    project = os.path.basename(directory(sandbox))
    file.unlink()
    assert missing(sandbox) == [0]
    if known:
        note_removed(str(sandbox.home), project, {file.name})
    else:
        state = sandbox.home / STATE
        state.write_text(re.sub(r'"part":\d+', '"part":0', state.read_text()))
    assert missing(sandbox) == []


@pytest.mark.parametrize("left", [None, 0, 1])
def test_what_a_conversation_lost_comes_back_from_its_transcript(
    sandbox: Sandbox, left: int | None
) -> None:
    """The next import stores the missing lines again, and no other, while the transcript exists."""
    file = stored_in_parts(sandbox, "ab")
    heads = [head for head, _ in parts_in(str(file))]
    file.unlink() if left is None else os.truncate(file, (0, heads[1].begin)[left])
    assert missing(sandbox)
    sandbox.run()
    assert missing(sandbox) == []
    assert [
        line.uuid for _, lines in parts_in(str(file)) for line in map(line_of, lines) if line
    ] == [line.uuid for line in stored(sandbox)]
    assert len(stored(sandbox)) == 2


@pytest.mark.parametrize("kind", ["directory", "loop", "pipe"])
def test_an_unusable_file_stops_no_import(sandbox: Sandbox, kind: str) -> None:
    """What is in the place of a conversation is named; the rest is imported, and later that too."""
    file = stored_in_parts(sandbox, "a")
    file.unlink()
    {"directory": file.mkdir, "loop": lambda: file.symlink_to(file.name),
     "pipe": lambda: os.mkfifo(file)}[kind]()  # fmt: skip
    sandbox.write(prompt("b", 2))
    other = sandbox.file.with_name("another.jsonl")
    sandbox.write(prompt("other", 9, sessionId="another"), to=other)
    done = sandbox.run()
    assert list(done.unreadable) == [str(file)]
    assert len(sandbox.events("prompt.submitted")) == 3
    assert list(conversation(directory(sandbox), "another"))
    file.rmdir() if kind == "directory" else file.unlink()
    assert sandbox.run().unreadable == {}
    assert len(stored(sandbox)) == 2


def test_a_backup_by_links_keeps_what_it_has(sandbox: Sandbox) -> None:
    """A conversation with a second hard link is read as it is, and copied before it grows."""
    file = stored_in_parts(sandbox, "a")
    backup = sandbox.top / "backup"
    backup.hardlink_to(file)
    before = backup.read_bytes()
    assert missing(sandbox) == []
    sandbox.write(prompt("b", 2))
    assert sandbox.run().unreadable == {}
    assert backup.read_bytes() == before
    assert len(stored(sandbox)) == 2


def test_a_damaged_head_costs_its_part_alone(sandbox: Sandbox) -> None:
    """If a part's head is damaged, it is reported, and the parts after it are read and kept."""
    file = stored_in_parts(sandbox, "abc")
    data = bytearray(file.read_bytes())
    data[: data.index(b"\n")] = bytes(data.index(b"\n"))
    file.write_bytes(data)
    sandbox.write(prompt("d", 4))
    sandbox.run()
    damaged: list[int] = []
    found = conversation(directory(sandbox), SID, damaged)
    texts = [line.message.content for line in found if line.message]
    assert texts == ["b", "c", "d"]
    assert damaged == [0]


def test_every_flipped_bit_of_a_part_is_noticed(sandbox: Sandbox) -> None:
    """A flipped bit in a part's data changes no line that is read, or the part is reported."""
    file = stored_in_parts(sandbox, "ab")
    whole = [line.uuid for line in stored(sandbox)]
    data = file.read_bytes()
    start = data.index(b"\n") + 1
    for bit in third(range(8 * start, 8 * len(data))):
        flipped = bytearray(data)
        flipped[bit // 8] ^= 1 << bit % 8
        file.write_bytes(flipped)
        damaged: list[int] = []
        found = [line.uuid for line in conversation(directory(sandbox), SID, damaged)]
        assert found == whole or damaged, bit


def test_what_is_not_captured_is_not_stored(sandbox: Sandbox) -> None:
    """If prompts are not captured, no conversation is stored."""
    sandbox.home.mkdir()
    (sandbox.home / "config.toml").write_text("[capture]\nprompts = false\n")
    sandbox.write(prompt("a", 1))
    sandbox.run()
    assert stored(sandbox) == []
