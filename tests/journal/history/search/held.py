"""What an index of past sessions holds, and what a new one would."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING, Any

from journal.history.search.index import Index

if TYPE_CHECKING:
    from pathlib import Path

    from projections.digest import Digest
    from tests.journal.history.search.conftest import Home


def state(index: Index) -> dict[tuple[str, str], tuple[Digest, list[str]]]:
    """Return all that an index holds: per session its digest and terms."""
    assert index.add_words()
    connection = index.database.open()
    assert connection is not None
    connection.execute("create virtual table temp.held using fts5vocab(main, words, instance)")
    held: dict[int, list[str]] = {}
    for term, doc, column in connection.execute("select term, doc, col from temp.held"):
        held.setdefault(doc, []).append(f"{term} {column}")
    connection.execute("drop table temp.held")
    connection.execute("insert into words(words) values ('integrity-check')")
    found = {}
    for doc, project, sid in connection.execute("select doc, project, sid from sessions"):
        (past,) = index.find(sid, project=project)
        found[project, sid] = (past.digest, sorted(held.pop(doc)))
    assert held == {}
    return found


def anew(home: Home, tmp_path: Path) -> dict[Any, Any]:
    """Return what a new index of the current journals holds."""
    copy = tmp_path / f"copy{random.getrandbits(32):x}"
    shutil.copytree(home.top, copy, ignore=shutil.ignore_patterns("cache"))
    other = Index(str(copy), env={})
    other.update()
    found = state(other)
    other.close()
    return found
