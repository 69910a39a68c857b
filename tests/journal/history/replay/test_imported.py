"""Steps of a live log and of imported events, by their places in the timeline."""

from __future__ import annotations

from typing import Any

import pytest

from journal.history.merged import TimelineRecord
from journal.history.replay.imported import imported_steps, with_positions
from journal.history.replay.steps import steps
from journal.log.record import frame
from tests.support.journals import at


def line(seq: int, second: int, kind: str = "prompt.submitted", **more: Any) -> bytes:
    """Return a record."""
    return frame(seq, {"ts": at(second), "type": kind, "v": 1, "sid": "s", **more})[:-1]


ENTRIES = [
    TimelineRecord(at(second), "imported", seq, line(seq, second, imported=True, prompt=f"p{seq}"))
    for seq, second in ((2, 1), (3, 4), (4, 9))
]


def test_a_live_step_is_never_before_the_one_before_it() -> None:
    """A record with an older time has the place of the one before it."""
    found = steps([(1, line(1, 5)), (2, line(2, 3))], (), {}, answers=False)
    assert [edge for edge, _ in with_positions(found)] == [(at(5), False, 1), (at(5), False, 2)]


@pytest.mark.parametrize(
    ("edge", "last", "cites"),
    [(None, None, ["i:2", "i:3", "i:4"]), ((at(4), True, 3), None, ["i:2", "i:3"]),
     ((at(3), False, 9), None, ["i:2"]), (None, 1, ["i:4"]), ((at(4), True, 3), 1, ["i:3"]),
     (None, 0, [])],
)  # fmt: skip
def test_steps_up_to_an_edge(edge: Any, last: int | None, cites: list[str]) -> None:
    """Events up to a position are stepped through, or only the last ones of them."""
    found = list(imported_steps(ENTRIES, ["sessions", "pressure"], edge, last))
    assert [step.cite for _, step in found] == cites
    assert [place[2] for place, _ in found] == [int(cite[2:]) for cite in cites]


def test_only_sessions_change() -> None:
    """The events before the last ones are folded, so that the change is that of the last one."""
    ((_, step),) = imported_steps(ENTRIES, ["sessions", "recovery"], None, 1)
    assert list(step.changed) == ["sessions"]
    counts = {path: (old, new) for path, old, new in step.changed["sessions"]}
    assert counts["sessions", "s", "prompts"] == (2, 3)
