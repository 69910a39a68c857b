"""An index in memory, for what is tested about the server and not about searching."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from journal.log.read import Reader
from projections.digest import PROJECTION, Digest, every, status
from projections.fold import Fold


class Past(NamedTuple):
    """As cli.past.index has it."""

    project: str
    digest: Digest


class Hit(NamedTuple):
    """As cli.past.index has it."""

    digest: Digest
    project: str
    score: float
    snippet: str
    spans: list[tuple[int, int]]
    ways: dict[str, int]


class Index:
    """Every session of a home, folded anew at each update."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.pasts: list[Past] = []
        self.updates = 0

    def update(self, only: Any = ()) -> int:
        self.updates += 1
        self.pasts = []
        for name in sorted(os.listdir(self.home)):
            for part in ("", "imported"):
                directory = os.path.join(self.home, name, part)
                if not os.path.exists(os.path.join(directory, "active.jsonl")):
                    continue
                fold = Fold([PROJECTION]).feed(Reader(directory))
                self.pasts += [Past(name, one) for one in every(fold.states["digests"]).values()]
        self.pasts.sort(key=lambda past: past.digest.session.started, reverse=True)
        return len(self.pasts)

    def sessions(self, *, project: str = "", since: str = "", until: str = "", status: str = "",
                 text: str = "", limit: int = 0) -> list[Past]:
        found = [
            past for past in self.pasts
            if project in ("", past.project) and past.digest.session.started >= since
            and (not until or past.digest.session.started <= until)
            and (not status or _status(past) == status)
            and text.lower() in " ".join((past.digest.title, *past.digest.prompts)).lower()
        ]
        return found[: limit or None]

    def find(self, ref: str, *, project: str = "") -> list[Past]:
        return [p for p in self.pasts if p.digest.sid.startswith(ref) and project in ("", p.project)]

    def search(self, query: str, *, project: str = "", since: str = "", status: str = "",
               limit: int = 10) -> list[Hit]:
        hits = []
        for past in self.sessions(project=project, since=since, status=status):
            for text in (past.digest.title, *past.digest.prompts):
                at = text.lower().find(query.lower())
                if at >= 0:
                    hits.append(Hit(past.digest, past.project, 1.0, text, [(at, at + len(query))],
                                    {"words": len(hits) + 1}))
                    break
        return hits[:limit]

    def close(self) -> None:
        self.pasts = []


def _status(past: Past) -> str:
    return status(past.digest)
