"""Which records belong to a family of rows, and with which columns."""

from __future__ import annotations

import pytest

from journal.history.tables.columns import COLUMNS
from journal.history.tables.engine import Engine
from journal.history.tables.families import FAMILIES
from journal.log.record import frame
from tests.support.rows import each

# Members of a record after its type → the families besides those that have every record.
RECORDS: dict[str, tuple[dict[str, object], set[str]]] = {
    "a call": ({"type": "tool.finished", "tool": "Bash"}, {"tools"}),
    "a failed call": ({"type": "tool.failed", "tool": "Edit"}, {"tools"}),
    "a read file": ({"type": "tool.finished", "tool": "Read"}, {"tools", "usage"}),
    "a changed file": ({"type": "tool.finished", "tool": "Edit", "changed": True},
                       {"tools", "usage", "work"}),
    "a to-do list": ({"type": "tool.finished", "tool": "TodoWrite", "items": []},
                     {"tools", "work"}),
    "a reply": ({"type": "usage.recorded"}, {"usage"}),
    "the end of a compaction": ({"type": "compact.finished"}, {"usage", "work"}),
    "the summary of a compaction": ({"type": "compact.summarized"}, {"work"}),
    "a start": ({"type": "session.started", "source": "startup"}, {"facts", "work"}),
    "the start after a compaction": ({"type": "session.started", "source": "compact"},
                                     {"facts", "usage", "work"}),
    "a prompt": ({"type": "prompt.submitted"}, {"facts"}),
    "a reading": ({"type": "pressure.sampled"}, {"facts"}),
    "advice": ({"type": "advice.given"}, {"facts"}),
    "injected text": ({"type": "context.injected"}, {"facts"}),
    "a stage": ({"type": "stage.finished"}, {"facts"}),
    "a failed hook": ({"type": "hook.failed"}, {"facts"}),
    "a gap": ({"type": "journal.gap"}, {"facts"}),
    "a compound": ({"type": "compound.ran"}, {"facts", "work"}),
    "a decision": ({"type": "decision.recorded"}, {"work"}),
    "a unit": ({"type": "unit.started"}, {"work"}),
    "an end": ({"type": "session.ended"}, set()),
    "a text that names a type": ({"type": "turn.ended", "text": '"type":"usage.recorded"'}, set()),
}  # fmt: skip


@each("fields, families", RECORDS.values(), ids=RECORDS.keys())
def test_a_record_is_in_the_families_that_read_it(
    fields: dict[str, object], families: set[str]
) -> None:
    """Each record is in the families of the tables that need it, and in those with every record."""
    lines = [
        frame(1, {**dict.fromkeys(order, 1), **fields})[:-1]
        for order in (("ts", "type", "v"), ("v", "sid", "ts"))
    ]
    every = {"events", "records", "turns"}
    for line in lines:
        found = {name for name, family in FAMILIES.items() if family.select([line])}
        assert found == every | families


@pytest.mark.parametrize("name", FAMILIES)
def test_no_rows_have_the_columns_of_rows(name: str, tmp_path) -> None:
    """Where nothing is stored of a family, its columns have the same names and types as stored ones."""
    path = tmp_path / "lines"
    path.write_bytes(frame(1, {"ts": "2026-11-21T12:00:00Z", "type": "turn.ended", "sid": "s"}))
    engine = Engine("", "")
    try:
        described = []
        for sql in (FAMILIES[name].rows_of(str(path)), FAMILIES[name].no_rows()):
            (result,) = engine.query(f"describe {sql}", {})
            described.append([(row[0], row[1]) for row in result.all()])
    finally:
        engine.close()
    stored, none = described
    assert none[:2] == [("project", "VARCHAR"), ("imported", "BOOLEAN")]
    if name == "records":
        stored = [*((member, COLUMNS[member]) for member in FAMILIES[name].members), stored[-1]]
    assert none[2:] == stored
