"""Work that only one process of a home does at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalError
from journal.history.locks import export_lock, import_lock

if TYPE_CHECKING:
    from pathlib import Path


def test_a_second_one_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    """Work of another kind is not; an error releases the lock, too."""
    home = str(tmp_path)
    with import_lock(home):
        with export_lock(home):
            pass
        with pytest.raises(JournalError, match="another import is running"), import_lock(home):
            pytest.fail("two at a time")
    with pytest.raises(ZeroDivisionError), import_lock(home):
        raise ZeroDivisionError
    with import_lock(home):
        pass
