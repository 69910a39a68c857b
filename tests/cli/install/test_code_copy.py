"""The copy of the code that hooks run: what is in it, and when it is replaced."""

from __future__ import annotations

import json
import os

import pytest

from tests.cli.install.machine import LocalMachine, Machine, failures, hooks_of, newer


def test_the_hooks_name_interpreter_and_program(done: Machine) -> None:
    """Every installed hook starts the copy's interpreter and program by full path."""
    found = hooks_of(done.plugin)
    [copy] = done.copies
    assert len(found) > 10
    start = (f"{copy}/venv/bin/python", "-I", "-S", f"{copy}/plugin/hooks/run.py")
    guarded = ("sh", "-c", f"{copy}/plugin/hooks/guard.sh", *start)
    blocking = ("sh", "-c", *start)
    wanted = {start, guarded, blocking, (*start, "background"), (*blocking, "permit")}
    scripts = ('command . "$0" || exit 1', '"$0" "$@" || exit 1')
    named = {(command, *(arg for arg in args if arg not in scripts)) for command, args in found}
    assert named == wanted


def test_what_is_installed_names_nothing_outside_the_home(done: Machine) -> None:
    """No file of the copy names the product's directory, so that may be moved or deleted."""
    [copy] = done.copies
    assert os.readlink(done.plugin) == f"app/{copy.name}/plugin"
    product = str(done.product).encode()
    assert not [path for path, (_, data) in done.tree().items() if product in data]
    for name in ("plugin.json", "marketplace.json"):
        made = done.plugin / ".claude-plugin" / name
        assert made.read_bytes() == (done.product / ".claude-plugin" / name).read_bytes()


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
