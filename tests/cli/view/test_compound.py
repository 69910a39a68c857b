"""The views of the work log and of the learnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.cases.world import SID

if TYPE_CHECKING:
    from tests.cases.world import World


def test_entries_are_counted_until_they_are_learnings(inline: World) -> None:
    """The view has the work log's entries, those not saved yet, and what a compound saved."""
    inline.flow(3)
    inline.start()
    view = inline.view("compound")
    assert (view["entries"], view["unpromoted"], view["ran"]) == (3, 3, None)
    assert len(view["headings"]) == 3
    inline.append({"type": "compound.ran", "promoted": 2, "covered": []})
    inline.prompt()
    view = inline.view("compound", sid=SID)
    assert (view["promoted"], view["ran"] is not None) == (2, True)
    assert {"phases_used", "suggested", "compact", "compound_since_compact"} <= view.keys()


def test_learnings_count_their_confirmations(inline: World) -> None:
    """A learning that was confirmed has how often and when."""
    inline.start()
    title = {"title": "Round once", "file": "learnings-code.md"}
    inline.append(
        {"type": "learning.recorded", **title},
        {"type": "learning.confirmed", **title},
    )
    view = inline.view("learnings")
    assert (view["recorded"], view["confirmed"]) == (1, 1)
    (entry,) = view["entries"]
    assert (entry["title"], entry["file"]) == ("Round once", "learnings-code.md")
    assert entry["last_confirmed"]
