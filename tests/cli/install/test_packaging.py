"""The contents of the plugin and the wheel."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import pytest
from packaging.requirements import Requirement

from tests.cli.install.machine import PARTS, REPO
from tests.e2e.client import find_client
from tests.support.examples import third

if TYPE_CHECKING:
    from pathlib import Path

PROJECT = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))
HOOKS: dict[str, Any] = json.loads((REPO / "hooks" / "hooks.json").read_text(encoding="utf-8"))[
    "hooks"
]

WARM = {"UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SubagentStop", "Stop"}
BLOCKING = {"UserPromptExpansion", "PreCompact", "PermissionRequest"}
"""Events outside of the module that a hook blocks by exiting with 2."""

EVENTS = {
    "SessionStart": "startup|resume|clear|compact|fork",
    "UserPromptSubmit": None,
    "UserPromptExpansion": None,
    "PostToolUse": "*",
    "PostToolUseFailure": "*",
    "SubagentStop": None,  # no matcher: a compaction's own has no agent type and carries its summary
    "Stop": None,
    "StopFailure": None,
    "PreCompact": "manual|auto",
    "PostCompact": "manual|auto",
    "PostModelSwitch": None,
    "Notification": None,
    "SessionEnd": None,
    "PermissionRequest": "Bash",
}


def manifest(name: str) -> dict[str, Any]:
    """Read a manifest of the plugin."""
    found: dict[str, Any] = json.loads((REPO / ".claude-plugin" / name).read_text(encoding="utf-8"))
    return found


def test_one_version() -> None:
    """Distribution and plugin have the same version, so the client notices an update."""
    assert manifest("plugin.json")["version"] == PROJECT["project"]["version"]


def test_names() -> None:
    """Plugin, marketplace, distribution and command have the names people type."""
    assert manifest("plugin.json")["name"] == "journal"
    assert manifest("marketplace.json")["name"] == "context-journal"
    assert PROJECT["project"]["name"] == "context-journal"
    assert list(PROJECT["project"]["scripts"]) == ["journal"]


def test_the_checkout_is_its_own_marketplace() -> None:
    """The marketplace offers one plugin: the directory it is in."""
    offered = manifest("marketplace.json")["plugins"]
    assert [(entry["name"], entry["source"]) for entry in offered] == [("journal", "./")]


def test_the_hooks_are_these() -> None:
    """Each event of the design has one handler, with its matcher.

    A start and the end of a turn have a second one, for what can be done in the background.
    """
    assert {event: groups[0].get("matcher") for event, groups in HOOKS.items()} == EVENTS
    counts = {event: [len(group["hooks"]) for group in groups] for event, groups in HOOKS.items()}
    twice = ("SessionStart", "Stop")
    assert counts == {event: [1, 1] if event in twice else [1] for event in EVENTS}


def test_the_second_handler_of_a_start() -> None:
    """The background handler of a start is async, captures nothing, and is absent at compact."""
    group = HOOKS["SessionStart"][1]
    assert group["matcher"] == "startup|resume|clear|fork"
    assert group["hooks"] == [
        {
            "type": "command",
            "command": "python3",
            "args": ["-I", "-S", "${CLAUDE_PLUGIN_ROOT}/hooks/run.py", "background"],
            "async": True,
            "timeout": 60,
        }
    ]


def test_the_handler_of_permission_requests() -> None:
    """It runs for the plugin's own command alone, and records nothing."""
    [handler] = HOOKS["PermissionRequest"][0]["hooks"]
    assert handler["if"] == "Bash(journal *)"
    assert handler["args"][-2:] == ["${CLAUDE_PLUGIN_ROOT}/hooks/run.py", "permit"]


