"""The links to the command and to its man page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cli.install import on_path
from cli.install.model import SetupResult

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.install.machine import LocalMachine


def test_the_command_is_linked(served: LocalMachine) -> None:
    """If `journal` is not on PATH a link is made, and the line to type is printed."""
    result = served.setup()
    linked = served.home / ".local" / "bin" / "journal"
    assert os.readlink(linked) == str(served.plugin / "bin" / "journal")
    [step] = [step for step in result["steps"] if step["where"] == str(linked)]
    assert 'export PATH="$HOME/.local/bin:$PATH"' in step["remedy"]
    served.env["PATH"] += f":{linked.parent}"
    result = served.setup()
    [step] = [step for step in result["steps"] if step["where"] == str(linked)]
    assert (step["status"], step["remedy"]) == ("unchanged", "")
    served.uninstall()
    assert not os.path.lexists(linked)


def test_the_installer_has_put_it_where_nobody_looks(served: LocalMachine) -> None:
    """A command that uv or pipx linked in ~/.local/bin is ours; only the line for PATH is missing."""
    linked = served.home / ".local" / "bin" / "journal"
    linked.parent.mkdir(parents=True)
    linked.symlink_to(served.product / "bin" / "journal")
    [step] = [step for step in served.setup()["steps"] if step["where"] == str(linked)]
    assert step["what"] == "journal is installed"
    assert 'export PATH="$HOME/.local/bin:$PATH"' in step["remedy"]
    served.uninstall()
    assert linked.is_symlink()


def test_the_man_page_is_linked(served: LocalMachine) -> None:
    """If the command has no man page beside it, a link to the copy's page is made."""
    page = served.home / ".local" / "share" / "man" / "man1" / "journal.1"
    served.env["PATH"] += f":{served.home / '.local' / 'bin'}"
    for status in ("done", "unchanged"):
        [step] = [step for step in served.setup()["steps"] if step["where"] == str(page)]
        assert (step["what"], step["status"]) == ("man page: man journal", status)
    assert os.readlink(page) == str(served.plugin / "cli" / "journal.1")
    planned = [step["where"] for step in served.uninstall(dry_run=True)["steps"]]
    assert str(page) in planned
    assert page.is_symlink()
    served.uninstall()
    assert not os.path.lexists(page)


@pytest.mark.parametrize("place", [".local", "programs"])
def test_an_installed_man_page_stays(served: LocalMachine, place: str) -> None:
    """An existing man page, beside the command or in the link's place, stays as it is."""
    page = served.home / place / "share" / "man" / "man1" / "journal.1"
    program = served.home / place / "bin" / "journal"
    for path in (page, program):
        path.parent.mkdir(parents=True)
        path.write_text("theirs", encoding="utf-8")
    program.chmod(0o755)
    served.env["PATH"] += f":{program.parent}"
    steps = served.setup()["steps"]
    [step] = [step for step in steps if step["where"] == str(page)]
    assert step["status"] == "unchanged"
    link = served.home / ".local" / "share" / "man" / "man1" / "journal.1"
    assert not link.is_symlink()
    served.uninstall()
    assert page.read_text(encoding="utf-8") == "theirs"


def test_a_page_in_the_current_directory_is_not_beside_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no command is found, nothing is beside it: the link is made."""
    page = tmp_path / "share" / "man" / "man1" / "journal.1"
    page.parent.mkdir(parents=True)
    page.write_text("theirs", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = SetupResult()
    env = {"HOME": str(tmp_path / "home"), "PATH": str(tmp_path / "bin")}
    on_path.link_page(str(tmp_path / "journal"), env, result)
    assert [step.status for step in result.steps] == ["done"]


@pytest.mark.parametrize("place", [".local/bin", "programs"])
def test_another_journal_stays(served: LocalMachine, place: str) -> None:
    """Another program named `journal` stays, and the path of ours is printed."""
    other = served.home / place / "journal"
    other.parent.mkdir(parents=True)
    other.write_text("#!/bin/sh\n", encoding="utf-8")
    other.chmod(0o755)
    served.env["PATH"] += f":{other.parent}"
    steps = served.setup()["steps"]
    [step] = [step for step in steps if "another" in step["what"]]
    assert "start ours as" in step["remedy"]
    served.uninstall()
    assert other.read_text(encoding="utf-8") == "#!/bin/sh\n"
