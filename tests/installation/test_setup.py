"""Setup and uninstall of the plugin, with a stand-in for the client."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from .machine import Machine, failures

if TYPE_CHECKING:
    from pathlib import Path

ID = "journal@context-journal"


def hooks_of(plugin: Path) -> list[tuple[str, list[str]]]:
    """(command, args) of every handler."""
    document = json.loads((plugin / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    return [
        (handler["command"], handler["args"])
        for groups in document["hooks"].values()
        for group in groups
        for handler in group["hooks"]
    ]


def test_setup_registers_its_own_directory(machine: Machine) -> None:
    """The client is told of the directory in the journal home, then asked to install from it."""
    machine.setup()
    assert machine.calls() == [
        ["plugin", "marketplace", "add", str(machine.plugin), "--scope", "user"],
        ["plugin", "install", ID, "--scope", "user"],
    ]


def test_the_hooks_name_interpreter_and_program(machine: Machine) -> None:
    """Every installed hook starts the real interpreter with the installed program, by full path."""
    machine.setup()
    found = hooks_of(machine.plugin)
    program = str(machine.product / "hooks" / "run.py")
    assert len(found) > 10
    assert {(command, *args) for command, args in found} == {(sys.executable, "-I", "-S", program)}


def test_the_plugin_stands_alone(machine: Machine) -> None:
    """Manifests are those of the product; the wrapper runs the product from any directory."""
    machine.setup()
    for name in ("plugin.json", "marketplace.json"):
        made = machine.plugin / ".claude-plugin" / name
        assert made.read_bytes() == (machine.product / ".claude-plugin" / name).read_bytes()
    out = machine.run([str(machine.plugin / "bin" / "journal"), "a b", "--c"])
    assert out.split("\n")[0] == f"{sys.executable} journal a b --c"


def test_skills_are_copied(machine: Machine) -> None:
    """What lies in skills/ is in the plugin, and goes when it goes from the product."""
    machine.product = machine.checkout("own")
    skill = machine.product / "skills" / "extra" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("text", encoding="utf-8")
    machine.setup()
    copy = machine.plugin / "skills" / "extra" / "SKILL.md"
    assert copy.read_text(encoding="utf-8") == "text"
    skill.unlink()
    machine.setup()
    assert not copy.parent.exists()


def test_twice_equals_once(machine: Machine) -> None:
    """A second setup leaves every file of the home as the first did."""
    machine.write(b'{"model": "opus"}\n')
    machine.setup(statusline=True)
    once = machine.tree()
    result = machine.setup(statusline=True)
    assert machine.tree() == once
    assert "unchanged" in {step["status"] for step in result["steps"] if "plugin" in step["what"]}


def test_an_update_replaces(machine: Machine) -> None:
    """Files of an older version are replaced or removed, whatever they were."""
    machine.setup()
    fresh = machine.tree()
    (machine.plugin / "hooks" / "hooks.json").write_text("{}", encoding="utf-8")
    (machine.plugin / "old").mkdir()
    (machine.plugin / "old" / "file").write_text("x", encoding="utf-8")
    result = machine.setup()
    assert machine.tree() == fresh
    assert not (machine.plugin / "old").exists()
    assert "done" in {step["status"] for step in result["steps"] if "in place" in step["what"]}


def test_without_a_client_two_lines_are_given(bare: Machine) -> None:
    """Where the client is not found, setup gives exactly the lines to type in it, and goes on."""
    result = bare.setup()
    assert result["to_type"] == [
        f"/plugin marketplace add {bare.plugin}",
        f"/plugin install {ID}",
    ]
    assert (bare.plugin / "hooks" / "hooks.json").exists()
    assert not bare.settings.exists()


def test_with_a_client_nothing_is_to_be_typed(machine: Machine) -> None:
    """Sibling: where the client did it, there is nothing to type."""
    assert machine.setup()["to_type"] == []


def test_a_named_client_is_used(machine: Machine) -> None:
    """--client names it where it is not on PATH; one that is not there is refused beforehand."""
    machine.env["PATH"] = "/usr/bin:/bin"
    machine.setup(client=str(machine.root / "programs" / "claude"))
    assert machine.calls()
    result = machine.call("setup", client=str(machine.root / "nowhere"))
    assert failures(result)[0]["where"] == str(machine.root / "nowhere")


def test_a_client_that_fails_is_quoted(machine: Machine) -> None:
    """What the client said stands in the failed step, with the lines to type as remedy."""
    machine.env["FAIL"] = "install"
    failed = failures(machine.call("setup"))
    assert "no such luck" in failed[0]["what"]
    assert f"/plugin install {ID}" in failed[0]["remedy"]


def test_a_dry_run_changes_nothing(machine: Machine) -> None:
    """Steps are shown as planned, no file is written and the client is not asked to change."""
    machine.write(b"{}\n")
    before = machine.tree()
    result = machine.setup(dry_run=True, statusline=True)
    assert [step["status"] for step in result["steps"]] == ["unchanged", *["planned"] * 5]
    assert machine.tree() == before
    assert machine.calls() == []


def test_a_dry_uninstall_changes_nothing(machine: Machine) -> None:
    """The same for uninstall, of what setup did."""
    machine.write(b"{}\n")
    machine.setup(statusline=True)
    before, calls = machine.tree(), machine.calls()
    machine.uninstall(dry_run=True)
    assert machine.tree() == before
    assert machine.calls() == calls


@pytest.mark.parametrize("name", ["a b'c\"d$HOME`id`;e|f&g\\h", "-dash ünï"])
def test_any_home_path(tmp_path: Path, name: str) -> None:
    """Whatever the home is called, hook, wrapper and status line run, and uninstall cleans up."""
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


def test_a_hook_that_fails_is_told(machine: Machine) -> None:
    """Setup ends by feeding the hook: one that leaves no event, or complains, fails the setup."""
    for name, hook in (("silent", ""), ("loud", "import sys\nsys.exit('broken')\n")):
        product = machine.checkout(name, hook=hook)
        failed = failures(machine.call("setup", product))
        assert failed[-1]["where"] == str(product / "hooks" / "run.py")


def test_the_fed_hook_is_measured(machine: Machine) -> None:
    """A hook that works is shown with its cost beside the bare interpreter's."""
    last = machine.setup()["steps"][-1]
    assert last["status"] == "done"
    assert "times the bare interpreter" in last["what"]


