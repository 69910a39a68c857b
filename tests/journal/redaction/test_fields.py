"""Secrets in calls, tables, files and settings."""

from __future__ import annotations

from journal.redaction.fields import FIELDS
from tests.journal.redaction.rows import check_row
from tests.support.rows import each


@each("name", [row[0] for row in FIELDS])
def test_row_redacts_its_example_and_keeps_its_counter_example(name: str) -> None:
    """Each row redacts its example with its own tag and returns its counter-example itself."""
    check_row(name)
