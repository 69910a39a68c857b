"""Types of events, and how a record becomes one."""

from __future__ import annotations

import pytest

from journal.events.base import Event, Unknown
from journal.events.registry import KINDS, class_of, decode, event_of
from journal.log.record import frame


def record(**fields: object) -> bytes:
    """Return a record."""
    envelope = {"ts": "2026-11-21T09:00:00.000Z", "type": "turn.ended", "v": 1, "sid": "s"}
    return frame(7, {**envelope, **fields})[:-1]


def test_each_type_has_its_class() -> None:
    """The class of a type is an event with that type as its tag, and decodes a bare record."""
    for kind in KINDS:
        found = class_of(kind)
        assert issubclass(found, Event), kind
        assert found.__struct_config__.tag == kind
        assert isinstance(decode(record(type=kind), kind), (found, Unknown)), kind


def test_a_record_becomes_its_event() -> None:
    """Members are typed; members that this build does not know are ignored."""
    event = decode(record(message="Done.", colour="red"), "turn.ended")
    assert isinstance(event, class_of("turn.ended"))
    assert (event.seq, event.sid, event.message) == (7, "s", "Done.")


@pytest.mark.parametrize(
    ("fields", "kind"),
    [({"type": "of.later"}, "of.later"), ({"v": 99}, "turn.ended"), ({"message": 3}, "turn.ended")],
)  # fmt: skip
def test_what_this_build_does_not_know_is_kept(fields: dict[str, object], kind: str) -> None:
    """An unknown type, version or body is an Unknown with its envelope and its line."""
    line = record(**fields)
    event = decode(line, kind)
    assert isinstance(event, Unknown)
    assert (event.seq, event.sid, event.ts) == (7, "s", "2026-11-21T09:00:00.000Z")
    assert (event.type, event.line) == (kind, line)


def test_a_line_that_is_no_record_is_unknown() -> None:
    """Bytes that are not JSON give an Unknown without an envelope."""
    event = decode(b"\xff{", "turn.ended")
    assert isinstance(event, Unknown)
    assert (event.seq, event.sid) == (0, "")


def test_an_event_is_built_of_its_own_members() -> None:
    """None and members that the type lacks are left out."""
    event = event_of("turn.ended", {"seq": 1, "message": None, "colour": "red", "sid": "s"})
    assert (event.sid, event.message) == ("s", "")
