"""Events as facts that may become records."""

from __future__ import annotations

from typing import Any

from journal.config.schema import DEFAULTS
from journal.history.importer.owners import Destination
from journal.history.importer.reader import facts_of

SECRET = "ghp_" + "aB3" * 12
SHOP = Destination("shop", "/home/dev/shop", DEFAULTS)
OFF = Destination("mill", "/home/dev/mill", {**DEFAULTS, "capture.level": "off"})


def event(kind: str = "prompt.submitted", **more: Any) -> dict[str, Any]:
    """Return an event."""
    return {"ts": "2026-11-20T10:00:00.000Z", "type": kind, "v": 1, "sid": "s", **more}


def test_a_fact_is_redacted_and_names_its_project() -> None:
    """The body has the members of the event, without secrets; key and tokens stand beside it."""
    asked, used = facts_of(
        [
            (SHOP, event(key="aa", text=f"use {SECRET}")),
            (SHOP, event("usage.recorded", key="bb", output_tokens=7)),
        ]
    )
    assert (asked.project, asked.type, asked.key, asked.output) == (
        "shop",
        "prompt.submitted",
        "aa",
        -1,
    )
    assert SECRET.encode() not in asked.body
    assert b"[redacted:" in asked.body
    assert (used.key, used.output) == ("bb", 7)


def test_where_nothing_is_captured_a_fact_is_empty() -> None:
    """It counts, without a body; an emptied event is no fact."""
    facts = facts_of([(OFF, event(key="aa")), (SHOP, {}), (SHOP, event(key="cc"))])
    assert [(fact.key, bool(fact.body)) for fact in facts] == [("aa", False), ("cc", True)]


def test_half_a_surrogate_is_written_all_the_same() -> None:
    """A text that is no UTF-8 becomes a record."""
    (fact,) = facts_of([(SHOP, event(text="a\ud83d"))])
    assert b'"text":"a' in fact.body
