"""Setup and uninstall with the real client, which edits the same settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.client import find_client

if TYPE_CHECKING:
    from tests.cli.install.machine import Machine

pytestmark = pytest.mark.client

ID = "journal@context-journal"
QUIET = {
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:1",
    "ANTHROPIC_API_KEY": "dummy-key",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CI": "1",
}
SETTINGS = {
    "none": None,
    "odd": b'{\r\n    "statusLine": {"type": "command",\r\n  "command": "echo \\"mine | yours\\""},'
    b'"env":{"A":"\\u00e9"},  "enabledPlugins": {}\r\n}',
    "mark": b'\xef\xbb\xbf{"model": "opus"}\n',
}


@pytest.fixture
def real(bare: Machine) -> Machine:
    """A machine with the real client, without network access."""
    client, why = find_client()
    if client is None:
        pytest.skip(why)
    bare.with_client(client)
    bare.env |= QUIET
    return bare


def listed(machine: Machine) -> list[dict[str, Any]]:
    """Return the plugins the client lists."""
    out = machine.run([str(machine.root / "programs" / "claude"), "plugin", "list", "--json"])
    found: list[dict[str, Any]] = json.loads(out)
    return found


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(data, id=name, marks=[pytest.mark.long] * (name != "odd"))
        for name, data in SETTINGS.items()
    ],
)
def test_there_and_back(real: Machine, data: bytes | None) -> None:
    """Setup installs and enables the plugin once; uninstall restores the state before."""
    if data is not None:
        real.write(data)
    real.setup(statusline=True)
    real.setup(statusline=True)
    [entry] = listed(real)
    assert (entry["id"], entry["enabled"]) == (ID, True)
    assert entry["readFromFolder"] == str(real.plugin)
    assert "errors" not in entry
    real.uninstall()
    assert listed(real) == []
    assert (real.settings.read_bytes() if real.settings.exists() else None) == data
    left = [path for path, (_, text) in real.tree().items() if b"context-journal" in text]
    assert [path for path in left if "/backups/" not in path] == []


@pytest.mark.long
def test_a_second_checkout_takes_over(real: Machine) -> None:
    """Set up from two checkouts, the client still has one plugin."""
    real.setup()
    real.setup(product=real.checkout("second"))
    assert [entry["id"] for entry in listed(real)] == [ID]


@pytest.mark.long
def test_what_was_added_by_hand_stays(real: Machine) -> None:
    """A plugin from a marketplace the person added stays: it is updated from there."""
    claude = str(real.root / "programs" / "claude")
    product = real.checkout("theirs")
    real.run([claude, "plugin", "marketplace", "add", str(product)])
    real.run([claude, "plugin", "install", ID])
    before = real.settings.read_bytes()
    real.setup(statusline=True)
    real.uninstall()
    assert real.settings.read_bytes() == before
    [entry] = listed(real)
    assert (entry["readFromFolder"], entry["enabled"]) == (str(product), True)


@pytest.mark.long
def test_project_scope(real: Machine) -> None:
    """With project scope the plugin is in the project's unshared settings, until uninstall."""
    folder = real.work / ".claude"
    real.setup(scope="project", statusline=True)
    assert [path.name for path in folder.iterdir()] == ["settings.local.json"]
    local = json.loads((folder / "settings.local.json").read_text(encoding="utf-8"))
    assert ID in local["enabledPlugins"]
    assert not real.settings.exists()
    real.uninstall()
    assert listed(real) == []
    assert not (folder / "settings.local.json").exists()
