"""Setup of the plugin, with a stand-in for the client."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.install.machine import ID, LocalMachine, Machine, failures, hooks_of, newer

if TYPE_CHECKING:
    from pathlib import Path


def test_setup_registers_its_own_directory(done: Machine) -> None:
    """The client adds the directory in the journal home as a marketplace and installs from it."""
    assert done.calls() == [
        ["plugin", "marketplace", "add", str(done.plugin), "--scope", "user"],
        ["plugin", "install", ID, "--scope", "user"],
    ]


@pytest.mark.long
def test_the_product_may_go(machine: Machine) -> None:
    """Without the product hooks, status line, command, setup and uninstall still work."""
    machine.product = machine.checkout("own")
    machine.write(b'{"model": "opus"}')
    machine.setup(statusline=True)
    machine.product.rename(machine.root / "moved")
    command, arguments = hooks_of(machine.plugin)[0]
    ran = subprocess.run(
        [command, *arguments], input='{"hook_event_name": "SessionStart"}', text=True, check=False,
        env={**machine.environment, "JOURNAL_HOME": str(machine.journal)}, capture_output=True,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    line = json.loads(machine.settings.read_text(encoding="utf-8"))["statusLine"]["command"]
    assert machine.run(["/bin/sh", "-c", line]) == "line\n"
    [copy] = machine.copies
    linked = str(machine.home / ".local" / "bin" / "journal")
    assert machine.run([linked, "a b", "--c"]) == f"{copy}/venv/bin/python journal a b --c\n"
    machine.python = f"{copy}/venv/bin/python"
    before = machine.tree()
    machine.setup(product=copy / "plugin")
    assert machine.tree() == before
    machine.uninstall(product=copy / "plugin")
    assert machine.settings.read_bytes() == b'{"model": "opus"}'
    assert not os.path.lexists(machine.journal / "app")
    assert not os.path.lexists(linked)


def test_twice_equals_once(local: LocalMachine) -> None:
    """A second setup leaves every file of the home as the first did."""
    local.with_client()
    local.write(b'{"model": "opus"}\n')
    local.setup(statusline=True)
    once = local.tree()
    result = local.setup(statusline=True)
    assert local.tree() == once
    assert "unchanged" in {s["status"] for s in result["steps"] if "copy of journal" in s["what"]}


def test_without_a_client_two_lines_are_given(local: LocalMachine) -> None:
    """If the client is not found, setup prints the exact lines to type in it, and goes on."""
    result = local.setup()
    assert result["to_type"] == [
        f"/plugin marketplace add {local.plugin}",
        f"/plugin install {ID}",
    ]
    assert (local.plugin / "hooks" / "hooks.json").exists()
    assert not local.settings.exists()


def test_with_a_client_nothing_is_to_be_typed(served: LocalMachine) -> None:
    """Sibling: if the client did it, there is nothing to type."""
    assert served.setup()["to_type"] == []


def test_a_named_client_is_used(served: LocalMachine) -> None:
    """--client names a client that is not on PATH; a missing one is refused beforehand."""
    served.env["PATH"] = "/usr/bin:/bin"
    served.setup(client=str(served.root / "programs" / "claude"))
    assert served.calls()
    result = served.call("setup", client=str(served.root / "nowhere"))
    assert failures(result)[0]["where"] == str(served.root / "nowhere")


def test_a_client_that_fails_is_quoted(served: LocalMachine) -> None:
    """A failed step quotes the client's message, with the lines to type as remedy."""
    served.env["FAIL"] = "install"
    failed = failures(served.call("setup"))
    assert "no such luck" in failed[0]["what"]
    assert f"/plugin install {ID}" in failed[0]["remedy"]


def test_a_dry_run_changes_nothing(served: LocalMachine) -> None:
    """A dry run lists planned steps, writes no file and asks the client for no change."""
    served.write(b"{}\n")
    before = served.tree()
    result = served.setup(dry_run=True, statusline=True)
    assert [step["status"] for step in result["steps"]] == ["planned"] * 6
    planned = {step["where"] for step in result["steps"]}
    share = served.home / ".local"
    assert {str(share / "bin/journal"), str(share / "share/man/man1/journal.1")} <= planned
    assert served.tree() == before
    assert served.calls() == []