@pytest.mark.parametrize("event", [event for event in HOOKS if event != "PermissionRequest"])
def test_a_handler(event: str) -> None:
    """Each handler runs the one command in exec form, behind the guard for module events.

    Never async; with a limit in seconds, but for the event whose limit the client ignores.
    """
    handler = dict(HOOKS[event][0]["hooks"][0])
    timeout = handler.pop("timeout", None)
    hook = ["python3", "-I", "-S", "${CLAUDE_PLUGIN_ROOT}/hooks/run.py"]
    if event in WARM:
        guard = "${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh"
        hook = ["sh", "-c", 'command . "$0" || exit 1', guard, *hook]
    elif event in BLOCKING:
        hook = ["sh", "-c", '"$0" "$@" || exit 1', *hook]
    assert handler == {"type": "command", "command": hook[0], "args": hook[1:]}
    assert timeout is None if event == "SessionEnd" else 5 <= timeout <= 10


@pytest.mark.parametrize("event", third(sorted(WARM | BLOCKING)))
def test_a_plugin_that_is_gone_blocks_nothing(event: str) -> None:
    """Where the files are gone while a session runs, no hook exits with 2, which would block.

    `sh` and `python3` exit with 2 for a file that does not exist.
    """
    for handler in (each for group in HOOKS[event] for each in group["hooks"]):
        argv = [part.replace("${CLAUDE_PLUGIN_ROOT}", "/nowhere") for part in handler["args"]]
        done = subprocess.run(
            [handler["command"], *argv], input=b"{}", capture_output=True, check=False
        )
        assert (done.returncode == 1) != bool(handler.get("async")), done


@pytest.mark.parametrize("program", ["bin/journal", "bin/journal-dev", ".ci/run"])
def test_programs_start(program: str) -> None:
    """Each program can be started, and its shell can parse it completely."""
    path = REPO / program
    assert os.access(path, os.X_OK)
    shell = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("#!").split()[-1]
    subprocess.run([shell, "-n", path], check=True)


def test_recipes_name_commands() -> None:
    """Every recipe of the justfile calls a command of bin/journal-dev."""
    known = (REPO / "bin" / "journal-dev").read_text(encoding="utf-8")
    for line in (REPO / "justfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("    bin/journal-dev "):
            assert f"\n  {line.split()[1]})" in known, line


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of the tracked files only."""
    out = tmp_path_factory.mktemp("wheel")
    argv = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", out, REPO]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.whl"))


@pytest.mark.long
def test_the_wheel_is_whole(wheel: Path) -> None:
    """One package has the code, the hooks and the plugin's files, and no tests."""
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        "__init__.py", "hooks/hooks.json", "hooks/run.py", "journal/py.typed", "journal/FORMAT.md",
        "projections/__init__.py", "cli/install/launch.py", ".claude-plugin/plugin.json",
        ".claude-plugin/marketplace.json", "skills/compound/SKILL.md", "pyproject.toml",
        "requirements.lock",
    }  # fmt: skip
    assert {f"context_journal/{name}" for name in wanted} <= names
    version = PROJECT["project"]["version"]
    data = f"context_journal-{version}.data"
    assert {name.split("/")[0] for name in names} == {
        "context_journal",
        data,
        f"context_journal-{version}.dist-info",
    }
    assert [name for name in names if name.startswith(data)] == [
        f"{data}/data/share/man/man1/journal.1"
    ]
    assert not [name for name in names if name.endswith(".pyc")]


