"""Which transcripts are found, and which of them are read."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.importer.find import Transcript, find, newest
from tests.journal.history.importer.lines import prompt

if TYPE_CHECKING:
    from tests.journal.history.importer.conftest import Sandbox


@pytest.mark.parametrize(
    ("sizes", "most", "chosen"),
    [((5, 5, 4, 4), 10, [2, 3]), ((99,), 10, [0]), ((5, 99), 10, [1]), ((), 10, [])],
)  # fmt: skip
def test_the_newest_are_read(sizes: tuple[int, ...], most: int, chosen: list[int]) -> None:
    """Of a long history the newest transcripts up to a total size are read, and at least one."""
    found = [Transcript(str(n), size, n, n, str(n), "") for n, size in enumerate(sizes)]
    assert [item.mtime for item in newest(found, most)] == chosen


def test_a_folder_that_cannot_be_listed(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported with the reason, as that of another user is; the others are imported."""
    sandbox.write(prompt("hello"))
    closed = sandbox.file.parent.parent / "-of-another"
    closed.mkdir()
    scandir = os.scandir

    def refuses(path: Any) -> Any:
        if path == str(closed):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuses)
    assert sandbox.run().unreadable == {str(closed): "Permission denied"}
    assert len(sandbox.events("prompt.submitted")) == 1
    assert find(str(sandbox.top / "nowhere")) == []


def test_a_name_that_is_not_utf8(sandbox: Sandbox) -> None:
    """It is reported, and the others are imported once: the state of imports can be saved."""
    sandbox.write(prompt("hello"))
    os.link(sandbox.file, os.fsencode(sandbox.file.parent) + b"/caf\xe9.jsonl")
    odd = f"{sandbox.file.parent}/caf\N{REPLACEMENT CHARACTER}.jsonl"
    for read in (1, 0):
        done = sandbox.run()
        assert (done.unreadable, len(done.changed)) == ({odd: "its name is not UTF-8"}, read)
    assert len(sandbox.events("prompt.submitted")) == 1
