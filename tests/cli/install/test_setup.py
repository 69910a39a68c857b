"""Setup and uninstall of the plugin, with a stand-in for the client."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.install.machine import LocalMachine, Machine, failures

if TYPE_CHECKING:
    from pathlib import Path

ID = "journal@context-journal"


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, product: Path) -> Machine:
    """Give a machine that was set up once, to be looked at only."""
    machine = Machine(tmp_path_factory.mktemp("done"), product=product)
    machine.with_client()
    machine.result = machine.setup()
    return machine


def hooks_of(plugin: Path) -> list[tuple[str, list[str]]]:
    """(command, args) of every handler."""
    document = json.loads((plugin / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    return [
        (handler["command"], handler["args"])
        for groups in document["hooks"].values()
        for group in groups
        for handler in group["hooks"]
    ]


def test_setup_registers_its_own_directory(done: Machine) -> None:
    """The client is told of the directory in the journal home, then asked to install from it."""
    assert done.calls() == [
        ["plugin", "marketplace", "add", str(done.plugin), "--scope", "user"],
        ["plugin", "install", ID, "--scope", "user"],
    ]


def test_the_hooks_name_interpreter_and_program(done: Machine) -> None:
    """Every installed hook starts the real interpreter with the installed program, by full path."""
    found = hooks_of(done.plugin)
    program = str(done.product / "hooks" / "run.py")
    assert len(found) > 10
    start = (sys.executable, "-I", "-S", program)
    assert {(command, *args) for command, args in found} == {start, (*start, "background")}


def test_the_plugin_stands_alone(done: Machine) -> None:
    """Manifests are those of the product; the wrapper runs the product from any directory."""
    for name in ("plugin.json", "marketplace.json"):
        made = done.plugin / ".claude-plugin" / name
        assert made.read_bytes() == (done.product / ".claude-plugin" / name).read_bytes()
    out = done.run([str(done.plugin / "bin" / "journal"), "a b", "--c"])
    assert out.split("\n")[0] == f"{sys.executable} journal a b --c"


def test_skills_are_copied(served: LocalMachine) -> None:
    """What lies in skills/ is in the plugin, and goes when it goes from the product."""
    served.product = served.checkout("own")
    skill = served.product / "skills" / "extra" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("text", encoding="utf-8")
    served.setup()
    copy = served.plugin / "skills" / "extra" / "SKILL.md"
    assert copy.read_text(encoding="utf-8") == "text"
    skill.unlink()
    served.setup()
    assert not copy.parent.exists()


def test_twice_equals_once(machine: Machine) -> None:
    """A second setup leaves every file of the home as the first did."""
    machine.write(b'{"model": "opus"}\n')
    machine.setup(statusline=True)
    once = machine.tree()
    result = machine.setup(statusline=True)
    assert machine.tree() == once
    assert "unchanged" in {step["status"] for step in result["steps"] if "plugin" in step["what"]}


def test_an_update_replaces(served: LocalMachine) -> None:
    """Files of an older version are replaced or removed, whatever they were."""
    served.setup()
    fresh = served.tree()
    (served.plugin / "hooks" / "hooks.json").write_text("{}", encoding="utf-8")
    (served.plugin / "old").mkdir()
    (served.plugin / "old" / "file").write_text("x", encoding="utf-8")
    result = served.setup()
    assert served.tree() == fresh
    assert not (served.plugin / "old").exists()
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


def test_with_a_client_nothing_is_to_be_typed(served: LocalMachine) -> None:
    """Sibling: where the client did it, there is nothing to type."""
    assert served.setup()["to_type"] == []


def test_a_named_client_is_used(served: LocalMachine) -> None:
    """--client names it where it is not on PATH; one that is not there is refused beforehand."""
    served.env["PATH"] = "/usr/bin:/bin"
    served.setup(client=str(served.root / "programs" / "claude"))
    assert served.calls()
    result = served.call("setup", client=str(served.root / "nowhere"))
    assert failures(result)[0]["where"] == str(served.root / "nowhere")


def test_a_client_that_fails_is_quoted(served: LocalMachine) -> None:
    """What the client said stands in the failed step, with the lines to type as remedy."""
    served.env["FAIL"] = "install"
    failed = failures(served.call("setup"))
    assert "no such luck" in failed[0]["what"]
    assert f"/plugin install {ID}" in failed[0]["remedy"]


def test_a_dry_run_changes_nothing(served: LocalMachine) -> None:
    """Steps are shown as planned, no file is written and the client is not asked to change."""
    served.write(b"{}\n")
    before = served.tree()
    result = served.setup(dry_run=True, statusline=True)
    assert [step["status"] for step in result["steps"]] == ["unchanged", *["planned"] * 5]
    assert served.tree() == before
    assert served.calls() == []


def test_a_dry_uninstall_changes_nothing(served: LocalMachine) -> None:
    """The same for uninstall, of what setup did."""
    served.write(b"{}\n")
    served.setup(statusline=True)
    before, calls = served.tree(), served.calls()
    served.uninstall(dry_run=True)
    assert served.tree() == before
    assert served.calls() == calls


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


def test_the_fed_hook_is_measured(done: Machine) -> None:
    """A hook that works is shown with its cost beside the bare interpreter's."""
    last = done.result["steps"][-1]
    assert last["status"] == "done"
    assert "times the bare interpreter" in last["what"]


