"""The command that resumes a session in Claude Code, or why there is none."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import pytest

from journal.history.conversations.resume import Transcripts
from projections.digest import Digest
from projections.session import Session

from .lines import SID, prompt_line, written

if TYPE_CHECKING:
    from pathlib import Path


def slug(path: Path) -> str:
    """Return the name of the folder in which Claude Code stores a directory's transcripts."""
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in str(path))


def transcripts(top: Path) -> Transcripts:
    """Return the transcripts below a directory."""
    return Transcripts({"CLAUDE_CONFIG_DIR": str(top / "claude")})


@pytest.mark.parametrize("name", ["shop", "my shop", "it's", "$(touch owned)", "a;b", "店"])
def test_the_command_is_one_for_a_shell(tmp_path: Path, name: str) -> None:
    """The directory is quoted, so a shell reads it as one word whatever its name."""
    shop = tmp_path / name
    shop.mkdir()
    written(
        tmp_path / "claude/projects" / slug(shop) / f"{SID}.jsonl",
        prompt_line(1, "x", cwd=str(shop)),
    )
    resume = transcripts(tmp_path).resume(Digest(sid=SID))
    assert resume.why == ""
    assert shlex.split(resume.command) == ["cd", str(shop), "&&", "claude", "--resume", SID]


def test_a_copy_elsewhere(tmp_path: Path) -> None:
    """A newer copy in the folder of another directory does not hide the transcript."""
    projects = tmp_path / "claude/projects"
    for at, folder in enumerate((slug(tmp_path), "a-backup", "z-backup")):
        path = written(projects / folder / f"{SID}.jsonl", prompt_line(1, "x", cwd=str(tmp_path)))
        os.utime(path, (at, at))
    assert transcripts(tmp_path).resume(Digest(sid=SID)).why == ""


def test_why_not(tmp_path: Path) -> None:
    """Each reason has its own text, and then there is no command."""
    shop = tmp_path / "shop"
    folder = tmp_path / "claude/projects" / slug(shop)
    written(folder / f"{SID}.jsonl", prompt_line(1, "x", cwd=str(shop)))
    elsewhere = written(tmp_path / "backup" / "other.jsonl", prompt_line(1, "x", cwd=str(shop)))

    def why(digest: Digest) -> str:
        found = transcripts(tmp_path).resume(digest)
        assert bool(found.command) != bool(found.why)
        return found.why

    assert "directory is gone" in why(Digest(sid=SID))
    shop.mkdir()
    assert why(Digest(sid=SID)) == ""
    assert "does not exist" in why(Digest(sid="gone"))
    assert "does not look" in why(Digest(sid="other", session=Session(transcript=str(elsewhere))))
    assert "does not exist" in why(Digest(sid="other", session=Session(transcript="/etc/passwd")))
    assert "a part of session" in why(Digest(sid="x.7", of="x"))
    assert "not a session ID" in why(Digest(sid="../../etc"))
    written(folder / "no.jsonl", '{"type":"user"}')
    assert "names no directory" in why(Digest(sid="no"))
    written(folder / "moved.jsonl", prompt_line(1, "x", cwd=str(tmp_path)))
    assert "folder of another directory" in why(Digest(sid="moved"))
    odd = tmp_path / "a\nb"
    odd.mkdir()
    written(folder.parent / slug(odd) / "odd.jsonl", prompt_line(1, "x", cwd=str(odd)))
    assert "unprintable" in why(Digest(sid="odd"))
