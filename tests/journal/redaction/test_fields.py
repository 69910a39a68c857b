"""Secrets in calls, tables, files and settings."""

from __future__ import annotations

import pytest

from journal.redaction.fields import FIELDS
from tests.journal.redaction.rows import check_row


@pytest.mark.parametrize("name", [row[0] for row in FIELDS])
def test_row_redacts_its_example_and_keeps_its_counter_example(name: str) -> None:
    """Each row redacts its example with its own tag and returns its counter-example itself."""
    check_row(name)
