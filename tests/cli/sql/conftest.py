"""A journal home to query."""

import pytest

from tests.cli.conftest import workspace
from tests.support.journals import Journals, journals

__all__ = ["journals", "workspace"]
QUERY = "select type, count(*) n from events group by 1 order by 1"


@pytest.fixture
def filled(journals: Journals) -> Journals:
    """A journal with some events."""
    journals.write([
        {"type": "prompt.submitted", "text": 'a|b, "c"\nd \x1b[31m 端数', "size": 3},
        {"type": "turn.ended"},
    ])  # fmt: skip
    return journals
