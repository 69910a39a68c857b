"""Sessions of a directory that is gone are named where the project may have been."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.cli.import_.test_automatic import day_one, write_transcript

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

__all__ = ["day_one"]


@pytest.fixture
def moved(day_one: Workspace) -> Workspace:
    """A project whose directory was renamed after three sessions."""
    old, new = day_one.project, day_one.project.with_name("store")
    old.rename(new)
    day_one.project = new
    return day_one


def test_a_moved_project_is_told_where_its_past_is(moved: Workspace) -> None:
    """Before and after an import, and beside a new journal, the named command lists the past."""
    old = moved.project.with_name("shop")
    for words in ((), ("status",), ("doctor",)):
        said = moved.journal(*words, COLUMNS="300")
        text = " ".join((said.out + said.err).split())
        assert f"past sessions: journal import, then journal sessions --project {old}" in text, (
            words
        )
    moved.journal("import")
    moved.journal("note", "the first of a new journal")
    assert moved.journal("status", "--json").data["moved_from"] == [str(old)]
    said = " ".join(moved.journal("status", COLUMNS="300").out.split())
    assert f"past sessions: journal sessions --project {old}" in said
    assert len(moved.journal("sessions", "--project", str(old), "--json").data) == 3
    later = {"JOURNAL_NOW": "2027-01-01T12:00:00Z"}
    assert moved.journal("status", "--json", **later).data["moved_from"] == []
    assert str(old) in moved.journal("doctor", COLUMNS="300", **later).out


def test_others_are_not_named(moved: Workspace) -> None:
    """A directory that exists, lies elsewhere, or was used after this project began is not named."""
    write_transcript(moved, 1, moved.project)
    assert moved.journal("status", "--json", "--no-import").data["moved_from"] == []
    shutil.rmtree(moved.top / "claude" / "projects")
    write_transcript(moved, 7, moved.top / "far" / "away")
    other = moved.project.with_name("till")
    other.mkdir(exist_ok=True)
    write_transcript(moved, 8, other)
    moved.journal("note", "begin")
    assert moved.journal("status", "--json").data["moved_from"] == []


@pytest.mark.parametrize(("name", "is_named"), [("cart.py", True), ("till.py", False)])
def test_a_directory_with_other_files_is_not_named(
    moved: Workspace, name: str, *, is_named: bool
) -> None:
    """A deleted neighbour is not named if its last session used files that are not here."""
    old = moved.project.with_name("shop")
    (moved.project / "größe").mkdir()
    (moved.project / "größe" / "cart.py").touch()
    used = json.dumps({"file_path": f"{old}/größe/{name}"}, ensure_ascii=False).replace(": ", ":")
    for path in (moved.top / "claude" / "projects").rglob("*.jsonl"):
        changed = path.stat().st_mtime_ns
        path.write_text(f"{path.read_text()}{used}\n")
        os.utime(path, ns=(changed, changed))
    moved.journal("note", "the first of a new journal")
    assert moved.journal("status", "--json").data["moved_from"] == [str(old)] * is_named