def test_feeding_leaves_the_journal_alone(machine: Machine) -> None:
    """The fed call goes to a throwaway home: no event of it is in the person's journal."""
    machine.setup()
    assert not [path for path in machine.tree() if path.endswith(".jsonl")]


@pytest.mark.parametrize("kind", ["files", "link", "file"])
def test_a_foreign_plugin_directory_is_refused(machine: Machine, kind: str) -> None:
    """What setup did not make is neither written to nor removed."""
    machine.journal.mkdir(parents=True)
    other = machine.root / "other"
    other.mkdir()
    (other / "precious").write_text("x", encoding="utf-8")
    if kind == "link":
        machine.plugin.symlink_to(other)
    elif kind == "file":
        machine.plugin.write_text("x", encoding="utf-8")
    else:
        other.rename(machine.plugin)
    before = machine.tree()
    for what in ("setup", "uninstall"):
        result = machine.call(what)
        assert str(machine.plugin) in {step["where"] for step in failures(result)}
        assert machine.tree() == before or what == "uninstall"
    kept = other if kind == "link" else machine.plugin
    assert kept.is_file() or (kept / "precious").exists()


def test_a_half_made_directory_is_taken_over(machine: Machine) -> None:
    """A setup killed after its first file is finished by the next one."""
    machine.setup()
    whole = machine.tree()
    (machine.plugin / "bin" / "journal").unlink()
    (machine.plugin / ".claude-plugin" / "plugin.json").unlink()
    machine.setup()
    assert machine.tree() == whole


