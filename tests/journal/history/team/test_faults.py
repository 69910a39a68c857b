"""Errors of a store as sentences with a remedy."""

from __future__ import annotations

import pytest

from journal.errors import JournalError
from journal.history.team.faults import faults_at

DENIED = "Generic LocalFileSystem error: Unable to create dir: Permission denied (os error 13)"


@pytest.mark.parametrize(
    ("where", "remedy"),
    [("/mnt/team", "check who may write"), ("s3://team/x", "check AWS_PROFILE")],
)
def test_denied(where, remedy):
    """Where access is denied, the remedy is that of a directory or of a bucket."""
    with pytest.raises(JournalError) as caught, faults_at(where):
        raise OSError(DENIED)
    assert caught.value.what == "access is denied"
    assert caught.value.remedy.startswith(remedy)
