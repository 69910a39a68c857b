"""Find repetition in a session: error loops, edit loops, rollbacks, repeatedly failing tests.

Invariant: a mark is based on tool calls, not on texts that mention one. The trace is bounded.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from journal.events.tool import ToolFailed, ToolFinished
from projections.git_undo import restores_stash, undoes
from projections.prose import line

# A second try can show whether an error is permanent; a third identical one is a loop.
ERROR_LOOP = 3
# Four edits (write, fix, fix again, clean up) are ordinary work.
EDIT_LOOP = 5
# One failing run starts the work and another checks it; a third in a row is a problem.
TEST_FAILURES = 3

TRACED = frozenset(("tool.finished", "tool.failed"))

_MOST_MARKS = 20
_ROWS = 20  # calls, and files, that are traced at a time
_WHAT = 160
_ERROR = 160
# Files that no test covers: many edits of them without a test run are normal.
_PROSE = (".md", ".markdown", ".rst", ".txt", ".adoc")
# Parts of an error message that differ between runs of the same failure.
_VARYING = re.compile(
    r"0x[0-9a-f]+"
    r"|\d{4}-\d\d-\d\d"
    r"|\d{1,2}:\d\d:\d\d(?:[.,]\d+)?"
    r"|\d+(?:\.\d+)?\s?(?:ms|µs|us|ns|s|secs?|seconds?|minutes?)\b"
    r"|(?<=pid[ =:])\s?\d+"
    r"|/tmp/\S+",
    re.IGNORECASE,
)


class Mark(Struct, frozen=True, omit_defaults=True):
    """Something that repeated, or a rollback.

    kind: error-loop (the same call failing with the same error), edit-loop (a file edited again and
    again without a passing test), test-failures (successive failing test runs) or rollback (git
    discarded or stashed changes). seq, last: its first and last event. count: number of times.
    what: the call, file or command.
    """

    kind: str = ""
    seq: int = 0
    last: int = 0
    count: int = 0
    what: str = ""


class Row(Struct, frozen=True, omit_defaults=True):
    """Something that may become a mark. first, last: seqs. count: successive times."""

    what: str = ""
    error: str = ""
    first: int = 0
    last: int = 0
    count: int = 0


_NONE = Row()


class Trace(Struct, frozen=True, omit_defaults=True):
    """Repetitions that may become marks. errors: by call. edits: by file. tests: failing runs."""

    errors: dict[str, Row] = {}
    edits: dict[str, Row] = {}
    tests: Row = Row()


def traced(
    trace: Trace, marks: list[Mark], events: Sequence[ToolFinished | ToolFailed]
) -> tuple[Trace, list[Mark]]:
    """Return the trace and the marks after successive tool calls.

    The calls share one copy of each part of the trace, made when one of them changes it.
    """
    errors, edits, tests = trace.errors, trace.edits, trace.tests
    for event in events:
        target = event.target
        if isinstance(event, ToolFinished):
            if errors and event.tests != "failed" and (key := _call(event)) in errors:
                errors = {name: row for name, row in errors.items() if name != key}
            if event.tests == "passed" and (edits or tests.count):
                edits, tests = {}, _NONE
            if event.tool == "Bash" and "git" in target:
                marks = _undone(marks, event)
            if event.changed and target and not target.endswith(_PROSE):
                edits = dict(edits) if edits is trace.edits else edits
                row = _again(edits, target, target, "", event.seq)
                marks = _marked(marks, "edit-loop", row, EDIT_LOOP)
        elif not event.interrupted:
            errors = dict(errors)
            # Without the parts that differ between runs.
            error = _VARYING.sub("#", " ".join(event.error.split()))[:_ERROR]
            row = _again(errors, _call(event), target or event.tool, error, event.seq)
            marks = _marked(marks, "error-loop", row, ERROR_LOOP)
        if event.tests == "failed":
            tests = _counted(tests, target, "", event.seq)
            marks = _marked(marks, "test-failures", tests, TEST_FAILURES)
    if errors is trace.errors and edits is trace.edits and tests is trace.tests:
        return trace, marks
    return Trace(errors, edits, tests), marks


def _undone(marks: list[Mark], event: ToolFinished) -> list[Mark]:
    """Return the marks after a command that may discard changes, or bring the last stash back."""
    if undoes(event.target):
        mark = Mark("rollback", event.seq, event.seq, 1, line(event.target, _WHAT))
        return [*marks, mark][-_MOST_MARKS:]
    if restores_stash(event.target):
        for mark in reversed(marks):
            if mark.kind == "rollback" and not undoes(mark.what, restored=True):
                return [other for other in marks if other is not mark]
    return marks


def _call(event: ToolFinished | ToolFailed) -> str:
    """Return the key by which a repeated call is recognized."""
    return f"{event.agent} {event.tool} {event.target}"


def _again(rows: dict[str, Row], key: str, what: str, error: str, seq: int) -> Row:
    """Count a row again and make it the newest of `rows`, which is changed in place."""
    row = rows[key] = _counted(rows.pop(key, _NONE), what, error, seq)
    if len(rows) > _ROWS:
        del rows[next(iter(rows))]
    return row


def _counted(row: Row, what: str, error: str, seq: int) -> Row:
    """Return the row counted once more; a different error starts a new row."""
    if not row.count or row.error != error:
        return Row(what, error, seq, seq, 1)
    return Row(what, error, row.first, seq, row.count + 1)


def _marked(marks: list[Mark], kind: str, row: Row, least: int) -> list[Mark]:
    """Return the marks with that of a row, if the row was counted at least `least` times."""
    if row.count < least:
        return marks
    mark = Mark(kind, row.first, row.last, row.count, line(row.what, _WHAT))
    others = [old for old in marks if (old.kind, old.seq) != (kind, row.first)]
    return [*others, mark][-_MOST_MARKS:]
