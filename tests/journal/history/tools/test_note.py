"""What `note` records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.journal.history.tools.conftest import ask

if TYPE_CHECKING:
    from tests.cases.world import World


@pytest.mark.parametrize(
    ("kind", "type_", "what"),
    [
        ("decision", "decision.recorded", "a decision of session"),
        ("entry", "flow.noted", "a work-log entry of session"),
        ("item", "unit.started", "an open item of open-items"),
    ],
)
def test_a_note_is_an_event_of_this_session(past: World, kind: str, type_: str, what: str) -> None:
    """Each kind of note appends one redacted event of the caller's session and names it."""
    before = len(past.events())
    done = ask(past, "note", kind=kind, text="use AKIAIOSFODNN7EXAMPLE for S3")
    event = past.events()[-1]
    assert not done.failed
    assert (len(past.events()) - before, event["type"], event["sid"]) == (1, type_, past.sid)
    assert f"Recorded as event {event['seq']}, {what}" in done.text
    assert "AKIAIOSFODNN7EXAMPLE" not in json.dumps(event) + done.text


def test_open_items_join_the_unit_under_way(past: World) -> None:
    """A second open item joins the first; one that is already open is not added again."""
    ask(past, "note", kind="item", text="first")
    ask(past, "note", kind="item", text="second")
    assert "Open already" in ask(past, "note", kind="item", text="second").text
    shown = ask(past, "status").text
    assert 'Unit open-items: 0 of 2 done. Open: "first"; "second".' in shown
    past.order("unit", "check", "first")
    assert "1 of 2 done" in ask(past, "status").text


def test_without_a_session_a_note_belongs_to_the_project(past: World) -> None:
    """A decision without a session belongs to the project; an open item is refused."""
    assert "no session is known" in ask(past, "note", "", kind="decision", text="x").text
    assert past.events()[-1]["sid"] == ""
    assert ask(past, "note", "", kind="item", text="x").failed


@pytest.mark.parametrize("off", ["environment", "setting"])
def test_switched_off_a_note_is_refused(past: World, off: str) -> None:
    """With JOURNAL_OFF or capture.level off the tool writes nothing."""
    if off == "environment":
        past.more["JOURNAL_OFF"] = "1"
    else:
        past.order("config", "set", "capture.level", "off")
    before = len(past.events())
    assert ask(past, "note", kind="entry", text="x").failed
    assert len(past.events()) == before
