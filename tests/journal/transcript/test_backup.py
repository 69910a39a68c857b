"""The copy of a transcript before a compaction: opt-in, redacted, bounded, and never blocking."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from journal.codec import digest
from journal.transcript.backup import FOLDER, copy_transcript, name_of, remove_expired
from tests.cases.world import ROOT, SID, World

NOW = "2026-11-21T09:00:05.123Z"
SECRET = "AKIAIOSFODNN7EXAMPLE"
ON = "[transcripts]\nbackup = true\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a world with one session, whose transcript contains a secret."""
    made = World(tmp_path)
    made.journal.mkdir(parents=True)
    path = made.transcript()
    path.parent.mkdir(parents=True)
    path.write_text(
        json.dumps({"type": "user", "message": {"content": f"use {SECRET} please"}}) + "\n"
        + json.dumps({"type": "user", "message": {"content": 'she said \\"漢字\\"\n'}}) + "\n"
    )  # fmt: skip
    return made


def _copies(world: World) -> list[Path]:
    return sorted(world.journal.glob(f"*/{FOLDER}/*"))


def _wait(world: World, count: int = 1) -> list[Path]:
    for _ in range(400):
        found = _copies(world)
        if len(found) >= count and not any(path.suffix == ".tmp" for path in found):
            return found
        time.sleep(0.05)
    raise AssertionError(f"{_copies(world)}: fewer than {count}")


