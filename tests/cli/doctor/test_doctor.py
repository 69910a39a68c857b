"""Each row of `journal doctor`: ok if all is well, with a remedy if not."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.doctor.examined import project_of
from tests.cli.install.machine import ID

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cli import doctor
    from tests.cli.install.machine import LocalMachine


def change(path: Path, **members: Any) -> None:
    """Change members of a settings file."""
    values = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**values, **members}), encoding="utf-8")


def test_all_in_order(examine: Callable[..., dict[str, doctor.Check]]) -> None:
    """A machine just set up has no findings, and every row says so."""
    rows = examine()
    assert {name: row.status for name, row in rows.items() if row.status != "ok"} == {
        "last events": "note"
    }
    assert {"plugin", "interpreter", "hook", "packages", "client", "hooks",
            "status line", "home", "disk", "hook errors", "spool", "configuration",
            "search", *(name for name, *_ in CASES.values())} <= set(rows)  # fmt: skip


def make_shim(machine: LocalMachine) -> None:
    """Let the hooks start a script that in turn starts Python."""
    shim = machine.root / "python3"
    shim.write_text(f'#!/bin/sh\nexec "{machine.python}" "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    rewrite(machine, str(shim))


def rewrite(machine: LocalMachine, python: str) -> None:
    """Let the hooks start another interpreter."""
    path = machine.plugin / "hooks" / "hooks.json"
    [copy] = machine.copies
    own = json.dumps(str(copy / "venv" / "bin" / "python"))
    text = path.read_text(encoding="utf-8").replace(own, json.dumps(python))
    path.write_text(text, encoding="utf-8")


def old_python(machine: LocalMachine) -> None:
    """Let the hooks start a program that claims to be Python 3.9."""
    old = machine.root / "old-python"
    old.write_text("#!/bin/sh\necho /usr/bin/python3\necho 3.9.2\n", encoding="utf-8")
    old.chmod(0o755)
    rewrite(machine, str(old))


def without_packages(machine: LocalMachine) -> None:
    """Remove the copy's packages."""
    [copy] = machine.copies
    for package in copy.glob("venv/lib/python3*/site-packages/msgspec*"):
        shutil.rmtree(package)


def newer(machine: LocalMachine) -> None:
    """Make the copy another version than the running code."""
    [copy] = machine.copies
    older = copy.rename(copy.with_name("0.0.1-older"))
    machine.plugin.unlink()
    machine.plugin.symlink_to("app/0.0.1-older/plugin")
    path = older / "plugin" / "hooks" / "hooks.json"
    path.write_text(path.read_text(encoding="utf-8").replace(copy.name, older.name))


def write_error(machine: LocalMachine, when: str) -> None:
    """Record a hook error at this time."""
    path = machine.journal / "hook-errors.log"
    path.write_text(
        f"2026-01-01T00:00:00.000Z Stop Old: x\n{when} Stop OSError: no room at a.py:1\n"
    )


