"""Work that only one process of a home does at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalError
from journal.history.exclusive import exclusive

if TYPE_CHECKING:
    from pathlib import Path


def test_a_second_one_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    """Work of another name is not; an error releases the lock, too."""
    home = str(tmp_path)
    with exclusive(home, "a.lock", "import"):
        with exclusive(home, "b.lock", "export"):
            pass
        with (
            pytest.raises(JournalError, match="another import is running"),
            exclusive(home, "a.lock", "import"),
        ):
            pytest.fail("two at a time")
    with pytest.raises(ZeroDivisionError), exclusive(home, "a.lock", "import"):
        raise ZeroDivisionError
    with exclusive(home, "a.lock", "import"):
        pass
