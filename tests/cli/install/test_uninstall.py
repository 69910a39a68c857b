"""Uninstall: what it removes, what it leaves, and what it says is left."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.install import uninstall
from tests.cli.install.machine import ID, LocalMachine, failures

if TYPE_CHECKING:
    from collections.abc import Callable

PREVIOUS = {"type": "command", "command": "mine"}


def test_a_dry_uninstall_changes_nothing(served: LocalMachine) -> None:
    """A dry uninstall changes nothing either."""
    served.write(b"{}\n")
    served.setup(statusline=True)
    before, calls = served.tree(), served.calls()
    served.uninstall(dry_run=True)
    assert served.tree() == before
    assert served.calls() == calls


def test_uninstall_leaves_the_journal(served: LocalMachine) -> None:
    """Events stay where they are, and uninstall says where and how large they are."""
    served.setup()
    events = served.journal / "shop-01234567" / "active.jsonl"
    events.parent.mkdir()
    events.write_text("x" * 321, encoding="utf-8")
    result = served.uninstall()
    assert events.exists()
    assert [p.name for p in served.journal.iterdir()] == ["shop-01234567"]
    said = result["steps"][-1]
    assert "321 bytes" in said["what"]
    assert said["where"] == str(served.journal)


def test_uninstall_says_that_open_sessions_need_a_restart(served: LocalMachine) -> None:
    """Their hooks are gone, and Claude Code reports that as errors; without the plugin it does not."""
    served.setup()
    assert "restart sessions" in served.uninstall()["steps"][0]["remedy"]
    assert "restart" not in str(served.uninstall()["steps"])


def test_uninstall_says_what_is_left(served: LocalMachine) -> None:
    """If the client still lists the plugin the check fails, with the line to run."""
    served.setup()
    served.env["GHOST"] = ID
    result = served.call("uninstall")
    assert not result["ok"]
    assert [step["remedy"] for step in result["checked"] if step["status"] == "failed"] == [
        f"run: claude plugin uninstall {ID}"
    ]


def test_uninstall_finds_nothing_left(served: LocalMachine) -> None:
    """Sibling: if everything is gone, each place is named as clean."""
    served.setup(statusline=True)
    result = served.uninstall()
    assert {step["status"] for step in result["checked"]} == {"done"}
    looked = {step["where"] for step in result["checked"]}
    assert {str(served.plugin), str(served.settings)} <= looked


def test_uninstall_without_a_record(served: LocalMachine) -> None:
    """Without a record of setup, uninstall removes our entries and nothing else."""
    theirs = {"enabledPlugins": {"other@x": True}, "extraKnownMarketplaces": {"x": {}}}
    both = {"enabledPlugins": {"other@x": True, ID: True}, "extraKnownMarketplaces": {"x": {}}}
    served.write(json.dumps(both).encode())
    served.env["PATH"] = "/usr/bin:/bin"
    served.uninstall()
    assert json.loads(served.settings.read_text(encoding="utf-8")) == theirs


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])


def _flip(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"opus", b"opuz"))


def _replace(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [_cut, _flip, _replace, os.truncate, Path.unlink])
def test_a_damaged_copy_never_gets_into_the_settings(
    served: LocalMachine, damage: Callable[..., None]
) -> None:
    """The copy is named; the settings lose our entries alone, and what is left stays for a person."""
    served.write(b'{ "model" : "opus" }')
    served.setup(statusline=True)
    (copy,) = (served.journal / "install").iterdir()
    damage(*((copy, 0) if damage is os.truncate else (copy,)))
    result = served.call("uninstall")
    values = json.loads(served.settings.read_bytes())  # the client leaves empty objects of its own
    assert {name: value for name, value in values.items() if value} == {"model": "opus"}
    said = [step for step in result["steps"] if step["where"] == str(copy)]
    assert [step["status"] for step in said] == ["skipped" if damage is Path.unlink else "failed"]
    assert (served.journal / "install.json").exists() == (damage is not Path.unlink)


@pytest.mark.parametrize("name", ["install.json", "statusline.json"])
def test_a_damaged_record_is_named_and_stays(served: LocalMachine, name: str) -> None:
    """Uninstall names it and takes out our entries; setup does not write over it."""
    served.write(b'{"statusLine": {"type": "command", "command": "mine"}}')
    served.setup(statusline=True)
    path = served.journal / name
    _cut(path)
    assert [step["where"] for step in served.call("setup")["steps"]] == [str(path)]
    result = served.call("uninstall")
    assert not result["ok"]
    assert str(path) in {step["where"] for step in failures(result)}
    assert json.loads(served.settings.read_bytes())["statusLine"] == PREVIOUS
    assert path.exists()


def test_uninstall_without_setup(served: LocalMachine) -> None:
    """If nothing is installed, nothing changes and nothing fails."""
    served.write(b'{ "model" : "opus" }')
    before = served.tree()
    served.uninstall()
    assert served.tree() == before


def test_uninstall_where_nothing_was_installed(served: LocalMachine) -> None:
    """Without the client and without a trace of the plugin there is nothing to type."""
    served.env["PATH"] = "/usr/bin:/bin"
    result = served.uninstall()
    assert result["to_type"] == []
    assert result["steps"][0]["what"] == "not installed in Claude Code"


def test_uninstall_of_what_the_client_installed(served: LocalMachine) -> None:
    """Without the client, a plugin that it installed itself is named with the lines to type."""
    served.write(f'{{"enabledPlugins": {{"{ID}": true}}}}'.encode())
    served.env["PATH"] = "/usr/bin:/bin"
    assert f"/plugin uninstall {ID}" in served.uninstall()["to_type"]


def test_uninstall_without_the_client(served: LocalMachine) -> None:
    """Without the client the settings still lose the plugin; the client's lines are printed."""
    served.write(b'{"model": "opus"}')
    served.setup()
    served.env["PATH"] = "/usr/bin:/bin"
    result = served.uninstall()
    assert result["to_type"] == [
        f"/plugin uninstall {ID}",
        "/plugin marketplace remove context-journal",
    ]
    assert served.settings.read_bytes() == b'{"model": "opus"}'