def test_two_checkouts(machine: Machine) -> None:
    """The second checkout takes over, and uninstalling it restores what was before the first."""
    text = b'{"statusLine": {"type": "command", "command": "date | tr a b"}}'
    machine.write(text)
    machine.setup(statusline=True)
    second = machine.checkout("second")
    machine.setup(product=second, statusline=True)
    settings = json.loads(machine.settings.read_text(encoding="utf-8"))
    assert str(second) in settings["statusLine"]["command"]
    assert {args[-1] for _, args in hooks_of(machine.plugin)} == {str(second / "hooks" / "run.py")}
    kept = json.loads((machine.journal / "statusline.json").read_text(encoding="utf-8"))
    assert kept["previous"]["command"] == "date | tr a b"
    machine.uninstall(product=second)
    assert machine.settings.read_bytes() == text


def test_uninstall_leaves_the_journal(machine: Machine) -> None:
    """Events stay where they are, and it is said where and how big."""
    machine.setup()
    events = machine.journal / "shop-01234567" / "active.jsonl"
    events.parent.mkdir()
    events.write_text("x" * 321, encoding="utf-8")
    result = machine.uninstall()
    assert events.exists()
    assert [p.name for p in machine.journal.iterdir()] == ["shop-01234567"]
    said = result["steps"][-1]
    assert "321 bytes" in said["what"]
    assert said["where"] == str(machine.journal)


def test_uninstall_says_what_is_left(machine: Machine) -> None:
    """A client that still lists the plugin makes the check fail, with the line to run."""
    machine.setup()
    machine.env["GHOST"] = ID
    result = machine.call("uninstall")
    assert not result["ok"]
    assert [step["remedy"] for step in result["checked"] if step["status"] == "failed"] == [
        f"run: claude plugin uninstall {ID}"
    ]


def test_uninstall_finds_nothing_left(machine: Machine) -> None:
    """Sibling: where all is gone, each place is named and clean."""
    machine.setup(statusline=True)
    result = machine.uninstall()
    assert {step["status"] for step in result["checked"]} == {"done"}
    looked = {step["where"] for step in result["checked"]}
    assert {str(machine.plugin), str(machine.settings)} <= looked


def test_uninstall_without_a_record(machine: Machine) -> None:
    """Where the client was told by hand, uninstall takes out what is ours and nothing else."""
    theirs = {"enabledPlugins": {"other@x": True}, "extraKnownMarketplaces": {"x": {}}}
    both = {"enabledPlugins": {"other@x": True, ID: True}, "extraKnownMarketplaces": {"x": {}}}
    machine.write(json.dumps(both).encode())
    machine.env["PATH"] = "/usr/bin:/bin"
    machine.uninstall()
    assert json.loads(machine.settings.read_text(encoding="utf-8")) == theirs


def test_uninstall_without_setup(machine: Machine) -> None:
    """Where nothing is installed, nothing is changed and nothing fails."""
    machine.write(b'{ "model" : "opus" }')
    before = machine.tree()
    machine.uninstall()
    assert machine.tree() == before


def test_uninstall_without_the_client(machine: Machine) -> None:
    """The settings lose the plugin even so, and the lines for the client's own list are given."""
    machine.write(b'{"model": "opus"}')
    machine.setup()
    machine.env["PATH"] = "/usr/bin:/bin"
    result = machine.uninstall()
    assert result["to_type"] == [
        f"/plugin uninstall {ID}",
        "/plugin marketplace remove context-journal",
    ]
    assert machine.settings.read_bytes() == b'{"model": "opus"}'


def test_project_scope(machine: Machine) -> None:
    """In a project, plugin and status line go to its files, each as far as it is shared."""
    project = machine.root / "shop"
    project.mkdir()
    machine.setup(scope="project", project=str(project), statusline=True)
    assert [call[-1] for call in machine.calls()] == ["project", "project"]
    shared = json.loads((project / ".claude" / "settings.json").read_text(encoding="utf-8"))
    assert ID in shared["enabledPlugins"]
    assert "statusLine" not in shared
    local = json.loads((project / ".claude" / "settings.local.json").read_text(encoding="utf-8"))
    assert "statusline.py" in local["statusLine"]["command"]
    assert not machine.settings.exists()
    machine.uninstall()
    assert os.listdir(project / ".claude") == []
