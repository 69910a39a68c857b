"""Events of some types are decoded from records, each hook call once."""

from __future__ import annotations

from typing import Any

from journal.history.replay.events import events_in
from journal.log.record import frame
from tests.support.journals import at


def record(seq: int, kind: str, **fields: Any) -> tuple[int, bytes]:
    """Return a record and its seq."""
    return seq, frame(seq, {"ts": at(seq), "type": kind, "v": 1, "sid": "s", **fields})[:-1]


def test_events_of_some_types() -> None:
    """Others are left out, and so are a type that is not known and a repeated call."""
    records = [
        record(1, "prompt.submitted", key="a", text="one"),
        record(2, "turn.ended", key="a"),
        record(3, "prompt.submitted", key="a", text="one"),
        record(4, "session.ended"),
        record(5, "other.event"),
        record(6, "prompt.submitted", text="two"),
        record(7, "prompt.submitted", text="two"),
    ]
    kinds = {"prompt.submitted", "turn.ended", "other.event"}
    assert [(kind, event.seq) for kind, event in events_in(records, kinds)] == [
        ("prompt.submitted", 1), ("turn.ended", 2), ("prompt.submitted", 6), ("prompt.submitted", 7),
    ]  # fmt: skip
