"""Find repetition in a session: loops, rollbacks, tests that fail again and again.

Invariant: a finding rests on calls that Claude made, never on a mention of one; the trace it is
found by is bounded.
"""

from __future__ import annotations

import re

from msgspec import Struct

from journal.events.tool import ToolFailed, ToolFinished
from projections.git_undo import undoes
from projections.prose import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["EDIT_LOOP", "ERROR_LOOP", "TEST_FAILURES", "TRACED", "Mark", "Row", "Trace", "traced"]

# A second try shows whether a fault stays; an identical third one has learnt nothing.
ERROR_LOOP = 3
# Four edits (write, correct, correct again, tidy up) are ordinary work.
EDIT_LOOP = 5
# One failing run starts the work and another checks it; a third in a row is trouble.
TEST_FAILURES = 3

TRACED = frozenset(("tool.finished", "tool.failed"))

_MOST_MARKS = 20
_ROWS = 20  # calls and files that are watched at once
_WHAT = 160
_ERROR = 160
# No test looks at these: they are written in many steps without one.
_PROSE = (".md", ".markdown", ".rst", ".txt", ".adoc")
# What differs in an error from run to run without its being another one.
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
    """Something that repeated, or was undone.

    kind: error-loop (the same call failing with the same error), edit-loop (a file edited over and
    over with no passing test between), test-failures (test runs failing in a row) or rollback
    (changes thrown away or put aside by git). seq, last: its first and last event; count: how many
    there were; what: the call, file or command.
    """

    kind: str = ""
    seq: int = 0
    last: int = 0
    count: int = 0
    what: str = ""


class Row(Struct, frozen=True, omit_defaults=True):
    """Something that may become a mark: how often it happened in a row, from where to where."""

    what: str = ""
    error: str = ""
    first: int = 0
    last: int = 0
    count: int = 0


_NONE = Row()


class Trace(Struct, frozen=True, omit_defaults=True):
    """What is watched. errors: tool and target of failed calls; edits: files; tests: red runs."""

    errors: dict[str, Row] = {}
    edits: dict[str, Row] = {}
    tests: Row = Row()


def traced(
    trace: Trace, marks: list[Mark], events: Sequence[ToolFinished | ToolFailed]
) -> tuple[Trace, list[Mark]]:
    """Follow tool calls in a row; give the trace and the marks as they are now.

    They share one copy of what is watched, made when one of them changes it.
    """
    errors, edits, tests = trace.errors, trace.edits, trace.tests
    for event in events:
        target = event.target
        if isinstance(event, ToolFinished):
            if errors and event.tests != "failed" and (key := _call(event)) in errors:
                errors = {name: row for name, row in errors.items() if name != key}
            if event.tests == "passed" and (edits or tests.count):
                edits, tests = {}, _NONE
            if event.tool == "Bash" and undoes(target):
                mark = Mark("rollback", event.seq, event.seq, 1, line(target, _WHAT))
                marks = [*marks, mark][-_MOST_MARKS:]
            if event.changed and target and not target.endswith(_PROSE):
                edits = dict(edits) if edits is trace.edits else edits
                row = _again(edits, target, target, "", event.seq)
                marks = _marked(marks, "edit-loop", row, EDIT_LOOP)
        elif not event.interrupted:
            errors = dict(errors)
            row = _again(
                errors, _call(event), target or event.tool, _essence(event.error), event.seq
            )
            marks = _marked(marks, "error-loop", row, ERROR_LOOP)
        if event.tests == "failed":
            tests = _counted(tests, target, "", event.seq)
            marks = _marked(marks, "test-failures", tests, TEST_FAILURES)
    if errors is trace.errors and edits is trace.edits and tests is trace.tests:
        return trace, marks
    return Trace(errors, edits, tests), marks


def _call(event: ToolFinished | ToolFailed) -> str:
    """Return what is the same in a call that is made again."""
    return f"{event.agent} {event.tool} {event.target}"


def _again(rows: dict[str, Row], key: str, what: str, error: str, seq: int) -> Row:
    """Count a row once more and make it the newest of `rows`, the caller's own copy."""
    row = rows[key] = _counted(rows.pop(key, _NONE), what, error, seq)
    if len(rows) > _ROWS:
        del rows[next(iter(rows))]
    return row


def _counted(row: Row, what: str, error: str, seq: int) -> Row:
    """Count once more; another error is not the same thing again."""
    if not row.count or row.error != error:
        return Row(line(what, _WHAT), error, seq, seq, 1)
    named = what if what == row.what else line(what, _WHAT)
    return Row(named, error, row.first, seq, row.count + 1)


def _marked(marks: list[Mark], kind: str, row: Row, least: int) -> list[Mark]:
    """Set the mark of a row that has come to be one, or has grown."""
    if row.count < least:
        return marks
    mark = Mark(kind, row.first, row.last, row.count, row.what)
    others = [old for old in marks if (old.kind, old.seq) != (kind, row.first)]
    return [*others, mark][-_MOST_MARKS:]


def _essence(error: str) -> str:
    """What is the same in an error from run to run."""
    return _VARYING.sub("#", " ".join(error.split()))[:_ERROR]
