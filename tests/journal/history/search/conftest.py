"""Fixture of the search tests: a journal home that takes events in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.clock import iso
from journal.history.search.index import Index
from journal.history.search.ranking import Filter
from journal.log.append import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEGAN = 1_790_000_000_000  # ms


class Home:
    """A journal home and an index of it; each event advances the time by a minute."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.now = BEGAN
        self.reports: list[str] = []
        self.index = Index(str(top), env={}, progress=self.reports.append)
        self.others: list[Index] = []  # opened by a test

    def tell(self, sid: str, *events: tuple[str, dict[str, Any]], project: str = "shop-00000001",
             imported: bool = False) -> None:  # fmt: skip
        """Append events to a session."""
        directory = self.top / project / "imported" if imported else self.top / project
        for kind, body in events:
            self.now += 60_000
            mark = {"imported": True} if imported else {}
            with Writer(str(directory), iso(self.now), sync="none") as writer:
                writer.append({"type": kind, "v": 1, "sid": sid, **mark, **body})

    def session(self, sid: str, *prompts: str, project: str = "shop-00000001",
                over: bool = True, imported: bool = False, **started: Any) -> None:  # fmt: skip
        """Append a whole session: its start, prompts and end."""
        events = [("session.started", {"source": "startup", **started})]
        events += [("prompt.submitted", {"text": text, "size": len(text)}) for text in prompts]
        if over:
            events.append(("session.ended", {"reason": "clear"}))
        self.tell(sid, *events, project=project, imported=imported)

    def found(self, query: str, limit: int = 10, **wanted: str) -> list[str]:
        """Update the index; return the ids of the matching sessions, best first."""
        self.index.update()
        return [hit.digest.sid for hit in self.index.search(query, Filter(**wanted), limit=limit)]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """Return an empty home."""
    made = Home(tmp_path / "journal")
    made.top.mkdir(mode=0o700)
    yield made
    for index in (made.index, *made.others):
        index.close()
