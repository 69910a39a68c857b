"""Texts queued for a session: who gets them, and when they are delivered."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projections.queue import MOST, TEXT, Queue, waiting
from projections.queue import hints as queue_hints
from tests.projections.timeline import fed, views

# -- the queue ----------------------------------------------------------------------------------------


def waits(text: str, sid: str = "a") -> list[int]:
    """Return the seqs of the texts queued for a session."""
    states = views(text, "queue", "lineage")
    found = [item.seq for item in waiting(states["queue"], states["lineage"], sid)]
    # The hint may be true without need, but is never false in error.
    assert not found or sid in queue_hints(states["queue"], states["lineage"])
    return found


def test_it_waits_until_it_was_injected() -> None:
    """Only the record of its own injection takes a text out of the queue."""
    text = "09:00 start / 09:00 queued a T / 09:00 queued a U / "
    assert waits(text) == [2, 3]
    assert waits(text + "09:01 prompt x / 09:01 injected start 2 / 09:02 end") == [2, 3]
    assert waits(text + "09:01 injected pack 2 by x") == [2, 3]
    assert waits(text + "09:01 injected pack 2") == [3]
    assert waits(text + "09:01 injected pack 2 / 09:01 injected pack 3") == []


def test_it_follows_the_lineage() -> None:
    """The continuing session gets the text, named before or after, over any number of links."""
    before = "09:00 start / 09:01 queued a T / 09:02 end clear / b 09:02 start clear a / "
    assert waits(before, "b") == [2]
    assert waits(before + "c 09:03 start fork b", "c") == [2]
    assert waits(before + "c 09:03 start", "c") == []
    after = "09:00 start / 09:02 end clear / b 09:02 start clear a / 09:03 queued a T"
    assert waits(after, "b") == [4]
    assert waits(after, "a") == [4]
    assert waits("09:00 queued a T / 09:01 start clear a by x / c 09:02 start clear b", "c") == []


def test_a_text_in_parts() -> None:
    """A text in parts is queued once its last part is; a part without a text changes nothing."""
    assert waits("09:00 part 2 / 09:00 part 1 / 09:00 part 3") == []
    assert waits("09:00 part 1 / 09:00 part 2") == []
    text = "09:00 part 1 / 09:00 part 2 / 09:00 part 3"
    assert waits(text) == [1]
    assert waits(text + " / 09:00 part 2 / 09:00 part 3") == [1]
    assert views(text, "queue", "lineage")["queue"].waiting[0].text == "part 1part 2part 3"


@given(st.integers(0, 40), st.integers(0, 30_000))
def test_the_queue_is_bounded(count: int, size: int) -> None:
    """The queue keeps the newest texts, bounded in number and characters."""
    queue: Queue = fed(
        *({"type": "context.queued", "to": "a", "title": str(n), "text": "x" * min(size, 12_000)}
          for n in range(count))
    )["queue"]  # fmt: skip
    assert len(queue.waiting) == min(count, MOST)
    assert all(len(item.text) <= TEXT for item in queue.waiting)
    assert [item.title for item in queue.waiting] == [str(n) for n in range(count)][-MOST:]
