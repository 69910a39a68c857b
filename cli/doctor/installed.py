"""Check how the journal is installed: plugin, interpreter, packages, client, switches, status line.

Invariant: what is checked is what the client will run, read from where it is registered.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.doctor.rows import Check
from cli.install import client, interpreter, plugin, probe, source, statusline
from cli.install.model import MARKETPLACE, PLUGIN
from cli.install.settings import Settings
from journal.client_version import tested, tested_range
from journal.errors import JournalError
from journal.home import client_dir, journal_home, project_of, project_start

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["CHECKS", "Installation"]

_ID = f"{PLUGIN}@{MARKETPLACE}"
_SLOW = 4.0  # interpreter starts; a capture costs about 2
_MANAGED = "/etc/claude-code/managed-settings.json"
_READY = "import sys; sys.path.insert(0, sys.argv[1]); from hooks.packages import ready; "


class Installation:
    """What the checks are about, found once."""

    def __init__(self, env: Mapping[str, str], cwd: str, named: str) -> None:
        self.env = env
        self.home = journal_home(env)
        self.project = project_of(project_start({**env, "CLAUDE_PROJECT_DIR": ""}, cwd), env)
        self.root = self.project.root or cwd
        self.named = named
        self.source = source.find()

    @cached_property
    def top(self) -> str:
        """Return the plugin directory in use: the one setup made, else this checkout."""
        made = plugin.directory(self.home)
        return made if os.path.isfile(os.path.join(made, plugin.MARKER)) else self.source.top

    @property
    def set_up(self) -> bool:
        """Return whether `journal setup` has run."""
        return self.top != self.source.top

    @cached_property
    def command(self) -> list[str]:
        """Return the command line of the hooks, with the path of its interpreter."""
        found = plugin.hook_commands(self.top)["SessionStart"]
        path = shutil.which(found[0], path=self.env.get("PATH", os.defpath))
        return [path or found[0], *found[1:]]

    @cached_property
    def client(self) -> client.Client | None:
        """Return the client, where there is one."""
        return client.find(self.named, self.env, self.root)

    @cached_property
    def settings(self) -> list[tuple[str, dict[str, Any]]]:
        """Return (path, values) of the settings files in force, the strongest first."""
        own = os.path.join(self.root, ".claude")
        paths = (
            _MANAGED,
            os.path.join(own, "settings.local.json"),
            os.path.join(own, "settings.json"),
            os.path.join(client_dir(self.env), "settings.json"),
        )
        found = []
        for path in dict.fromkeys(paths):
            try:
                found.append((path, Settings(path).values))
            except JournalError:
                continue
        return found


def plugin_directory(install: Installation) -> list[Check]:
    """Check that the client loads what this installation would write."""
    if not install.set_up:
        what = "not set up: hooks run only with claude --plugin-dir"
        return [Check("plugin", "note", what, install.top, "run: journal setup")]
    wanted = plugin.files(install.source, interpreter.real())
    write, stale = plugin.differing(install.home, wanted)
    if write or stale:
        what = "differs from this installation: Claude Code may run old hooks or skills"
        names = tuple(sorted([*write, *stale]))
        return [Check("plugin", "warn", what, install.top, "run: journal setup", names)]
    return [Check("plugin", "ok", f"version {install.source.version}", install.top)]


def hook_interpreter(install: Installation) -> list[Check]:
    """Check that the hooks' interpreter exists, is new enough and no shim."""
    python = install.command[0]
    name = "interpreter"
    _, version = interpreter.describe(python)
    if not version:
        what = "does not start: hooks record nothing"
        return [Check(name, "fail", what, python, "run: journal setup")]
    if tuple(int(part) for part in version.split(".")[:2]) < (3, 11):
        what = f"is Python {version}: hooks need 3.11 or newer and record nothing"
        return [
            Check(
                name, "fail", what, python, "put a newer python3 on PATH, then run: journal setup"
            )
        ]
    if interpreter.is_shim(python):
        what = f"Python {version} behind a shim, which takes longer to start than a hook to run"
        return [Check(name, "warn", what, python, "run: journal setup")]
    return [Check(name, "ok", f"Python {version}", python)]


def hook_run(install: Installation) -> list[Check]:
    """Check that a hook call records an event, and how long it takes."""
    try:
        found = probe.feed(install.top, install.env.get("PATH", os.defpath))
    except JournalError as error:
        return [Check("hook", "fail", error.what, error.path, error.remedy or "run: journal setup")]
    slow = found.cost.ratio > _SLOW
    remedy = (
        "run journal doctor again when the machine is idle; then check the interpreter"
        if slow
        else ""
    )
    return [Check("hook", "warn" if slow else "ok", str(found.cost), install.command[-1], remedy)]


