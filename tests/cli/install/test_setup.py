"""Setup of the plugin, with a stand-in for the client."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.install.machine import ID, LocalMachine, Machine, failures

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, product: Path) -> Machine:
    """A machine after one setup, for tests that only read."""
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
    """The client adds the directory in the journal home as a marketplace and installs from it."""
    assert done.calls() == [
        ["plugin", "marketplace", "add", str(done.plugin), "--scope", "user"],
        ["plugin", "install", ID, "--scope", "user"],
    ]


def test_the_hooks_name_interpreter_and_program(done: Machine) -> None:
    """Every installed hook starts the copy's interpreter and program by full path."""
    found = hooks_of(done.plugin)
    [copy] = done.copies
    assert len(found) > 10
    start = (f"{copy}/venv/bin/python", "-I", "-S", f"{copy}/plugin/hooks/run.py")
    guarded = ("sh", f"{copy}/plugin/hooks/guard.sh", *start)
    wanted = {start, guarded, (*start, "background"), (*start, "permit")}
    assert {(command, *args) for command, args in found} == wanted


def test_what_is_installed_names_nothing_outside_the_home(done: Machine) -> None:
    """No file of the copy names the product's directory, so that may be moved or deleted."""
    [copy] = done.copies
    assert os.readlink(done.plugin) == f"app/{copy.name}/plugin"
    product = str(done.product).encode()
    assert not [path for path, (_, data) in done.tree().items() if product in data]
    for name in ("plugin.json", "marketplace.json"):
        made = done.plugin / ".claude-plugin" / name
        assert made.read_bytes() == (done.product / ".claude-plugin" / name).read_bytes()


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


def test_skills_are_copied(served: LocalMachine) -> None:
    """Skills are copied into the plugin, and removed when the product no longer has them."""
    served.product = served.checkout("own")
    skill = served.product / "skills" / "extra" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("text", encoding="utf-8")
    served.setup()
    copy = served.plugin / "skills" / "extra" / "SKILL.md"
    assert copy.read_text(encoding="utf-8") == "text"
    skill.unlink()
    served.setup()
    assert not copy.exists()


def test_twice_equals_once(machine: Machine) -> None:
    """A second setup leaves every file of the home as the first did."""
    machine.write(b'{"model": "opus"}\n')
    machine.setup(statusline=True)
    once = machine.tree()
    result = machine.setup(statusline=True)
    assert machine.tree() == once
    assert "unchanged" in {s["status"] for s in result["steps"] if "independent" in s["what"]}


def newer(machine: LocalMachine) -> None:
    """Change one file of the product."""
    machine.product = machine.checkout("newer")
    (machine.product / "hooks" / "more.py").touch()


def test_an_upgrade_replaces_the_copy(served: LocalMachine) -> None:
    """Another version gets its own copy, the link is switched, and the old copy is removed."""
    served.setup(statusline=True)
    [old] = served.copies
    newer(served)
    served.setup()
    [new] = served.copies
    assert new != old
    assert str(old) not in str(hooks_of(served.plugin))
    line = json.loads(served.settings.read_text(encoding="utf-8"))["statusLine"]["command"]
    assert str(new) in line


@pytest.mark.parametrize(
    "began, command, stays",
    [
        (0, "/opt/bin/claude --resume", True),
        (9e9, "claude", False),
        (0, "vi claude.md", False),
        (9e9, "{old}/venv/bin/python {old}/plugin/hooks/run.py", True),
    ],
    ids=["older client", "newer client", "another program", "a hook of it"],
)
def test_a_copy_in_use_stays(served: LocalMachine, began: float, command: str, stays: bool) -> None:
    """A copy used by a process, or perhaps by an older Claude Code, stays until a later setup."""
    served.setup()
    [old] = served.copies
    newer(served)
    served.running = [(began, command.format(old=old))]
    served.setup()
    assert old.exists() == stays
    served.running = []
    served.setup()
    assert not old.exists()


def test_a_copy_that_settings_name_stays(served: LocalMachine) -> None:
    """A copy that the person's settings name stays."""
    served.setup()
    [old] = served.copies
    served.write(json.dumps({"statusLine": {"command": f"date; {old}/x"}}).encode())
    newer(served)
    served.setup()
    assert old.exists()


def test_the_directory_of_an_older_version_is_replaced(served: LocalMachine) -> None:
    """The directory that version 0.1.0 made is replaced by the link."""
    served.plugin.mkdir(parents=True)
    (served.plugin / ".made-by-journal-setup").write_text("0.1.0\n", encoding="utf-8")
    served.setup()
    assert served.plugin.is_symlink()


def test_without_a_client_two_lines_are_given(bare: Machine) -> None:
    """If the client is not found, setup prints the exact lines to type in it, and goes on."""
    result = bare.setup()
    assert result["to_type"] == [
        f"/plugin marketplace add {bare.plugin}",
        f"/plugin install {ID}",
    ]
    assert (bare.plugin / "hooks" / "hooks.json").exists()
    assert not bare.settings.exists()


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


@pytest.mark.parametrize("name", ["a b'c\"d$HOME`id`;e|f&g\\h", "-dash ünï"])
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


def test_a_hook_that_fails_is_told(machine: Machine) -> None:
    """Setup tries the copy's hook: recording no event, or an error message, is a failure."""
    for name, hook in (("silent", ""), ("loud", "import sys\nsys.exit('broken')\n")):
        product = machine.checkout(name, hook=hook)
        failed = failures(machine.call("setup", product))
        assert failed[-1]["where"].endswith("/plugin/hooks/run.py")
        assert not os.path.lexists(machine.plugin), "nothing uses a copy whose hook fails"


def test_the_fed_hook_is_measured(done: Machine) -> None:
    """A working hook is shown with its cost beside that of the bare interpreter."""
    steps = [step for step in done.result["steps"] if "hook call" in step["what"]]
    assert [step["status"] for step in steps] == ["done"]
    assert "times the bare interpreter" in steps[0]["what"]


def test_feeding_leaves_the_journal_alone(done: Machine) -> None:
    """The trial call goes to a temporary home: the person's journal gets no event."""
    assert not [path for path in done.tree() if path.endswith("active.jsonl")]


@pytest.mark.parametrize("kind", ["files", "link", "file"])
def test_a_foreign_plugin_directory_is_refused(served: LocalMachine, kind: str) -> None:
    """A directory that setup did not make is neither written to nor removed."""
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


def test_a_half_made_copy_is_made_again(served: LocalMachine) -> None:
    """If setup was killed before its copy was complete, the next setup completes it."""
    served.setup()
    whole = served.tree()
    [copy] = served.copies
    (copy / ".complete").unlink()
    (copy / "plugin" / "bin" / "journal").unlink()
    served.setup()
    assert served.tree() == whole


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
