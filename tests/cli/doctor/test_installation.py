"""Which installation and project the doctor examines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli import doctor
from cli.install import source
from tests.cli.doctor.examined import project_of, scope_of

if TYPE_CHECKING:
    import pytest

    from tests.cli.install.machine import LocalMachine


def test_without_client_and_setup(bare: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without client and setup the rows say what to do, and nothing is written."""
    root = str(bare.product)
    monkeypatch.setattr(source, "TOP", root)
    before = bare.tree()
    rows = {row.name: row for row in doctor.examine(scope_of(bare))}
    assert rows["plugin"].status == rows["client"].status == rows["status line"].status == "note"
    assert "journal setup" in rows["plugin"].remedy
    assert bare.tree() == before


def test_a_client_that_is_none(bare: Any) -> None:
    """A wrong --client is one row with its remedy, not a failure of every check that asks it."""
    (row,) = doctor.examine(scope_of(bare), "/nowhere/claude")
    assert (row.status, row.where) == ("fail", "/nowhere/claude")
    assert "--client PATH" in row.remedy


def test_it_examines_the_project_of_every_command(examine, served: LocalMachine) -> None:
    """The project of Claude Code counts before that of JOURNAL_PROJECT, as in every command."""
    other = served.root / "other"
    other.mkdir()
    rows = examine(CLAUDE_PROJECT_DIR=str(served.work), JOURNAL_PROJECT=str(other))
    assert str(project_of(served)) in rows["last events"].where