def test_feeding_leaves_the_journal_alone(done: Machine) -> None:
    """The fed call goes to a throwaway home: no event of it is in the person's journal."""
    assert not [path for path in done.tree() if path.endswith(".jsonl")]


@pytest.mark.parametrize("kind", ["files", "link", "file"])
def test_a_foreign_plugin_directory_is_refused(served: LocalMachine, kind: str) -> None:
    """What setup did not make is neither written to nor removed."""
    served.journal.mkdir(parents=True)
    other = served.root / "other"
    other.mkdir()
    (other / "precious").write_text("x", encoding="utf-8")
    if kind == "link":
        served.plugin.symlink_to(other)
    elif kind == "file":
        served.plugin.write_text("x", encoding="utf-8")
    else:
        other.rename(served.plugin)
    before = served.tree()
    for what in ("setup", "uninstall"):
        result = served.call(what)
        assert str(served.plugin) in {step["where"] for step in failures(result)}
        assert served.tree() == before or what == "uninstall"
    kept = other if kind == "link" else served.plugin
    assert kept.is_file() or (kept / "precious").exists()


def test_a_half_made_directory_is_taken_over(served: LocalMachine) -> None:
    """A setup killed after its first file is finished by the next one."""
    served.setup()
    whole = served.tree()
    (served.plugin / "bin" / "journal").unlink()
    (served.plugin / ".claude-plugin" / "plugin.json").unlink()
    served.setup()
    assert served.tree() == whole


def test_two_checkouts(served: LocalMachine) -> None:
    """The second checkout takes over, and uninstalling it restores what was before the first."""
    text = b'{"statusLine": {"type": "command", "command": "date | tr a b"}}'
    served.write(text)
    served.setup(statusline=True)
    second = served.checkout("second")
    served.setup(product=second, statusline=True)
    settings = json.loads(served.settings.read_text(encoding="utf-8"))
    assert str(second) in settings["statusLine"]["command"]
    assert {args[2] for _, args in hooks_of(served.plugin)} == {str(second / "hooks" / "run.py")}
    kept = json.loads((served.journal / "statusline.json").read_text(encoding="utf-8"))
    assert kept["previous"]["command"] == "date | tr a b"
    served.uninstall(product=second)
    assert served.settings.read_bytes() == text


def test_uninstall_leaves_the_journal(served: LocalMachine) -> None:
    """Events stay where they are, and it is said where and how big."""
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


def test_uninstall_says_what_is_left(served: LocalMachine) -> None:
    """A client that still lists the plugin makes the check fail, with the line to run."""
    served.setup()
    served.env["GHOST"] = ID
    result = served.call("uninstall")
    assert not result["ok"]
    assert [step["remedy"] for step in result["checked"] if step["status"] == "failed"] == [
        f"run: claude plugin uninstall {ID}"
    ]


def test_uninstall_finds_nothing_left(served: LocalMachine) -> None:
    """Sibling: where all is gone, each place is named and clean."""
    served.setup(statusline=True)
    result = served.uninstall()
    assert {step["status"] for step in result["checked"]} == {"done"}
    looked = {step["where"] for step in result["checked"]}
    assert {str(served.plugin), str(served.settings)} <= looked


def test_uninstall_without_a_record(served: LocalMachine) -> None:
    """Where the client was told by hand, uninstall takes out what is ours and nothing else."""
    theirs = {"enabledPlugins": {"other@x": True}, "extraKnownMarketplaces": {"x": {}}}
    both = {"enabledPlugins": {"other@x": True, ID: True}, "extraKnownMarketplaces": {"x": {}}}
    served.write(json.dumps(both).encode())
    served.env["PATH"] = "/usr/bin:/bin"
    served.uninstall()
    assert json.loads(served.settings.read_text(encoding="utf-8")) == theirs


def test_uninstall_without_setup(served: LocalMachine) -> None:
    """Where nothing is installed, nothing is changed and nothing fails."""
    served.write(b'{ "model" : "opus" }')
    before = served.tree()
    served.uninstall()
    assert served.tree() == before


def test_uninstall_without_the_client(served: LocalMachine) -> None:
    """The settings lose the plugin even so, and the lines for the client's own list are given."""
    served.write(b'{"model": "opus"}')
    served.setup()
    served.env["PATH"] = "/usr/bin:/bin"
    result = served.uninstall()
    assert result["to_type"] == [
        f"/plugin uninstall {ID}",
        "/plugin marketplace remove context-journal",
    ]
    assert served.settings.read_bytes() == b'{"model": "opus"}'


def test_project_scope(served: LocalMachine) -> None:
    """In a project, plugin and status line go to its files, each as far as it is shared."""
    project = served.root / "shop"
    project.mkdir()
    served.setup(scope="project", project=str(project), statusline=True)
    assert [call[-1] for call in served.calls()] == ["project", "project"]
    shared = json.loads((project / ".claude" / "settings.json").read_text(encoding="utf-8"))
    assert ID in shared["enabledPlugins"]
    assert "statusLine" not in shared
    local = json.loads((project / ".claude" / "settings.local.json").read_text(encoding="utf-8"))
    assert "statusline.py" in local["statusLine"]["command"]
    assert not served.settings.exists()
    served.uninstall()
    assert os.listdir(project / ".claude") == []
