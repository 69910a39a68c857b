"""With damage in any one log of a journal home, no reader answers as if it had seen everything."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import journal.history.importer.workers  # noqa: F401 (before a hook loads a part of msgspec)
from journal.log.segment import segments
from tests.cli.conftest import SID, Workspace, play
from tests.support.command import run_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

READERS: dict[str, list[str]] = {
    "bare": [],
    "status": ["status"],
    "view": ["view", "sessions"],
    "view of pressure": ["view", "pressure"],
    "events": ["events"],
    "events as JSON": ["events", "--json"],
    "sql": ["sql", "select count(*) from events"],
    "sql of sessions": ["sql", "from sessions"],
    "stats": ["stats"],
    "usage": ["usage"],
    "sessions": ["sessions"],
    "search": ["search", "discount"],
    "get": ["get", "last"],
    "show": ["show", "last"],
    "tune": ["tune"],
    "summarize": ["summarize"],
    "export": ["export", "--to", "out"],
    "export of a session": ["export-session", "--session", SID],
    "packs": ["pack", "list"],
    "replay": ["replay"],
    "replay of answers": ["replay", "--answers"],
    "explain": ["explain", "3"],
    "stage": ["stage", "status"],
    "unit": ["unit", "list"],
    "verify": ["verify"],
}


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _cut_lines(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _delete(path: Path) -> None:
    path.unlink()


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir(mode=0o700)


def _link(path: Path) -> None:
    (path.parents[1] / f"{path.name}.backup").hardlink_to(path)


KINDS: dict[str, Callable[[Path], None]] = {
    "cut": _cut,
    "cut at a line": _cut_lines,
    "flipped": _flip,
    "deleted": _delete,
    "a directory": _directory,
    "linked": _link,
}
LOGS = ("sealed", "packed", "active", "imported")


class Home(NamedTuple):
    """A journal with two sealed segments, an active and an imported one, in its workspace."""

    workspace: Workspace

    def path(self, name: str) -> Path:
        """Return the file of one of LOGS."""
        directory = self.workspace.directory
        listed = [Path(segment.path) for segment in segments(str(directory))]
        found = dict(zip(("packed", "sealed", "active"), listed, strict=True))
        found["imported"] = directory / "imported" / "active.jsonl"
        return found[name]


@pytest.fixture(scope="module")
def whole() -> Iterator[Home]:
    """Build the journal once; each case damages a copy at the same path."""
    top = tempfile.mkdtemp(prefix="jg-")
    workspace = Workspace(os.path.realpath(top))
    build(workspace)
    for words in READERS.values():  # so that up-to-date derived files exist
        run(workspace, words)
    shutil.copytree(workspace.top, f"{top}.whole", symlinks=True)
    yield Home(workspace)
    shutil.rmtree(top)
    shutil.rmtree(f"{top}.whole")


@pytest.fixture
def home(whole: Home) -> Home:
    """Return the intact journal, restored."""
    top = whole.workspace.top
    shutil.rmtree(top)
    shutil.copytree(f"{top}.whole", top, symlinks=True)
    return whole


def build(workspace: Workspace) -> None:
    """Make a journal with a log of three segments, and an imported one."""
    play(workspace)
    assert workspace.journal("seal").code == 0
    workspace.hook("UserPromptSubmit", prompt="the second discount")
    assert workspace.journal("seal", "--no-compress").code == 0
    workspace.hook("UserPromptSubmit", prompt="the third discount")
    workspace.hook("SessionEnd", reason="exit")
    _import(workspace)


def run(workspace: Workspace, words: list[str]) -> tuple[int, str, str]:
    """Run a command in this process: exit code, stdout, stderr."""
    result = run_command(words, workspace.env, workspace.project)
    return result.code, result.out, result.err


def _import(workspace: Workspace) -> None:
    folder = workspace.top / "claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    sid = "11111111-2222-4333-8444-555555555555"
    rows = [
        {"type": "user", "uuid": f"u{number}", "sessionId": sid, "cwd": str(workspace.project),
         "timestamp": f"2026-11-20T08:0{number}:00.000Z", "version": "2.1.330",
         "message": {"role": "user", "content": f"an old discount {number}"}}
        for number in range(4)
    ]  # fmt: skip
    folder.joinpath(f"{sid}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = workspace.journal("import")
    assert result.code == 0, result.err
    assert (workspace.directory / "imported" / "active.jsonl").exists()


def _damaged(home: Home, name: str, kind: str) -> None:
    KINDS[kind](home.path(name))


CASES = [
    pytest.param(name, kind, marks=[] if (name, kind) in (
        ("active", "cut at a line"), ("active", "a directory"), ("sealed", "deleted"),
        ("packed", "flipped"), ("imported", "cut at a line"), ("active", "linked"),
    ) else pytest.mark.long)
    for name in LOGS for kind in KINDS
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_no_reader_pretends_to_have_seen_all(home: Home, name: str, kind: str) -> None:
    """With an incomplete log each reader fails with what, where and the next command; a link is fine."""
    _damaged(home, name, kind)
    wrong = {}
    for reader, words in READERS.items():
        code, out, err = run(home.workspace, words)
        if kind == "linked":
            if code or "damaged" in err:
                wrong[reader] = (code, err)
        elif not code or (reader != "verify" and "is damaged" not in err):
            wrong[reader] = (code, err)
        if "--json" in words:
            json.loads(out)
    assert wrong == {}
    rows = home.workspace.journal("doctor", "--json").data
    states = {row["status"] for row in rows if row["name"] in ("findings", "imported")}
    assert ("warn" in states) == (kind != "linked")
