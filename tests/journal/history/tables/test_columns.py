"""The members of records that tables read."""

from __future__ import annotations

from journal.events.registry import KINDS, class_of
from journal.history.tables.columns import COLUMNS


def test_columns_read_are_members_of_events():
    """Every column read from a record is a member of some event's type."""
    members = {name for kind in KINDS for name in class_of(kind).__struct_fields__}
    assert sorted(set(COLUMNS) - members - {"type", "seq", "ts"}) == []


def test_a_member_of_another_shape_is_null_there(journals):
    """A member of another type is NULL in the table, and the row stays."""
    journals.write([{"type": "tool.finished", "v": 1, "tool": ["x"], "ms": "long", "target": "a"}])
    (row,) = journals.sql("from tools")
    assert (row["target"], row["ms"]) == ("a", None)
