"""Damage any file beside a log, and ask every reader: its answer stays, or it says what is wrong."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from journal.log import spool
from journal.transcript.backup import copy_transcript
from tests.cli.conftest import AFTER, SID, Workspace
from tests.laws.test_damage import READERS, build, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

IMPORTED_SID = "11111111-2222-4333-8444-555555555555"
ASKED = {
    **READERS,
    "show of an import": ["show", IMPORTED_SID],
    "export of an import": ["export-session", "--session", IMPORTED_SID],
}
NOT_DAMAGED = ("jsonl", ".jsonl.gz")  # the logs: see test_damage


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _flip(share: float) -> Callable[[Path], None]:
    def flip(path: Path) -> None:
        data = bytearray(path.read_bytes())
        if data:
            data[int(len(data) * share)] ^= 4
        path.write_bytes(data)

    return flip


def _delete(path: Path) -> None:
    path.unlink()


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir(mode=0o700)


def _unreadable(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)  # opening it fails, also for root


KINDS: dict[str, Callable[[Path], None]] = {
    "cut": _cut,
    "empty": _empty,
    "deleted": _delete,
    "a directory": _directory,
    "unreadable": _unreadable,
    **{f"flipped at {share}": _flip(share) for share in (0.02, 0.2, 0.4, 0.5, 0.6, 0.8, 0.97)},
}


class Whole(NamedTuple):
    workspace: Workspace
    answers: dict[str, tuple[int, str, str]]
    files: list[str]


def _more(workspace: Workspace) -> None:
    directory = str(workspace.directory)
    with workspace.segment.open("ab") as file:
        file.write(b"rubbish\n")
    assert workspace.journal("repair").code == 0
    copy_transcript(str(workspace.top / "transcript.jsonl"), directory, SID, AFTER)
    note = {"type": "decision.recorded", "v": 1, "sid": SID, "text": "take the second discount"}
    spool.put(directory, AFTER, (note,))
    (workspace.home / "config.toml").write_text('[search]\nmodel = "none"\n')
    (workspace.home / "hook-errors.log").write_text(f"{AFTER} Stop ValueError: x\n")
    (workspace.directory / "missed").write_bytes(b"..")
    (workspace.directory / "overlaps").write_bytes(b".")


@pytest.fixture(scope="module")
def whole() -> Iterator[Whole]:
    top = tempfile.mkdtemp(prefix="jg-")
    workspace = Workspace(os.path.realpath(top))
    build(workspace)
    _more(workspace)
    shutil.rmtree(workspace.top / "claude")
    for words in ASKED.values():
        run(workspace, words)
    shutil.copytree(workspace.top, f"{top}.whole", symlinks=True)
    answers = {name: run(workspace, words) for name, words in ASKED.items()}
    files = [
        str(path.relative_to(workspace.home))
        for path in sorted(workspace.home.rglob("*"))
        if path.is_file()
    ]
    yield Whole(workspace, answers, files)
    shutil.rmtree(top)
    shutil.rmtree(f"{top}.whole")
