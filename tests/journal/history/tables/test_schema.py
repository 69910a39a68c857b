"""The description of each table is that of its view."""

from __future__ import annotations

import pytest

from journal.history.tables.database import History
from journal.history.tables.schema import TABLES


@pytest.mark.parametrize("records", [False, True])
def test_views_have_the_described_columns(records, journals):
    """Each table has the columns of its description, in order and of the same types."""
    journals.write([])
    journals.write([], side="imported")
    history = History(str(journals.home))
    if records:
        for result in history.query("select record from events"):
            result.all()
    for name, table in TABLES.items():
        (result,) = history.query(f"describe {name}")
        found = [(row[0], row[1]) for row in result.all()]
        assert found == [(column.name, column.type) for column in table.columns], name
    history.close()
