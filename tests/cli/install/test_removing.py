"""Uninstall: what it removes, what it leaves, and what it says is left."""

from __future__ import annotations

import json

from tests.cli.install.machine import ID, LocalMachine


def test_a_dry_uninstall_changes_nothing(served: LocalMachine) -> None:
    """A dry uninstall changes nothing either."""
    served.write(b"{}\n")
    served.setup(statusline=True)
    before, calls = served.tree(), served.calls()
    served.uninstall(dry_run=True)
    assert served.tree() == before
    assert served.calls() == calls


def test_uninstall_leaves_the_journal(served: LocalMachine) -> None:
    """Events stay where they are, and uninstall says where and how large they are."""
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
    """If the client still lists the plugin the check fails, with the line to run."""
    served.setup()
    served.env["GHOST"] = ID
    result = served.call("uninstall")
    assert not result["ok"]
    assert [step["remedy"] for step in result["checked"] if step["status"] == "failed"] == [
        f"run: claude plugin uninstall {ID}"
    ]


def test_uninstall_finds_nothing_left(served: LocalMachine) -> None:
    """Sibling: if everything is gone, each place is named as clean."""
    served.setup(statusline=True)
    result = served.uninstall()
    assert {step["status"] for step in result["checked"]} == {"done"}
    looked = {step["where"] for step in result["checked"]}
    assert {str(served.plugin), str(served.settings)} <= looked


def test_uninstall_without_a_record(served: LocalMachine) -> None:
    """Without a record of setup, uninstall removes our entries and nothing else."""
    theirs = {"enabledPlugins": {"other@x": True}, "extraKnownMarketplaces": {"x": {}}}
    both = {"enabledPlugins": {"other@x": True, ID: True}, "extraKnownMarketplaces": {"x": {}}}
    served.write(json.dumps(both).encode())
    served.env["PATH"] = "/usr/bin:/bin"
    served.uninstall()
    assert json.loads(served.settings.read_text(encoding="utf-8")) == theirs


def test_uninstall_without_setup(served: LocalMachine) -> None:
    """If nothing is installed, nothing changes and nothing fails."""
    served.write(b'{ "model" : "opus" }')
    before = served.tree()
    served.uninstall()
    assert served.tree() == before


def test_uninstall_where_nothing_was_installed(served: LocalMachine) -> None:
    """Without the client and without a trace of the plugin there is nothing to type."""
    served.env["PATH"] = "/usr/bin:/bin"
    result = served.uninstall()
    assert result["to_type"] == []
    assert result["steps"][0]["what"] == "not installed in Claude Code"


def test_uninstall_of_what_the_client_installed(served: LocalMachine) -> None:
    """Without the client, a plugin that it installed itself is named with the lines to type."""
    served.write(f'{{"enabledPlugins": {{"{ID}": true}}}}'.encode())
    served.env["PATH"] = "/usr/bin:/bin"
    assert f"/plugin uninstall {ID}" in served.uninstall()["to_type"]


def test_uninstall_without_the_client(served: LocalMachine) -> None:
    """Without the client the settings still lose the plugin; the client's lines are printed."""
    served.write(b'{"model": "opus"}')
    served.setup()
    served.env["PATH"] = "/usr/bin:/bin"
    result = served.uninstall()
    assert result["to_type"] == [
        f"/plugin uninstall {ID}",
        "/plugin marketplace remove context-journal",
    ]
    assert served.settings.read_bytes() == b'{"model": "opus"}'