def packages(install: Installation) -> list[Check]:
    """Check that the interpreter has the packages that answers need."""
    argv = [
        install.command[0],
        "-I",
        "-S",
        "-c",
        _READY + "sys.exit(not ready())",
        install.source.top,
    ]
    try:
        done = subprocess.run(  # noqa: S603 (the hooks' own interpreter)
            argv, capture_output=True, timeout=30, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return []  # a row of the interpreter reports it
    if done.returncode:
        what = "has no msgspec: hooks record events, but answers are off"
        return [Check("packages", "warn", what, install.command[0], "run: journal setup")]
    return [Check("packages", "ok", "answers are on", install.command[0])]


def client_version(install: Installation) -> list[Check]:
    """Check that the client is there, and a version the tests have run with."""
    if install.client is None:
        remedy = "add claude to PATH, or name it: --client PATH"
        return [Check("client", "note", "claude is not on PATH", remedy=remedy)]
    version = install.client.version()
    if not version:
        remedy = "reinstall Claude Code"
        return [Check("client", "warn", "does not print its version", install.client.path, remedy)]
    if tested(version):
        return [Check("client", "ok", f"{version}, tested", install.client.path)]
    what = f"{version}; tested with {tested_range()}: hooks may behave differently"
    return [
        Check("client", "note", what, install.client.path, "check below that events still arrive")
    ]


def registered(install: Installation) -> list[Check]:
    """Check that the client loads the plugin, and only once."""
    rows = [
        Check(
            "registered",
            "warn",
            "settings contain the journal's hooks too: each hook runs twice",
            path,
            "remove them from hooks in that file",
        )
        for path, values in install.settings
        if "hooks/run.py" in json.dumps(values.get("hooks", {}))
    ]
    if install.client is None:
        return rows
    found = [entry for entry in install.client.plugins() if _named(entry) == PLUGIN]
    others = [str(entry["id"]) for entry in found if entry["id"] != _ID]
    rows += [
        Check(
            "registered",
            "warn",
            "is installed beside this one: each hook runs twice",
            other,
            f"run: claude plugin uninstall {other}",
        )
        for other in others
    ]
    own = [entry for entry in found if entry["id"] == _ID]
    if not own:
        what = "Claude Code does not have the plugin: hooks do not run"
        rows.append(
            Check(
                "registered",
                "warn" if install.set_up else "note",
                what,
                remedy="run: journal setup",
            )
        )
    for entry in own:
        folder = str(entry.get("readFromFolder") or entry.get("installPath") or "")
        if entry.get("enabled") is False:
            remedy = f"run: claude plugin enable {_ID}"
            rows.append(
                Check("registered", "warn", f"{_ID} is disabled: hooks do not run", folder, remedy)
            )
        elif install.set_up and os.path.realpath(folder) != os.path.realpath(install.top):
            what = "Claude Code loads the plugin from elsewhere"
            rows.append(Check("registered", "warn", what, folder, "run: journal setup"))
        else:
            rows.append(Check("registered", "ok", f"{_ID}, {entry.get('scope', 'user')}", folder))
    return rows


def hooks_on(install: Installation) -> list[Check]:
    """Check that no setting turns hooks off."""
    switches = ("disableAllHooks", "allowManagedHooksOnly")
    rows = [
        Check("hooks", "fail", f"{switch} is set: hooks do not run", path, f"remove {switch} there")
        for path, values in install.settings
        for switch in switches
        if values.get(switch) is True
    ]
    return rows or [Check("hooks", "ok", "no setting turns them off")]


def status_line(install: Installation) -> list[Check]:
    """Check that the status line records the client's own readings."""
    name = "status line"
    remedy = "run: journal setup --statusline"
    set_in = [
        (path, values["statusLine"]) for path, values in install.settings if "statusLine" in values
    ]
    before = statusline.load(install.home)
    if not set_in or not any(statusline.is_ours(value) for _, value in set_in):
        if before:
            what = "was replaced since setup: readings come from transcripts alone"
            return [Check(name, "warn", what, before.settings, remedy)]
        return [
            Check(name, "note", "not set up: readings come from transcripts alone", remedy=remedy)
        ]
    path, value = set_in[0]
    if not statusline.is_ours(value):
        return [
            Check(
                name,
                "warn",
                "another one set here is stronger than the journal's",
                path,
                "remove statusLine there",
            )
        ]
    line = statusline.command(install.command[0], install.source.statusline)
    if value["command"] != line:
        return [Check(name, "warn", "is that of another installation", path, remedy)]
    return [Check(name, "ok", "set up", path)]


def _named(entry: dict[str, Any]) -> str:
    return str(entry.get("id", "")).partition("@")[0]


CHECKS: tuple[Callable[[Installation], list[Check]], ...] = (
    plugin_directory, hook_interpreter, hook_run, packages, client_version, registered, hooks_on,
    status_line,
)  # fmt: skip
