"""Which sessions belong together."""

from __future__ import annotations

from projections.lineage import Lineage, hints, root_of
from tests.projections.timeline import view


def test_lineage_goes_by_name() -> None:
    """A link comes from an event that names the predecessor, never from the order of sessions."""
    text = ("09:00 start / b 09:01 start / 09:02 end clear / c 09:02 start clear a / d 09:03 start fork c / e 09:04 start startup / c 09:05 done")  # fmt: skip
    state = view("lineage", text)
    assert {sid: root_of(state, sid) for sid in "abcde"} == {
        "a": "a", "b": "b", "c": "a", "d": "a", "e": "e",
    }  # fmt: skip
    assert (state.sessions["a"].ended != "", state.sessions["a"].reason) == (True, "clear")


# -- the first request --------------------------------------------------------------------------------


def fresh(text: str) -> list[str]:
    """Return the sessions without a request so far."""
    lineage: Lineage = view("lineage", text)
    return hints(lineage)


def test_who_was_asked_nothing_yet() -> None:
    """A new or cleared session counts until its first request, its end or a compaction."""
    assert fresh("09:00 start / b 09:00 start clear a / c 09:00 start resume") == ["a", "b"]
    assert fresh("09:00 start / 09:01 prompt x / b 09:00 start / b 09:01 prompt x by s") == ["b"]
    assert fresh("09:00 start / 09:01 prompt") == ["a"]
    assert fresh("09:00 start / 09:01 command x / 09:01 tool Bash ls") == ["a"]
    assert fresh("09:00 start / 09:01 end") == []
    assert fresh("09:00 start / 09:01 compact auto / 09:01 done") == []
    assert fresh("09:01 prompt x") == []
    nodes = view("lineage", "09:00 start / 09:01 prompt / 09:02 prompt x / 09:03 prompt y")
    assert nodes.sessions["a"].asked == 3
