"""What a program records, under one lock with the decision that led to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.scope import ProjectScope
from journal.history.write import Transaction, decide, note, stored
from journal.log.append import Busy, Writer

if TYPE_CHECKING:
    from tests.cases.world import World

SECRET = "ghp_" + "aB3" * 12


@pytest.fixture
def scope(inline: World) -> ProjectScope:
    """Return the scope of a project whose session works on a unit."""
    inline.start()
    assert inline.run("unit", "start", "Totals", "--item", "round").code == 0
    return ProjectScope(inline.env(), cwd=str(inline.project))


def test_a_decision_belongs_to_the_unit_under_way(scope: ProjectScope, inline: World) -> None:
    """A decision names the session's current unit; a note belongs to the session alone."""
    seq, event = decide(scope, inline.sid, "Round once")
    assert (event["type"], event["unit"] != "") == ("decision.recorded", True)
    assert inline.events()[-1]["seq"] == seq
    noted, event = note(scope, inline.sid, "later")
    assert (event["type"], "unit" in event) == ("flow.noted", False)
    assert noted == seq + 1
    assert "unit" not in decide(scope, "another", "Round twice")[1]


def test_nobody_appends_between_reading_and_writing(scope: ProjectScope, inline: World) -> None:
    """The views are those of the last record, and others wait until the end of the transaction."""
    with Transaction.locked(scope, inline.sid) as journal:
        before = journal.views
        with pytest.raises(Busy), Writer(scope.directory, scope.iso, deadline=0.01):
            pass
        seq = journal.next_seq
        assert journal.record("decision.recorded", text="one") == seq
        assert journal.record("decision.recorded", "other", text="two") == seq + 1
        assert journal.seqs == [seq, seq + 1]
        assert journal.views != before
    assert [event["sid"] for event in inline.events("decision.recorded")] == [inline.sid, "other"]


def test_without_a_lock_there_are_no_views(scope: ProjectScope) -> None:
    """A transaction that nothing holds reads no journal: it is for a dry run."""
    journal = Transaction(scope, "s")
    assert (journal.next_seq, journal.unit, journal.seqs) == (1, "", [])


def test_an_open_item_keeps_its_false(scope: ProjectScope) -> None:
    """An event is built from the body that work files return; `done` false means open again."""
    journal = Transaction(scope, "s")
    body = {"type": "unit.progressed", "unit": "u", "item": "round"}
    assert journal.build({**body, "done": False})["done"] is False
    assert "done" not in journal.build(body)
    assert journal.build({**body, "done": True})["type"] == "unit.progressed"


def test_what_is_stored_is_redacted_and_cut() -> None:
    """The members are returned as a record has them, without the version."""
    found = stored(
        {"type": "flow.noted", "v": 1, "sid": "s", "text": f"use {SECRET} " + "x" * 20_000}
    )
    assert SECRET not in found["text"]
    assert found["text"].startswith("use [redacted:")
    assert len(found["text"]) < 16_384
    assert list(found) == ["type", "sid", "text"]
