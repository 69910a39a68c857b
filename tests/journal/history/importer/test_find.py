"""Which transcripts are found, and which of them are read."""

from __future__ import annotations

import pytest

from journal.history.importer.find import Transcript, newest


@pytest.mark.parametrize(
    ("sizes", "most", "chosen"),
    [((5, 5, 4, 4), 10, [2, 3]), ((99,), 10, [0]), ((5, 99), 10, [1]), ((), 10, [])],
)  # fmt: skip
def test_the_newest_are_read(sizes: tuple[int, ...], most: int, chosen: list[int]) -> None:
    """Of a long history the newest transcripts up to a total size are read, and at least one."""
    found = [Transcript(str(n), size, n, n, str(n), "") for n, size in enumerate(sizes)]
    assert [item.mtime for item in newest(found, most)] == chosen
