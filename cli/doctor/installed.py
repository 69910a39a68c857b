"""How the journal is installed: plugin, interpreter, packages, client, switches, status line.

Invariant: what is examined is what the client will run, read back from where it is registered.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.doctor.rows import Row
from cli.install import client, interpreter, plugin, probe, source, statusline
from cli.install.model import MARKETPLACE, PLUGIN
from cli.install.settings import Settings
from journal.client_version import tested, tested_range
from journal.errors import JournalError
from journal.home import client_dir, journal_home, project_of, project_start

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LOOKS", "Case"]

_ID = f"{PLUGIN}@{MARKETPLACE}"
_DEAR = 4.0  # interpreter starts; a capture is meant to cost 2.6
_MANAGED = "/etc/claude-code/managed-settings.json"
_READY = "import sys; sys.path.insert(0, sys.argv[1]); from hooks.packages import ready; "


class Case:
    """What is examined, looked up once."""

    def __init__(self, env: Mapping[str, str], cwd: str, named: str) -> None:
        self.env = env
        self.home = journal_home(env)
        self.project = project_of(project_start({**env, "CLAUDE_PROJECT_DIR": ""}, cwd), env)
        self.root = self.project.root or cwd
        self.named = named
        self.source = source.find()

    @cached_property
    def top(self) -> str:
        """Plugin directory in use: the one setup made, else this checkout."""
        made = plugin.directory(self.home)
        return made if os.path.isfile(os.path.join(made, plugin.MARKER)) else self.source.top

    @property
    def set_up(self) -> bool:
        """Whether `journal setup` has run."""
        return self.top != self.source.top

    @cached_property
    def command(self) -> list[str]:
        """Command line of the hooks; the interpreter is looked up on PATH where it is a name."""
        found = plugin.hook_commands(self.top)["SessionStart"]
        path = shutil.which(found[0], path=self.env.get("PATH", os.defpath))
        return [path or found[0], *found[1:]]

    @cached_property
    def client(self) -> client.Client | None:
        """The client, where there is one."""
        return client.find(self.named, self.env, self.root)

    @cached_property
    def settings(self) -> list[tuple[str, dict[str, Any]]]:
        """(path, values) of the settings files in force, the strongest first."""
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


def plugin_directory(case: Case) -> list[Row]:
    """Whether what the client loads is what this installation would write."""
    if not case.set_up:
        what = "not set up: works with claude --plugin-dir only"
        return [Row("plugin", "note", what, case.top, "run: journal setup")]
    wanted = plugin.files(case.source, interpreter.real())
    write, stale = plugin.differing(case.home, wanted)
    if write or stale:
        what = "differs from this installation"
        names = tuple(sorted([*write, *stale]))
        return [Row("plugin", "warn", what, case.top, "run: journal setup", names)]
    return [Row("plugin", "ok", f"version {case.source.version}", case.top)]


def hook_interpreter(case: Case) -> list[Row]:
    """Whether the hooks' interpreter exists, is new enough and is the interpreter itself."""
    python = case.command[0]
    name = "interpreter"
    _, version = interpreter.describe(python)
    if not version:
        what = "does not start: nothing is captured"
        return [Row(name, "fail", what, python, "run: journal setup")]
    if tuple(int(part) for part in version.split(".")[:2]) < (3, 11):
        what = f"is Python {version}; 3.11 or newer is needed"
        return [Row(name, "fail", what, python, "put a newer python3 on PATH, or: journal setup")]
    if interpreter.is_shim(python):
        what = f"Python {version} behind a shim, which costs more than the hook"
        return [Row(name, "warn", what, python, "run: journal setup")]
    return [Row(name, "ok", f"Python {version}", python)]


def hook_run(case: Case) -> list[Row]:
    """Whether a hook call leaves an event, and what it costs."""
    try:
        found = probe.feed(case.top, case.env.get("PATH", os.defpath))
    except JournalError as error:
        return [Row("hook", "fail", error.what, error.path, error.remedy or "run: journal setup")]
    dear = found.cost.ratio > _DEAR
    remedy = "measure again on a quiet machine, then look at the interpreter" if dear else ""
    return [Row("hook", "warn" if dear else "ok", str(found.cost), case.command[-1], remedy)]


