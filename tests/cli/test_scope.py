"""Which project a command is about."""

from __future__ import annotations

import shutil

import pytest

from tests.cli.import_.test_automatic import write_transcript


@pytest.mark.parametrize("name, kind", [("", "all"), ("unfiled", "unfiled")])
def test_project_by_name_of_its_journal(name, kind, played):
    """--project also takes the name of a journal, even one without a project."""
    played.hook("SessionStart", source="startup", cwd="/")
    wanted = name or played.directory.name
    data = played.journal("status", "--json", "--project", wanted, cwd=played.top).data
    assert data["journal"].endswith(wanted)
    assert data["events"] == (31 if kind == "all" else 2)


def test_project_by_directory(played):
    """--project takes any directory of the project, and overrides the environment."""
    inside = played.project / "deep" / "down"
    inside.mkdir(parents=True)
    result = played.journal(
        "events",
        "--json",
        "--project",
        str(inside),
        cwd=played.top,
        CLAUDE_PROJECT_DIR=str(played.top),
    )
    assert len(result.data) == 31


@pytest.mark.parametrize("words", [("status",), ("note", "x"), ("usage",), ("sql", "select 1")],
                         ids=" ".join)  # fmt: skip
def test_a_slip_in_project_is_refused(words, played):
    """A missing directory is an error: nothing is read or created; a similar name is suggested."""
    before = sorted(played.home.iterdir())
    result = played.journal(*words, "--project", "shpo")
    assert (result.code, result.out) == (2, "")
    assert "--project shpo: no such directory" in result.err
    assert "did you mean shop?" in result.err
    assert sorted(played.home.iterdir()) == before


def test_an_unlike_name_is_not_suggested(played):
    """A name that shares two letters with a journal is no misspelling of it."""
    result = played.journal("status", "--project", "nope")
    assert (result.code, "did you mean" in result.err) == (2, False)
    assert "journal sessions --all lists the projects" in " ".join(result.err.split())


def test_a_project_is_named_as_reports_show_it(played):
    """A journal's name is valid with its digest, and without it where no other has that name; else all are named."""
    other, own = played.top / "other", played.directory
    other.mkdir()
    found = [played.journal("status", "--json", "--project", name, cwd=other).data["journal"]
             for name in (own.name, "shop")]  # fmt: skip
    assert found == [str(own)] * 2
    (played.home / "shop-00000000").mkdir()
    shutil.copy(own / "active.jsonl", played.home / "shop-00000000")
    refused = played.journal("status", "--project", "shop", cwd=other)
    assert refused.code == 2
    assert f"did you mean shop-00000000 or {own.name}?" in refused.err


def test_a_directory_that_is_gone_keeps_its_journal(played):
    """The journal of a deleted checkout can still be named by its path."""
    shutil.move(played.project, played.top / "elsewhere")
    (played.top / "other").mkdir()
    result = played.journal("status", "--project", str(played.project), cwd=played.top / "other")
    assert result.code == 0, result.err


def test_other_projects_are_named_only_where_there_are_some(workspace, tmp_path):
    """The hint at `--all` appears with a journal or a transcript of another project, not before."""

    def hints(*words: str) -> bool:
        result = workspace.journal(*words)
        return "--all" in result.out + result.err

    usage = ("usage", "--project", str(workspace.project))
    assert (hints("status"), hints(*usage)) == (False, False)
    own = write_transcript(workspace, 1, workspace.project)
    assert not hints("status")
    own.unlink()
    other = write_transcript(workspace, 2, tmp_path)
    assert (hints("status"), hints(*usage)) == (True, True)
    other.unlink()
    assert not hints("status")
    workspace.journal("note", "x", cwd=tmp_path)
    assert (hints("status"), hints(*usage)) == (True, True)
