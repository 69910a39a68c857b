"""What the texts of a transcript mean."""

from __future__ import annotations

import pytest

from journal.history.importer.text import time_of

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


@pytest.mark.parametrize("text", TIMES)
def test_only_a_time_of_the_calendar_is_one(text: str) -> None:
    """A time comes out in the journal's own form; what no clock shows is none."""
    assert [time_of(text), time_of(text)] == [TIMES[text]] * 2
