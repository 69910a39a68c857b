"""Installation as a person does it: setup, work without further options, uninstall."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from .client import REPO, new_id
from .logbook import Logbook
from .scene import INFO
from .terminal import Terminal
from .wire import Reply

if TYPE_CHECKING:
    from pathlib import Path

    from .api import Api
    from .client import Client

pytestmark = pytest.mark.client

SHIPPED = ("journal", "projections", "hooks", "cli", "skills", "bin", ".claude-plugin")

SETTINGS = """{
    "statusLine": {"type": "command",
                   "command": "echo MY-OWN-LINE"},
  "env": {"EDITOR": "vi"}
}
"""


@pytest.fixture
def installed(client: Client, tmp_path: Path) -> Logbook:
    """Copy the checkout, so setup does not affect other work; the client has no plugin."""
    root = tmp_path / "checkout"
    root.mkdir()
    for name in SHIPPED:
        shutil.copytree(REPO / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "requirements.lock", "README.md", "LICENSE"):
        shutil.copy(REPO / name, root / name)
    client.plugins = ()
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "claude").symlink_to(client.executable)
    client.env["PATH"] = f"{programs}:{client.environment()['PATH']}"
    return Logbook(client, root)


def test_setup_then_work_then_uninstall(client: Client, installed: Logbook) -> None:
    """After setup a plain session is captured; after uninstall none is, and the journal stays.

    The checkout is away while the session runs: what setup installed does not need it.
    """
    settings = client.home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS, encoding="utf-8")
    installed.run("setup", "--statusline")
    set_up = json.loads(settings.read_text(encoding="utf-8"))
    assert set_up["statusLine"] != json.loads(SETTINGS)["statusLine"]
    assert set_up["env"] == {"EDITOR": "vi"}
    installed.root.rename(installed.root.with_name("moved"))
    sid = new_id()
    client.say("first", sid)
    installed.root.with_name("moved").rename(installed.root)
    assert installed.counts(sid)["prompt.submitted"] == 1
    assert installed.counts(sid)["session.ended"] == 1
    installed.run("uninstall")
    assert settings.read_text(encoding="utf-8") == SETTINGS
    client.say("second", sid)
    assert installed.counts(sid)["prompt.submitted"] == 1


@pytest.mark.long
def test_the_line_of_before_is_still_shown(
    client: Client, api: Api, installed: Logbook, tmux: None
) -> None:
    """An installed status line prints the person's previous line and records readings too."""
    settings = client.home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS, encoding="utf-8")
    installed.run("setup", "--statusline")
    api.script(Reply("Heard.", tokens=INFO))
    with Terminal(client) as terminal:
        terminal.enter("hello there")
        terminal.wait_for("Heard.")
        terminal.wait_for("MY-OWN-LINE")
        terminal.wait_until(lambda: bool(installed.events("pressure.sampled")), "a reading")


def test_setup_without_the_client(client: Client, installed: Logbook) -> None:
    """If the client is not on PATH, setup prints the two lines to type."""
    client.env["PATH"] = f"{client.python}:/usr/bin:/bin"
    if shutil.which("claude", path=client.env["PATH"]):
        pytest.skip("a client is installed beside the system's programs")
    said = installed.run("setup")
    assert "plugin marketplace add" in said
    assert "plugin install journal@" in said