CASES: dict[str, tuple[str, str, str, Callable[[LocalMachine], object]]] = {
    "another version": ("plugin", "warn", "differs", newer),
    "shim": ("interpreter", "warn", "shim", make_shim),
    "old python": ("interpreter", "fail", "3.9.2", old_python),
    "no interpreter": ("interpreter", "fail", "does not start", lambda m: rewrite(m, "/nowhere/python3")),
    "no packages": ("packages", "warn", "send no messages", without_packages),
    "other client": ("client", "note", "9.9.9; tested with", lambda m: m.env.update(VERSION="9.9.9")),
    "twice in the client": ("plugin", "warn", "twice", lambda m: m.env.update(GHOST="journal@other")),
    "not in the client": ("plugin", "warn", "not installed", lambda m: change(m.settings, enabledPlugins={})),
    "disabled": ("plugin", "warn", "disabled", lambda m: change(m.settings, enabledPlugins={ID: False})),
    "gone": ("plugin", "fail", "no longer exist", lambda m: m.plugin.unlink()),
    "gone directory": ("plugin", "fail", "no longer exist", lambda m: change(
        m.settings, extraKnownMarketplaces={"context-journal": {"source": {"path": "/else"}}})),
    "in settings too": ("plugin", "warn", "twice", lambda m: change(
        m.work / ".claude" / "settings.json",
        hooks={"Stop": [{"hooks": [{"type": "command", "command": "python3 /x/hooks/run.py"}]}]})),
    "no settings": ("hooks", "fail", "is not valid JSON", lambda m: m.settings.write_text('{"a"', encoding="utf-8")),
    "off for the user": ("hooks", "fail", "disableAllHooks", lambda m: change(m.settings, disableAllHooks=True)),
    "off in the project": ("hooks", "fail", "disableAllHooks", lambda m: change(
        m.work / ".claude" / "settings.local.json", disableAllHooks=True)),
    "line replaced": ("status line", "warn", "replaced", lambda m: change(m.settings, statusLine={"command": "x"})),
    "line without its record": ("status line", "warn", "neither shown nor restored", lambda m: (m.journal / "statusline.json").write_text("{")),
    "line unknown": ("status line", "warn", "unknown", lambda m: m.settings.write_text("{ nope")),
    "line covered": ("status line", "warn", "overrides", lambda m: change(
        m.work / ".claude" / "settings.json", statusLine={"command": "x"})),
    "no home possible": ("home", "fail", "cannot be created", lambda m: m.env.update(
        JOURNAL_HOME=str(m.settings / "journal"))),
    "everybody's home": ("home", "fail", "everyone", lambda m: m.journal.chmod(0o777)),
    "open home": ("home", "warn", "0755", lambda m: m.journal.chmod(0o755)),
    "fresh errors": ("hook errors", "warn", "2 hours ago", lambda m: write_error(m, "2026-03-01T10:00:00.000Z")),
    "old errors": ("hook errors", "note", "28 days ago", lambda m: write_error(m, "2026-02-01T10:00:00.000Z")),
    "configuration": ("configuration", "warn", "", lambda m: (m.journal / "config.toml").write_text("nonsense = 1\n")),
}  # fmt: skip


@pytest.mark.parametrize("name, status, what, spoil", CASES.values(), ids=CASES)
def test_a_finding(
    examine: Callable[..., dict[str, doctor.Check]], served: LocalMachine, name: str, status: str, what: str,
    spoil: Callable[[LocalMachine], object],
) -> None:  # fmt: skip
    """A problem is reported in its own row, which is ok on a machine just set up."""
    spoil(served)
    row = examine()[name]
    assert (row.status, what in row.what) == (status, True), row


ONLY = {"allowManagedHooksOnly": True}
MANAGED = "managed-settings.json"


@pytest.mark.parametrize(
    "name, values, status",
    [
        (MANAGED, ONLY, "fail"),
        (MANAGED, {**ONLY, "enabledPlugins": {ID: True}}, "ok"),
        (MANAGED, {"enabledPlugins": {ID: True}, "disableAllHooks": True}, "fail"),
        ("managed-settings.d/10-hooks.json", {"disableAllHooks": True}, "fail"),
        ("", ONLY, "ok"),
        (MANAGED, {"model": "opus"}, "ok"),
    ],
)
def test_managed_settings(
    examine: Callable[..., dict[str, doctor.Check]],
    served: LocalMachine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    values: dict[str, Any],
    status: str,
) -> None:
    """Managed settings, parts of them too, turn hooks off unless they name the plugin.

    In the user's own settings Claude Code ignores what only managed settings may say.
    """
    monkeypatch.setattr("cli.doctor.installation.MANAGED", str(tmp_path / "managed"))
    change(tmp_path / "managed" / name if name else served.settings, **values)
    assert examine()["hooks"].status == status


def test_a_change_of_meaning_is_said_once(examine, served: LocalMachine) -> None:
    """A note explains once that own stage thresholds now count room until compaction."""
    served.write(b"{}")
    assert "stage budgets" not in examine()
    (served.journal / "config.toml").write_text("[stage.thresholds]\nship = 20\n")
    project_of(served).mkdir(parents=True, exist_ok=True)
    row = examine()["stage budgets"]
    assert (row.status, "stage.thresholds.ship" in row.what) == ("note", True)
    assert "stage budgets" not in examine()
