"""What the texts of a transcript mean."""

from __future__ import annotations

import pytest

from journal.history.importer.text import summary_of, time_of
from tests.support.rows import each

TIMES = {
    "2026-11-20T10:00:00.000Z": "2026-11-20T10:00:00.000Z",
    "2028-02-29T23:59:59.999Z": "2028-02-29T23:59:59.999Z",
    "2026-11-20T10:00:00Z": "2026-11-20T10:00:00.000Z",
    "2026-11-20T10:00:00.123456+02:00": "2026-11-20T08:00:00.123Z",
    "2026-02-30T10:00:00.000Z": "",
    "2026-11-20T24:00:00.000Z": "",
    "2026-11-20T10:60:00.000Z": "",
    "2026-11-20T10:00:61.000Z": "",
    "9999-12-31T23:59:59.999Z": "",
    "9999-12-31T23:59:59Z": "",
    "0001-01-01T00:00:00.000Z": "",
    "": "",
}


@each("text", TIMES)
def test_only_a_time_of_the_calendar_is_one(text: str) -> None:
    """A time comes out in the journal's own form; what no clock shows is none."""
    assert [time_of(text), time_of(text)] == [TIMES[text]] * 2


CONTINUED = "This session is being continued from a previous conversation that ran out of context."


@pytest.mark.parametrize(
    "around",
    ["{}", CONTINUED + "\n\n{}", CONTINUED + "\nAnalysis:\nSteps.\n\nSummary:\n{}"],
)
def test_a_summary_comes_without_what_the_client_writes_around_it(around: str) -> None:
    """The line of Claude Code and the model's analysis are left out, the summary is whole."""
    summary = "1. Request: keep it.\n2. Next: ship it."
    assert summary_of(around.format(summary)) == summary


def test_a_summary_on_the_line_of_the_client_is_kept() -> None:
    """A text is never lost: where nothing follows the line, the line stays."""
    assert summary_of(CONTINUED + " All is done.") == CONTINUED + " All is done."
