"""No text leaves in a column of the team's tables, and which rows count."""

from __future__ import annotations

from contextlib import suppress

import pytest
from msgspec import ValidationError, convert, structs, to_builtins

from journal.events.registry import KINDS, class_of
from journal.history.export.columns import TIMES
from journal.history.team.columns import team_columns

pytestmark = pytest.mark.team


# Columns that name something: tools, models, stages, ids, and words of Claude Code or of the journal.
NAMES = {
    "events": {"agent", "prompt"},
    "sessions": {"model", "reason"},
    "turns": {"prompt", "origin"},
    "tools": {"tool", "tests", "use", "agent", "prompt"},
    "pressure": {"source", "model"},
    "compactions": {"trigger", "point_from", "warned_level"},
    "advice": {"kind", "what", "level", "channel", "hook"},
    "stages": {"cycle", "stage", "part"},
    "usage": {"model", "message_id", "agent", "request", "speed"},
    "hooks": {"hook"},
}
PLANTED = "planted in /home/ann/x.py"


def planted(kind: str) -> dict[str, object]:
    """Return an event with a text in each of its members that takes one, also within lists."""
    members = structs.fields(class_of(kind))
    made: dict[str, object] = {"type": kind}
    for member in members:
        if member.encode_name not in ("seq", "ts", "v", "sid"):
            for value in (PLANTED, [PLANTED], {PLANTED: PLANTED}, [{"text": PLANTED}], 7, True):
                with suppress(ValidationError):
                    made[member.encode_name] = to_builtins(convert(value, member.type))
                    break
    return made


def test_no_text_of_any_event_leaves(team):
    """With `full` a text in any member of any event is in no column but those that name something."""
    events = [planted(kind) for kind in KINDS if kind != "segment.opened"]
    team.journals.write([*events, *events], "shop-00000001")
    team.journals.write(events, "shop-00000001", "imported")
    team.export()
    for table in TIMES:
        leaves = {
            name for name, kind in team_columns(table)
            if kind.startswith("VARCHAR")
            and PLANTED in str(team.rows(table, f'list("{name}")', counted=False))
        }  # fmt: skip
        assert leaves <= NAMES[table], table
    for path in team.there.rglob("*.json"):
        assert b"/home/ann" not in path.read_bytes()
