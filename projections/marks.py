"""Where a session went in circles: loops, rollbacks, tests that kept failing.

Invariant: a mark rests on calls that were made, never on a mention of one; the trace it is found
by is bounded.
"""

from __future__ import annotations

from msgspec import Struct

__all__ = ["TRACED", "Mark", "Trace", "traced"]


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


class Trace(Struct, frozen=True, omit_defaults=True):
    """What may become a mark yet; rows are [key, first seq, last seq, count]."""

    errors: list[list[str | int]] = []
    edits: list[list[str | int]] = []
    tests: list[str | int] = []


TRACED = frozenset(("tool.finished", "tool.failed"))


def traced(trace: Trace, marks: list[Mark], kind: str, event: object) -> tuple[Trace, list[Mark]]:
    """Follow one tool call; give the trace and the marks as they are now."""
    del kind, event
    return trace, marks
