"""The marketplace of the plugin, and other plugins of its name."""

from __future__ import annotations

import json

import pytest

from tests.cli.install.machine import ID, LocalMachine, failures

OTHERS = {
    "a repository": {"source": "github", "repo": "somebody/context-journal"},
    "an address": {"source": "git", "url": "https://example.org/j.git"},
    "a directory": {"source": "directory", "path": "/usr/share"},
}


@pytest.mark.parametrize("installed", [True, False], ids=["installed", "known"])
@pytest.mark.parametrize("source", OTHERS.values(), ids=OTHERS)
def test_a_marketplace_that_was_there_stays(
    served: LocalMachine, source: dict[str, str], installed: bool
) -> None:
    """With an existing marketplace setup adds what is missing, and uninstall removes only that."""
    values = {"extraKnownMarketplaces": {"context-journal": {"source": source}}}
    if installed:
        values["enabledPlugins"] = {ID: True}
    text = json.dumps(values, indent=1).encode()
    served.write(text)
    served.setup(statusline=True)
    made = [["plugin", "install", ID, "--scope", "user"]]
    assert served.calls() == ([] if installed else made)
    now = json.loads(served.settings.read_bytes())
    assert now["extraKnownMarketplaces"] == values["extraKnownMarketplaces"]
    assert now["enabledPlugins"] == {ID: True}
    assert "statusLine" in now
    served.setup()
    served.uninstall()
    assert served.settings.read_bytes() == text
    assert ["plugin", "marketplace", "remove", "context-journal"] not in served.calls()


def test_nobody_is_told_to_replace_a_marketplace(local: LocalMachine) -> None:
    """If the plugin comes from an existing marketplace, no lines to type are printed."""
    values = {"extraKnownMarketplaces": {"context-journal": {"source": OTHERS["a repository"]}}}
    local.write(json.dumps(values).encode())
    result = local.setup()
    assert result["to_type"] == []
    assert "somebody/context-journal" in str(result["steps"])


def test_a_marketplace_that_is_gone_is_named(served: LocalMachine) -> None:
    """A marketplace whose directory is gone is named, not replaced: the person removes it."""
    source = {"source": "directory", "path": str(served.root / "moved")}
    served.write(
        json.dumps({"extraKnownMarketplaces": {"context-journal": {"source": source}}}).encode()
    )
    [failed] = failures(served.call("setup"))
    assert failed["where"] == source["path"]
    assert "claude plugin marketplace remove context-journal" in failed["remedy"]
    assert served.calls() == []
