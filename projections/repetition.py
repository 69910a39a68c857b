"""Find repetition in a session: loops, rollbacks, tests that fail again and again.

Invariant: a finding rests on calls that Claude made, never on a mention of one; the trace it is
found by is bounded.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from journal.events.tool import ToolFailed, ToolFinished
from projections.git_undo import undoes
from projections.prose import line

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


class Trace(Struct, frozen=True, omit_defaults=True):
    """What is watched. errors: tool and target of failed calls; edits: files; tests: red runs."""

    errors: dict[str, Row] = {}
    edits: dict[str, Row] = {}
    tests: Row = Row()


def traced(
    trace: Trace, marks: list[Mark], event: ToolFinished | ToolFailed
) -> tuple[Trace, list[Mark]]:
    """Follow one tool call; give the trace and the marks as they are now."""
    if isinstance(event, ToolFinished):
        trace = _succeeded(trace, event)
        if event.tool == "Bash" and undoes(event.target):
            what = line(event.target, _WHAT)
            marks = [*marks, Mark("rollback", event.seq, event.seq, 1, what)][-_MOST_MARKS:]
        if event.changed and event.target and not event.target.endswith(_PROSE):
            edits, row = _again(trace.edits, event.target, event.target, "", event.seq)
            trace = replace(trace, edits=edits)
            marks = _marked(marks, "edit-loop", row, EDIT_LOOP)
    elif not event.interrupted:
        key = f"{event.agent} {event.tool} {event.target}"
        what = event.target or event.tool
        errors, row = _again(trace.errors, key, what, _essence(event.error), event.seq)
        trace = replace(trace, errors=errors)
        marks = _marked(marks, "error-loop", row, ERROR_LOOP)
    if event.tests == "failed":
        row = _counted(trace.tests, event.target, "", event.seq)
        trace = replace(trace, tests=row)
        marks = _marked(marks, "test-failures", row, TEST_FAILURES)
    return trace, marks


def _succeeded(trace: Trace, event: ToolFinished) -> Trace:
    """What a success ends: the same call's errors; a passing test run ends edits and red runs."""
    key = f"{event.agent} {event.tool} {event.target}"
    if key in trace.errors and event.tests != "failed":
        errors = {name: row for name, row in trace.errors.items() if name != key}
        trace = replace(trace, errors=errors)
    if event.tests == "passed" and (trace.edits or trace.tests.count):
        trace = replace(trace, edits={}, tests=Row())
    return trace


def _again(
    rows: dict[str, Row], key: str, what: str, error: str, seq: int
) -> tuple[dict[str, Row], Row]:
    row = _counted(rows.get(key, Row()), what, error, seq)
    rows = dict(rows)  # copied as a whole: a third of the time of leaving one out
    rows.pop(key, None)
    rows[key] = row
    if len(rows) > _ROWS:
        del rows[next(iter(rows))]
    return rows, row


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
