"""The pressure view."""

from __future__ import annotations


def test_pressure_terms_have_provenance(played):
    """Each term of the compaction threshold names its source."""
    data = played.journal("view", "pressure", "--session", "c00f", "--until", "20").data
    assert (data["tokens"], data["point"], data["level"]) == (884_000, 967_000, "urgent")
    assert data["told"] == "urgent"
    assert {term["provenance"] for term in data["terms"]} == {"Claude Code", "default"}


def test_an_unknown_reading_has_its_reason(inline):
    """Without a reading all figures are null; once read, they are, until the reading is too old."""
    inline.start()
    inline.prompt()
    first = inline.view("pressure", sid=inline.sid)
    assert (first["known"], first["tokens"], first["level"]) == (False, None, None)
    assert first["unknown"]
    inline.read(60)
    known = inline.view("pressure", sid=inline.sid)
    assert (known["known"], known["unknown"], known["level"]) == (True, None, "none")
    assert known["left"] + known["pressure"] == 100
    inline.read(91)
    urgent = inline.view("pressure", sid=inline.sid)
    assert (urgent["level"], urgent["told"]) == ("urgent", "urgent")


def test_levels_are_those_in_force(inline):
    """The view names the configured levels."""
    inline.start()
    inline.order("config", "set", "pressure.info", "0.61")
    assert inline.view("pressure")["levels"] == {"info": 0.61, "urgent": 0.9}
