"""What is known of all records of a log beside the projections."""

from __future__ import annotations

import pytest

from journal.history.replay.facts import LogFacts, events_in, sid_of, ts_of
from journal.log.record import frame

Record = tuple[int, bytes]


def record(seq: int, second: int, sid: str = "s", kind: str = "turn.ended", **body: str) -> Record:
    """Return a record of a second."""
    ts = f"2026-11-21T09:00:{second:02}.000Z"
    return seq, frame(seq, {"ts": ts, "type": kind, "v": 1, "sid": sid, **body})[:-1]


RECORDS = [
    record(8, 1), record(9, 3), record(10, 4, "a"), record(11, 5, ""), record(12, 2),
    record(13, 6, "b", "compound.ran"), record(14, 7, "a", "usage.recorded"), record(15, 8, ""),
]  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_any_batches_give_the_same_facts(size: int) -> None:
    """Times, sessions, replies and the last compound do not depend on how the records come."""
    facts = LogFacts()
    for at in range(0, len(RECORDS), size):
        facts.add(RECORDS[at : at + size])
    assert facts == LogFacts(
        events=8,
        first="2026-11-21T09:00:01.000Z",
        ts="2026-11-21T09:00:08.000Z",
        last_type="turn.ended",
        latest="2026-11-21T09:00:08.000Z",
        replies=True,
        sessions={
            "s": (8, 12, "2026-11-21T09:00:02.000Z"),
            "a": (10, 14, "2026-11-21T09:00:07.000Z"),
            "b": (13, 13, "2026-11-21T09:00:06.000Z"),
        },
        compound=RECORDS[5][1].decode(),
    )


def test_a_reconciled_record_is_not_the_last_activity() -> None:
    """A record with an old time that came from the transcript leaves the session's last time."""
    facts = LogFacts()
    facts.add([record(1, 9), record(2, 3, via="reconciled")])
    facts.add([record(3, 4, via="reconciled")])
    assert facts.sessions == {"s": (1, 3, "2026-11-21T09:00:09.000Z")}


def test_a_time_that_is_not_in_its_place_makes_the_latest_unknown() -> None:
    """A log with a record laid out otherwise has no latest time, and may have replies."""
    facts = LogFacts()
    facts.add([(1, b'{"seq":1,"type":"note","sid":"s","crc":"00000000"}'), record(2, 3)])
    facts.add([record(3, 4)])
    assert (facts.latest, facts.replies) == ("", True)


def test_envelopes_are_read_at_their_places() -> None:
    """Time and session come from the envelope, not from texts that look like them."""
    line = record(1, 5, "me", text='"sid":"other","ts":"2020"')[1]
    assert (ts_of(line), sid_of(line)) == ("2026-11-21T09:00:05.000Z", "me")
    assert (ts_of(b'{"seq":1}'), sid_of(b'{"seq":1}')) == ("", "")


def recorded(seq: int, kind: str, **body: str) -> Record:
    """Return a record of a type."""
    return record(seq, seq, kind=kind, **body)


def test_events_of_some_types() -> None:
    """Others are left out, and so are a type that is not known and a repeated call."""
    records = [
        recorded(1, "prompt.submitted", key="a", text="one"),
        recorded(2, "turn.ended", key="a"),
        recorded(3, "prompt.submitted", key="a", text="one"),
        recorded(4, "session.ended"),
        recorded(5, "other.event"),
        recorded(6, "prompt.submitted", text="two"),
        recorded(7, "prompt.submitted", text="two"),
    ]
    kinds = {"prompt.submitted", "turn.ended", "other.event"}
    assert [(kind, event.seq) for kind, event in events_in(records, kinds)] == [
        ("prompt.submitted", 1), ("turn.ended", 2), ("prompt.submitted", 6), ("prompt.submitted", 7),
    ]  # fmt: skip