@pytest.mark.long
def test_the_wheel_sets_up(wheel: Path, tmp_path: Path) -> None:
    """Installed in its own environment, outside any checkout, it can set up and uninstall."""
    where = tmp_path / "environment"
    venv.create(where, with_pip=True)
    python = str(where / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", wheel], check=True, timeout=600)
    home = tmp_path / "home"
    home.mkdir()
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}

    def journal(*arguments: str, given: str = "") -> str:
        done = subprocess.run(
            [where / "bin" / "journal", *arguments], cwd=home, env=env, check=False,
            capture_output=True, text=True, timeout=120, input=given,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    # Folders of a project are not taken for ours, even where PYTHONPATH names the project.
    for name in ("cli", "journal", "hooks", "projections"):
        (home / name).mkdir()
        (home / name / "__init__.py").write_text("raise SystemExit('theirs')\n")
    env["PYTHONPATH"] = "."
    assert journal("--version").split()[-1] == PROJECT["project"]["version"]
    call = {
        "session_id": "s",
        "cwd": str(home),
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    journal("hook", given=json.dumps(call))
    (log,) = (home / ".claude" / "journal").glob("*/active.jsonl")
    assert b'"type":"session.started"' in log.read_bytes()
    page = where / "share" / "man" / "man1" / "journal.1"
    assert page.read_bytes() == (REPO / "cli" / "journal.1").read_bytes()
    env["PATH"] = f"{where / 'bin'}:/usr/bin:/bin"
    assert str(page) in journal("setup")
    env["PATH"] = "/usr/bin:/bin"
    said = journal("setup", "--statusline")
    plugin = home / ".claude" / "journal" / "plugin"
    assert f"/plugin marketplace add {plugin}" in said
    assert (plugin / "skills" / "compound" / "SKILL.md").exists()
    handler = json.loads((plugin / "hooks" / "hooks.json").read_text())["hooks"]["Stop"][0][
        "hooks"
    ][0]
    interpreter = handler["args"][handler["args"].index("-I") - 1]
    assert interpreter.startswith(str(home / ".claude" / "journal" / "app"))
    # The environment it was installed into may go: `journal` on PATH is setup's copy then.
    where.rename(tmp_path / "gone")
    linked = home / ".local" / "bin" / "journal"
    wrapper = subprocess.run(
        [linked, "--help"], env=env, cwd=home, capture_output=True, check=False
    )
    assert wrapper.returncode == 0
    subprocess.run([linked, "uninstall"], env=env, cwd=home, capture_output=True, check=True)
    assert not os.path.lexists(plugin)
    assert not os.path.lexists(linked)
    assert not os.path.lexists(home / ".local" / "share" / "man" / "man1" / "journal.1")
    assert not (home / ".claude" / "journal" / "app").exists()
    assert not (home / ".claude" / "settings.json").exists()


@pytest.mark.client
@pytest.mark.parametrize("what", ["checkout", "plugin manifest", "installed"])
def test_the_client_finds_no_fault(what: str, bare: Any) -> None:
    """`claude plugin validate --strict` passes for the checkout, its plugin and setup's copy."""
    client, why = find_client()
    if client is None:
        pytest.skip(why)
    bare.setup()
    target = {
        "checkout": REPO,
        "plugin manifest": REPO / ".claude-plugin" / "plugin.json",
        "installed": bare.plugin,
    }[what]
    out = bare.run([str(client), "plugin", "validate", "--strict", str(target)])
    assert "Validation passed" in out


def test_the_lock_fits_the_ranges() -> None:
    """Each dependency is locked to a version in its range, with a checksum for every file."""
    lock = (REPO / "requirements.lock").read_text(encoding="utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE))
    for requirement in PROJECT["project"]["dependencies"]:
        name, least, below = re.fullmatch(r"([\w-]+)>=([\d.]+),<(\d+)", requirement).groups()
        locked = [int(part) for part in pinned[name].split(".")]
        assert [int(part) for part in least.split(".")] <= locked < [int(below)]
    for entry in re.split(r"\n(?=\w)", lock.strip()):
        assert "--hash=sha256:" in entry, entry


def test_every_range_ends_below_a_major_version() -> None:
    """Every range excludes the next major version, so it is tested before it is allowed."""
    optional = PROJECT["project"]["optional-dependencies"]
    groups = [PROJECT["project"]["dependencies"], *optional.values()]
    assert [each for group in groups for each in group if "," not in each] == []


def test_what_is_installed_is_in_its_range() -> None:
    """Each installed package is in its range, so a range that no release fits is noticed."""
    optional = PROJECT["project"]["optional-dependencies"]
    groups = [PROJECT["project"]["dependencies"], *optional.values()]
    checked = 0
    for requirement in {Requirement(each) for group in groups for each in group}:
        try:
            installed = version(requirement.name)
        except PackageNotFoundError:
            continue  # an optional extra that is not installed
        assert requirement.specifier.contains(installed, prereleases=True), requirement
        checked += 1
    assert checked >= 8


def test_parts_are_all_shipped() -> None:
    """What the tests copy as the product is what the wheel is built of."""
    build = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*build["only-include"], "bin"} == set(PARTS)