def _text(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def test_a_compaction_leaves_a_redacted_copy(world: World) -> None:
    """If switched on, each compaction leaves one copy, named by the session's digest and the time."""
    (world.journal / "config.toml").write_text(ON)
    world.compacting()
    [path] = _wait(world)
    assert path.name == name_of(SID, world.env()["JOURNAL_NOW"])
    assert path.name.startswith(digest(SID) + "-20261121T090001")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    text = _text(path)
    assert SECRET not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert "please" in lines[0]["message"]["content"]
    assert lines[1]["message"]["content"] == 'she said \\"漢字\\"\n'
    assert not (world.journal / "hook-errors.log").exists()


def test_without_the_switch_there_is_no_copy(world: World) -> None:
    """Copies are off by default; only the user's own settings can switch them on, not a project's."""
    config = world.project / ".claude" / "journal.toml"
    config.parent.mkdir()
    config.write_text(ON)
    world.compacting()
    (world.journal / "config.toml").write_text(ON)
    world.after(minutes=20).compacting()
    assert len(_wait(world)) == 1


def test_a_call_that_comes_twice_makes_one_copy(world: World) -> None:
    """A doubly registered hook or a subagent's compaction adds no copy; the next compaction does."""
    (world.journal / "config.toml").write_text(ON)
    raw = json.dumps({"session_id": SID, "transcript_path": str(world.transcript()),
                      "cwd": str(world.project), "hook_event_name": "PreCompact",
                      "trigger": "auto", "custom_instructions": None}).encode()  # fmt: skip
    world.feed(raw, "PreCompact")
    world.now = world.now.replace(microsecond=5000)
    world.feed(raw, "PreCompact")
    world.compacting(agent_id="a1", agent_type="x")
    world.after(hours=1).compacting()
    assert len(_wait(world, 2)) == 2


def test_a_fault_is_noted_and_not_shown(world: World) -> None:
    """If the transcript is missing or a link, the hook answers as usual and the log names the error."""
    (world.journal / "config.toml").write_text(ON)
    world.transcript().unlink()
    reply = world.compacting()
    assert (reply.code, reply.err) == (0, "")
    log = world.journal / "hook-errors.log"
    for _ in range(400):
        if log.exists():
            break
        time.sleep(0.05)
    assert "backup FileNotFoundError" in log.read_text()
    assert _copies(world) == []
    (world.base / "elsewhere").write_text("{}")
    world.transcript().symlink_to(world.base / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        copy_transcript(str(world.transcript()), str(next(world.journal.glob("shop-*"))), SID, NOW)


def test_the_hook_does_not_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook ends before the copy has begun, and the copy goes on without it."""
    (world.journal / "config.toml").write_text(ON)
    stand_in, go, done = (world.base / name for name in ("python", "go", "done"))
    stand_in.write_text(
        f"#!/bin/sh\nwhile [ ! -e '{go}' ]; do sleep 0.02; done\necho \"$@\" > '{done}'\n"
    )
    stand_in.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stand_in))
    world.inline = True
    world.compacting()
    assert not done.exists()
    go.touch()
    for _ in range(400):
        if done.exists() and done.read_text().endswith("\n"):
            break
        time.sleep(0.05)
    assert "hooks/run.py backup " in done.read_text()


def test_memory_does_not_grow_with_the_transcript(tmp_path: Path) -> None:
    """A line too long to copy becomes a note of its size; 80 MB are copied in less than 60 MB."""
    big = tmp_path / "t.jsonl"
    with big.open("wb") as file:
        file.write(b'{"a":1}\n')
        file.write(b'{"b":"' + b"x" * 80_000_000 + b'"}\n')
        file.write(b'{"c":3}')
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from journal.transcript.backup import copy_transcript\n"
        f"print(copy_transcript({str(big)!r}, {str(tmp_path / 'j')!r}, 's', {NOW!r}))\n"
        "print(next(x for x in open('/proc/self/status') if x.startswith('VmHWM')).split()[1])\n"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True,
                         check=True)  # fmt: skip
    path, kilobytes = ran.stdout.split()
    lines = [json.loads(line) for line in _text(Path(path)).splitlines()]
    assert lines == [{"a": 1}, {"type": "journal.omitted", "bytes": 80_000_009}, {"c": 3}]
    assert int(kilobytes) < 60_000


def test_a_path_that_is_none_starts_nothing(world: World) -> None:
    """Without a usable path nothing is copied; the next call with a path makes a copy."""
    (world.journal / "config.toml").write_text(ON)
    world.inline = True
    for path in ("", "relative.jsonl", 7, None, ["x"]):
        world.compacting(transcript_path=path)
        assert not (world.journal / "hook-errors.log").exists(), path
    world.inline = False
    world.compacting(transcript_path="/nul\0byte")
    assert (world.journal / "hook-errors.log").read_text().count("\n") == 1
    world.compacting()
    assert len(_wait(world)) == 1


LINES = [
    pytest.param(b"not json " + SECRET.encode(), id="no-json"),
    pytest.param(b'{"a":"' + SECRET.encode() + b'"}', id="json"),
    pytest.param(b'{"a":"' + "".join(f"\\u{ord(c):04x}" for c in SECRET).encode() + b'"}', id="escaped"),
    pytest.param(b"\xff\xfe " + SECRET.encode(), id="no-text"),
    pytest.param(b"[" * 5000 + b'"' + SECRET.encode() + b'"' + b"]" * 5000, id="deep"),
    pytest.param(b'{"k":"-----BEGIN RSA PRIVATE KEY-----\\nMIIEabcdefghijklmnop\\n'
                 b'-----END RSA PRIVATE KEY-----"}', id="key"),
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_no_form_of_a_line_lets_a_secret_through(tmp_path: Path, line: bytes) -> None:
    """No form of line lets a secret through, and the harmless lines around it are kept."""
    source = tmp_path / "t.jsonl"
    source.write_bytes(b'{"before":1}\n' + line + b'\n{"after":2}\n')
    text = _text(Path(copy_transcript(str(source), str(tmp_path / "j"), "s", NOW)))
    assert SECRET not in text
    assert "MIIEabcdefghijklmnop" not in text
    assert text.startswith('{"before":1}\n')
    assert text.endswith('\n{"after":2}\n')


AGES = [
    pytest.param(name_of("s", "2026-10-21T09:00:04.000Z"), True, id="older"),
    pytest.param(name_of("s", "2026-10-23T09:00:05.000Z"), False, id="younger"),
    pytest.param("notes-20200101T000000000Z.jsonl.gz", False, id="not-ours"),
    pytest.param("0123456789abcdef-20201399T000000000Z.jsonl.gz", False, id="no-time"),
    pytest.param("0123456789abcdef-2020.jsonl.gz", False, id="short"),
    pytest.param("keep.txt", False, id="other"),
]


@pytest.mark.parametrize("name, goes", AGES)
def test_only_old_copies_are_removed(tmp_path: Path, name: str, goes: bool) -> None:
    """Copies are removed by the time in their name, not the file's time; other files stay."""
    folder = tmp_path / FOLDER
    folder.mkdir()
    (folder / name).write_bytes(b"x")
    os.utime(folder / name, (0, 0))
    remove_expired(str(tmp_path), NOW, 30)
    assert (folder / name).exists() is not goes


def test_a_hook_without_the_switch_does_not_load_what_starts_processes(world: World) -> None:
    """Without the switch a hook loads neither `gzip` nor the backup; `subprocess` is never loaded."""
    code = (
        f"import sys,os,json; sys.path.insert(0, {str(ROOT)!r})\n"
        "from hooks.capture import capture\n"
        "capture(sys.stdin.buffer.read(), os.environ)\n"
        "sys.stderr.write(' '.join(sorted({'subprocess', 'gzip', 'hooks.detached'} & set(sys.modules))))"
    )
    raw = json.dumps({"session_id": SID, "transcript_path": str(world.transcript()),
                      "cwd": str(world.project), "hook_event_name": "PreCompact", "trigger": "auto"})  # fmt: skip
    for switch, loaded in (("", ""), (ON, "hooks.detached")):
        (world.journal / "config.toml").write_text(switch)
        ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=raw, text=True,
                             env=world.after(hours=1).env(), capture_output=True, check=True)  # fmt: skip
        assert ran.stderr == loaded
    _wait(world)


def test_a_result_is_judged_with_the_command_of_an_earlier_line(world: World) -> None:
    """The copy has neither form of the result of a command that prints a password."""
    word = "qv" + "4bTmK7Rx"
    given = {"command": "vault kv get -field=password secret/app"}
    result = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": word}],
    }
    lines = (
        {"message": {"content": [{"type": "tool_use", "id": "t1", "input": given}]}},
        {"message": {"content": [result]}, "toolUseResult": {"stdout": f"{word}\n"}},
        {"message": {"content": [result, "text"]}, "toolUseResult": "x"},
    )
    world.transcript().write_text("".join(json.dumps(line) + "\n" for line in lines))
    directory = str(world.journal / "shop")
    copied = _text(Path(copy_transcript(str(world.transcript()), directory, SID, NOW))).splitlines()
    assert word not in copied[1]
    assert word in copied[2]
