"""`journal tune`: its row of current settings agrees with the hooks, and nothing is written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from journal.log.append import Writer
from tests.cli.conftest import SID, START, Workspace
from tests.journal.history.importer.conftest import Sandbox, sandbox  # noqa: F401, TC001 (sandbox is a fixture)
from tests.tools.transcripts import write

GOLDEN = Path(__file__).parent / "golden" / "tune.txt"


def test_it_says_what_the_hooks_said(played: Workspace) -> None:
    """The recorded session has two warnings, one compaction, and the lead time shown in the log."""
    said = played.journal("events", "--json", "--type", "advice.given").data
    warned = [event for event in said if event["what"] == "pressure"]
    found = played.journal("tune", "--json").data["now"]
    assert (found["warnings"], found["compactions"], found["misses"]) == (len(warned), 1, 0)
    # Read at 09:15:05 with 741,000 tokens, compacted at 09:28:21 with 961,000.
    assert (found["seconds"], found["tokens"]) == (796.0, 220_000)


def history(workspace: Workspace) -> None:
    """Write sessions that compact late or never, and some cycles."""
    workspace.journal("note", "begin", "--session", SID)
    events: list[dict[str, Any]] = []
    for number in range(6):
        sid = f"s{number}"
        for minute, tokens in enumerate((60, 100, 130, 152 + number, 166)):
            events.append(
                {
                    "type": "pressure.sampled",
                    "sid": sid,
                    "tokens": tokens * 1000,
                    "window": 200_000,
                    "point": 167_000,
                    "minute": minute,
                }
            )
            events.append(
                {"type": "prompt.submitted", "sid": sid, "origin": "human", "minute": minute}
            )
        if number % 3:
            events.append(
                {
                    "type": "compact.started",
                    "sid": sid,
                    "trigger": "auto",
                    "tokens": 166_000,
                    "point": 167_000,
                    "minute": 5,
                }
            )
            events.append({"type": "session.started", "sid": sid, "source": "compact", "minute": 5})
        cycle = {"sid": sid, "cycle": f"c{number}"}
        left = 90.0
        for stage, used in (("sprint", 30), ("audit", 10 + number)):
            events.append(
                {"type": "stage.started", **cycle, "stage": stage, "remaining": left, "minute": 6}
            )
            left -= used
            events.append(
                {"type": "stage.finished", **cycle, "stage": stage, "remaining": left, "minute": 7}
            )
    with Writer(str(workspace.directory), START) as writer:
        for event in events:
            minute = event.pop("minute")
            writer.append(
                {"ts": f"2026-11-20T1{event['sid'][1]}:{minute:02d}:00.000Z", **event, "v": 1}
            )


def test_the_page(workspace: Workspace) -> None:
    """Table, bars, stages and the settings' lines fit 80 columns, and 40 if asked."""
    history(workspace)
    before = sorted(workspace.top.rglob("*"))
    text = workspace.plain(workspace.journal("tune").out)
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 80
    assert (
        max(map(len, workspace.journal("tune", COLUMNS="40").out.splitlines())) <= 44
    )  # a path of one word
    compiled = workspace.directory / "settings.cache"  # every command may write its settings there
    caches = {workspace.home / "cache", *workspace.home.glob("cache/**/*")}
    assert sorted({*workspace.top.rglob("*")} - {compiled} - caches) == before


def test_nothing_yet(workspace: Workspace) -> None:
    """Without readings it says how to import history; without a journal it exits with 3."""
    assert workspace.journal("tune").code == 3
    workspace.journal("note", "begin")
    found = workspace.journal("tune")
    assert (found.code, "journal import" in found.out) == (0, True)
    assert workspace.journal("tune", "--since", "7").code == 2
    later = workspace.journal("tune", "--since", "2099-01-01")
    assert "journal import" not in later.out
    assert "without --since, journal tune counts all sessions" in later.out


def test_over_imported_history(sandbox: Sandbox) -> None:  # noqa: F811
    """Transcripts alone are enough: every compaction in them is evaluated."""
    from tests.support.command import run_command

    truth = write(sandbox.client, sessions=2, entries=500, projects=2)
    sandbox.run()
    found = run_command(["tune", "--all", "--json"], sandbox.env, sandbox.top).data["now"]
    assert (found["compactions"], found["sessions"]) == (truth["compactions"], 2)
    assert found["misses"] < truth["compactions"] != 0
