"""A journal home in which every kind of file holds the same secret."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import zlib
from base64 import b64encode
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from journal.history.archive.files import FOLDER, parts_in
from journal.log import spool
from journal.transcript.backup import copy_transcript
from tests.cli.conftest import AFTER, SID, Workspace, workspace
from tests.journal.history.importer.lines import prompt, reply
from tests.support.copied import Copied, copied

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["workspace"]

SECRET = 'Rü"b\\n-qzWx9k'
NEEDLES = (b"qzWx9k", b64encode(SECRET.encode())[4:-4])
TEXT = f"the word is {SECRET}, remember it; encoded {b64encode(SECRET.encode()).decode()}"
OTHER = "an ordinary sentence"


def holding(home: Path, needles: tuple[bytes, ...] = NEEDLES) -> list[str]:
    """Return the files of a home that contain the secret in any form, also compressed."""
    found = []
    for path in sorted(home.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
        elif path.parent.name == FOLDER:
            data = b"\n".join(line for _, lines in parts_in(str(path)) for line in lines)
        data += _unpacked(data)
        if any(needle in data for needle in needles):
            found.append(str(path.relative_to(home)))
    return found


def _unpacked(data: bytes) -> bytes:
    """Return what the zlib streams inside some bytes contain: rows of the index."""
    found, at = b"", 0
    while (at := data.find(b"x\x01", at)) >= 0:
        with suppress(zlib.error):
            found += zlib.decompressobj().decompress(data[at:])
        at += 1
    return found


def fill(workspace: Workspace) -> Workspace:
    """Put the secret into every kind of file that a journal home has."""
    transcript = workspace.top / "claude" / "projects" / "-shop" / "5e55-imported.jsonl"
    transcript.parent.mkdir(parents=True)
    lines = [prompt(TEXT), reply("m1"), prompt(OTHER, 2)]
    transcript.write_text(
        "".join(json.dumps({**line, "cwd": str(workspace.project)}) + "\n" for line in lines)
    )
    for compress in ("", "--no-compress", None):
        workspace.hook("SessionStart", source="startup")
        workspace.hook("UserPromptSubmit", prompt=TEXT)
        workspace.hook(
            "PostToolUse", tool_name="Bash", tool_use_id=f"toolu_{compress}",
            tool_input={"command": f"curl -u {SECRET} x"}, tool_response={"stdout": SECRET},
        )  # fmt: skip
        workspace.hook("Stop", last_assistant_message=OTHER)
        if compress is not None:
            assert workspace.journal("seal", *filter(None, [compress])).code == 0
    directory = str(workspace.directory)
    with workspace.segment.open("ab") as file:
        file.write(f"rubbish {SECRET}\n".encode())
    assert workspace.journal("repair").code == 0
    assert workspace.journal("import").code == 0
    for words in (["search", "qzWx9k"], ["sql", "from turns"], ["sessions"], ["stats"]):
        assert workspace.journal(*words).code == 0
    copy_transcript(str(transcript), directory, SID, AFTER)
    spool.put(directory, AFTER, ({"type": "decision.recorded", "v": 1, "sid": "", "text": TEXT},))
    (workspace.directory / "spool" / "0-1.jsonl.bad").write_text(json.dumps({"half": TEXT})[:-3])
    (workspace.home / "hook-errors.log").write_text(f"{AFTER} Stop ValueError: {SECRET}\n")
    (workspace.directory / f".active.jsonl.{_dead()}-7f.tmp").write_text(TEXT)
    os.utime(workspace.directory / "lock", (1, 1))
    return workspace


def _dead() -> int:
    """Return the id of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        return process.pid


@pytest.fixture(scope="package")
def filled() -> Iterator[Copied[Workspace]]:
    """Build `full` once."""
    yield from copied(lambda top: fill(Workspace(str(top))))


@pytest.fixture
def full(filled: Copied[Workspace]) -> Workspace:
    """Return a workspace whose home holds the secret in every kind of file."""
    return filled.restore()