def packages(case: Case) -> list[Row]:
    """Whether that interpreter can answer as well as capture."""
    argv = [case.command[0], "-I", "-S", "-c", _READY + "sys.exit(not ready())", case.source.top]
    try:
        done = subprocess.run(  # noqa: S603 (the hooks' own interpreter)
            argv, capture_output=True, timeout=30, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return []  # the row of the interpreter has said it
    if done.returncode:
        what = "has no msgspec: events are recorded, answers are off"
        return [Row("packages", "warn", what, case.command[0], "run: journal setup")]
    return [Row("packages", "ok", "answers are on", case.command[0])]


def client_version(case: Case) -> list[Row]:
    """Whether the client is there, and a version the tests have run with."""
    if case.client is None:
        remedy = "put claude on PATH, or name it with --client PATH"
        return [Row("client", "note", "claude is not on PATH", remedy=remedy)]
    version = case.client.version()
    if not version:
        remedy = "reinstall Claude Code"
        return [Row("client", "warn", "does not say its version", case.client.path, remedy)]
    if tested(version):
        return [Row("client", "ok", f"{version}, tested", case.client.path)]
    what = f"{version}; tested with {tested_range()}"
    return [Row("client", "note", what, case.client.path, "watch the last events below")]


def registered(case: Case) -> list[Row]:
    """Whether the client loads the plugin, and loads it once."""
    rows = [
        Row(
            "registered",
            "warn",
            "hooks of the journal stand in settings as well: each call is made twice",
            path,
            "take them out of hooks",
        )
        for path, values in case.settings
        if "hooks/run.py" in json.dumps(values.get("hooks", {}))
    ]
    if case.client is None:
        return rows
    found = [entry for entry in case.client.plugins() if _named(entry) == PLUGIN]
    others = [str(entry["id"]) for entry in found if entry["id"] != _ID]
    rows += [
        Row(
            "registered",
            "warn",
            "is installed beside this one: each call is made twice",
            other,
            f"run: claude plugin uninstall {other}",
        )
        for other in others
    ]
    own = [entry for entry in found if entry["id"] == _ID]
    if not own:
        what = "the client does not have the plugin"
        rows.append(
            Row("registered", "warn" if case.set_up else "note", what, remedy="run: journal setup")
        )
    for entry in own:
        place = str(entry.get("readFromFolder") or entry.get("installPath") or "")
        if entry.get("enabled") is False:
            remedy = f"run: claude plugin enable {_ID}"
            rows.append(Row("registered", "warn", f"{_ID} is disabled", place, remedy))
        elif case.set_up and os.path.realpath(place) != os.path.realpath(case.top):
            what = "the client loads the plugin from elsewhere"
            rows.append(Row("registered", "warn", what, place, "run: journal setup"))
        else:
            rows.append(Row("registered", "ok", f"{_ID}, {entry.get('scope', 'user')}", place))
    return rows


def hooks_on(case: Case) -> list[Row]:
    """Whether a switch keeps the client from calling any hook."""
    switches = ("disableAllHooks", "allowManagedHooksOnly")
    rows = [
        Row("hooks", "fail", f"{switch} is set: nothing is captured", path, f"take out {switch}")
        for path, values in case.settings
        for switch in switches
        if values.get(switch) is True
    ]
    return rows or [Row("hooks", "ok", "no switch turns them off")]


def status_line(case: Case) -> list[Row]:
    """Whether the status line brings the client's own readings."""
    name = "status line"
    offer = "run: journal setup --statusline"
    set_in = [
        (path, values["statusLine"]) for path, values in case.settings if "statusLine" in values
    ]
    kept = statusline.kept(case.home)
    if not set_in or not any(statusline.is_ours(value) for _, value in set_in):
        if kept:
            what = "was replaced since setup: the client's own readings do not come in"
            return [Row(name, "warn", what, kept.settings, offer)]
        return [Row(name, "note", "not wired: readings come from transcripts alone", remedy=offer)]
    path, value = set_in[0]
    if not statusline.is_ours(value):
        return [
            Row(name, "warn", "another one, set here, is stronger", path, "take statusLine out")
        ]
    line = statusline.command(case.command[0], case.source.statusline)
    if value["command"] != line:
        return [Row(name, "warn", "is that of another installation", path, offer)]
    return [Row(name, "ok", "wired", path)]


def _named(entry: dict[str, Any]) -> str:
    return str(entry.get("id", "")).partition("@")[0]


LOOKS: tuple[Callable[[Case], list[Row]], ...] = (
    plugin_directory, hook_interpreter, hook_run, packages, client_version, registered, hooks_on,
    status_line,
)  # fmt: skip