def test_a_dry_run_names_the_status_line_as_setup_does(served: LocalMachine) -> None:
    """It is to be set, is set already, or is another one, which stays."""

    def status(line: bool) -> str:
        steps = served.setup(dry_run=True, statusline=line)["steps"]
        return next((step["status"] for step in steps if step["where"] == str(served.settings)), "")

    assert (status(line=True), status(line=False)) == ("planned", "")
    served.setup(statusline=True)
    assert status(line=True) == "unchanged"
    served.write(b'{"statusLine": {"type": "command", "command": "mine"}}')
    assert (status(line=True), status(line=False)) == ("planned", "skipped")


@pytest.mark.parametrize(
    "name",
    ["-dash ünï a b'c\"d$HOME`id`;e|f&g\\h", pytest.param("-dash ünï", marks=pytest.mark.long)],
)
def test_any_home_path(tmp_path: Path, name: str) -> None:
    """With any home path hook, wrapper and status line run, and uninstall cleans up."""
    machine = Machine(tmp_path, name)
    machine.with_client()
    machine.product = machine.product.rename(tmp_path / f"product {name}")
    machine.write(b'{"a": 1}')
    machine.setup(statusline=True)
    line = json.loads(machine.settings.read_text(encoding="utf-8"))["statusLine"]["command"]
    assert machine.run(["/bin/sh", "-c", line]) == "line\n"
    assert "journal x" in machine.run([str(machine.plugin / "bin" / "journal"), "x"])
    machine.uninstall()
    assert machine.settings.read_bytes() == b'{"a": 1}'
    assert not machine.journal.exists()


def test_two_checkouts(served: LocalMachine) -> None:
    """The second checkout takes over; uninstalling restores the state before the first."""
    text = b'{"statusLine": {"type": "command", "command": "date | tr a b"}}'
    served.write(text)
    served.setup(statusline=True)
    newer(served)
    served.setup(statusline=True)
    kept = json.loads((served.journal / "statusline.json").read_text(encoding="utf-8"))
    assert kept["previous"]["command"] == "date | tr a b"
    served.uninstall()
    assert served.settings.read_bytes() == text


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("text", [b'{"statusLine": {"command": "date", "padding": 2}}', b"{}"])
def test_a_home_copied_from_another_path(local: LocalMachine, text: bytes, again: bool) -> None:
    """Setup renews the status line there; uninstall restores the one from before the first setup."""
    local.write(text)
    local.setup(statusline=True)
    local.home = local.home.rename(local.root / "laptop")
    if again:
        local.setup()
        line = json.loads(local.settings.read_text(encoding="utf-8"))["statusLine"]["command"]
        assert str(local.journal) in line
    local.uninstall()
    assert local.settings.read_bytes() == text


def test_a_status_line_in_another_file_stays_the_only_one(local: LocalMachine) -> None:
    """Sibling: while the settings of a project have it, those of the user do not get it too."""
    project = local.root / "shop"
    project.mkdir()
    local.setup(scope="project", project=str(project), statusline=True)
    refused = local.call("setup", statusline=True)["steps"][-1]
    assert "already installed" in refused["what"]
    assert not local.settings.exists()


def test_project_scope(served: LocalMachine) -> None:
    """With project scope plugin and status line go to the unshared settings file."""
    project = served.root / "shop"
    project.mkdir()
    served.setup(scope="project", project=str(project), statusline=True)
    assert [call[-1] for call in served.calls()] == ["local", "local"]
    assert os.listdir(project / ".claude") == ["settings.local.json"]
    local = json.loads((project / ".claude" / "settings.local.json").read_text(encoding="utf-8"))
    assert ID in local["enabledPlugins"]
    assert "statusline.py" in local["statusLine"]["command"]
    assert not served.settings.exists()
    served.uninstall()
    assert os.listdir(project / ".claude") == []