def test_the_size_is_that_of_what_stays(served: LocalMachine) -> None:
    """The size of the journal is without the environment that is removed with it."""
    served.setup()
    venv = served.journal / "venv"
    venv.mkdir()
    (venv / ".journal-run").touch()
    (venv / "package").write_bytes(b"x" * 300_000)
    (served.journal / "shop-00000000").mkdir()
    for dry_run in (True, False):
        steps = served.uninstall(dry_run=dry_run)["steps"]
        (stays,) = [step["what"] for step in steps if "the journal stays" in step["what"]]
        assert stays == "the journal stays (0 bytes)"


@pytest.mark.parametrize("dry_run", [True, False])
def test_without_a_journal_nothing_stays(served: LocalMachine, dry_run: bool) -> None:
    """What setup wrote is no journal, also before it is removed; a dry run says what would be done."""
    served.setup(statusline=True)
    whats = [step["what"] for step in served.uninstall(dry_run=dry_run)["steps"]]
    assert not (dry_run and any(what.endswith("removed") for what in whats))
    assert any("no journal yet" in what for what in whats)
    assert not any("stays" in what for what in whats)


@pytest.mark.parametrize("command", ["uv tool uninstall context-journal", ""])
def test_a_package_that_stays_is_named(
    served: LocalMachine, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Uninstall names the command that removes the package; from a checkout there is none."""
    monkeypatch.setattr(uninstall, "removal_command", lambda: command)
    remedies = [step["remedy"] for step in served.uninstall()["steps"]]
    assert (f"to remove it as well: {command}" in remedies) == bool(command)


def test_a_copy_that_removes_itself_leaves_no_journal(
    served: LocalMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy that runs goes at the end of the process: it is not a journal that stays."""
    served.setup()
    copy = served.journal / "app"
    monkeypatch.setattr(sys, "prefix", str(copy / "any" / "venv"))
    at_exit: list[Path] = []
    monkeypatch.setattr(uninstall.atexit, "register", lambda _, path: at_exit.append(Path(path)))
    whats = [step["what"] for step in served.uninstall()["steps"]]
    assert at_exit == [copy]
    assert "there was no journal yet" in whats
    assert not any("stays" in what for what in whats)
