"""`journal events`: what it says where nothing matches, and `--follow`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import SID

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("tool.finishd", "the journal knows no type tool.finishd; did you mean tool.finished?"),
        ("nothing.", "the journal knows no type nothing.; docs/events.md lists the types."),
        ("hook.failed", "No event matches; journal events without options shows all."),
        ("stage.", "No event matches; journal events without options shows all."),
    ],
)
def test_no_event_matches(played, kind, says):
    """A mistyped type is named, with the one it resembles; a known one just has no event."""
    result = played.journal("events", "--type", kind, COLUMNS="200")
    assert result.code == 0
    assert says in result.out


@pytest.mark.parametrize("words", [[], ["--json"]], ids=["lines", "json"])
def test_follow_shows_what_comes(words, played, monkeypatch):
    """`events --follow` prints existing events and then each new event as appended, once."""
    steps = iter(["alpha", "beta", ""])

    def sleep(_seconds):
        """Append the next event while the command waits; at the end press Ctrl-C."""
        text = next(steps)
        if not text:
            raise KeyboardInterrupt
        assert played.journal("note", text).code == 0

    monkeypatch.setattr(time, "sleep", sleep)
    result = played.journal("events", "--follow", "--limit", "1", *words)
    first, *lines = result.out.splitlines()
    assert result.code == 130
    assert "tool.finished" in first
    assert ["flow.noted" in line for line in lines] == [True, True]
    assert ["alpha" in lines[0], "beta" in lines[1]] == [True, True]
    assert not words or [json.loads(line)["text"] for line in lines] == ["alpha", "beta"]


def test_follow_ends_with_ctrl_c(played):
    """As a process it prints existing events immediately, and Ctrl-C ends it cleanly."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "events", "--follow", "--limit", "1"], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
        env={**played.env, "JOURNAL_PROJECT": str(played.project)},
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "tool.finished" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 130


def test_events_are_their_records(played):
    """`events --json` gives the fields of the records, without the checksum."""
    found = played.journal("events", "--json").data
    assert [event["seq"] for event in found] == list(range(1, 32))
    assert all({"seq", "ts", "type", "v"} <= event.keys() for event in found)
    assert not any("crc" in event for event in found)


def test_unknown_types_are_shown_and_counted(played):
    """An event of a later version is listed as it is, counted, and changes no view."""
    from journal.log.append import Writer

    with Writer(str(played.directory), "2026-11-21T10:00:00.000Z") as writer:
        writer.append({"type": "cart.emptied", "v": 7, "sid": SID, "why": "later"})
    assert played.journal("events", "--json", "--limit", "1").data[0]["why"] == "later"
    assert "why=later" in played.journal("events", "--limit", "1").out
    assert played.journal("view", "compound").data["seq"] == 32
    assert played.journal("verify").code == 0
    assert played.journal("verify", "--json").data["counts"]["unknown"] == 1
    assert played.journal("verify", "--strict").code == 1


def test_a_time_of_another_year_has_its_year(played):
    """Dates of this year are short; others have their year."""
    now, later = (
        played.journal("events", JOURNAL_NOW=f"{year}-12-01T12:00:00Z").out for year in (2026, 2027)
    )
    assert " 11-21 " in now
    assert "2026-11-21 " not in now
    assert later.count("2026-11-21 ") == len(later.splitlines()) - 1
