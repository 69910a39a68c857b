"""What an error tells: why nothing can be written, what to do, and where it was raised."""

from __future__ import annotations

import errno

import pytest

from journal.errors import JournalError, off_error, raised_at


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.ENOSPC, "free some space"), (errno.EROFS, "set JOURNAL_HOME"),
     (errno.ELOOP, "symbolic link"), (errno.EIO, "journal doctor")],
)  # fmt: skip
def test_a_write_error_names_what_to_do(number: int, remedy: str) -> None:
    """The reason is the system's, the remedy fits it."""
    found = off_error("/j/active.jsonl", OSError(number, "why"))
    assert str(found) == "/j/active.jsonl: cannot be written: why"
    assert remedy in found.remedy


def test_where_an_error_was_raised() -> None:
    """The innermost frame counts; an error that was not raised has none."""
    with pytest.raises(JournalError) as raised:
        raise JournalError("", "x")
    assert raised_at(raised.value).startswith("test_errors.py:")
    assert raised_at(JournalError("", "x")) == ""
