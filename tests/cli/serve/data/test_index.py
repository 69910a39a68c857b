"""The shared index: who waits for an update, and what they get if it fails."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from journal.errors import JournalError
from journal.history.search.ranking import Filter
from tests.cli.serve.conftest import OTHER

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from cli.serve.data.index import SharedIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.conftest import Workspace

pytestmark = pytest.mark.page


@pytest.fixture
def index(played: Workspace) -> Iterator[SharedIndex]:
    """Return the index of a home with two sessions."""
    found = SharedIndex(str(played.home), played.env)
    yield found
    found.close()


def open_sessions(index: SharedIndex) -> list[str]:
    """Return the ids of the sessions that are not over."""
    with index.open() as opened:
        return [past.digest.sid for past in opened.sessions(Filter(status="open"))]


def test_a_stop_lets_nobody_wait(index: SharedIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the server stops, requests that wait for an index under construction are told."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(_: object, **_options: bool) -> int:
        begun.set()
        assert go_on.wait(60)
        return 0

    monkeypatch.setattr("journal.history.search.index.Index.update", slow)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(open_sessions, index)
        assert begun.wait(60)
        index.stop()
        with pytest.raises(JournalError, match="stopping"):
            asked.result(60)
    go_on.set()


def test_an_index_that_cannot_be_made_is_said(
    index: SharedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error reaches whoever asks; once its cause is gone the next request is answered."""

    def broken(_: object, **_options: bool) -> int:
        raise JournalError("cache", "no room on the disk", "make room")

    with monkeypatch.context() as patched:
        patched.setattr("journal.history.search.index.Index.update", broken)
        with pytest.raises(JournalError, match="no room"):
            open_sessions(index)
    assert open_sessions(index) == [OTHER]
