"""How far learnings can be relied on, in one line."""

from __future__ import annotations

import pytest

from journal.events.base import Stock, StockFile
from journal.events.session import SessionStarted
from projections.views import Views

from .respond import ask


def told(total: int, unverified: int, files: int = 1) -> str:
    """Return what Claude gets after a compaction."""
    stock = Stock(
        total=total, unverified=unverified,
        files=[StockFile(path=f"learnings-{at}.md") for at in range(files)],
    )  # fmt: skip
    event = SessionStarted(sid="s", seq=9, source="compact", stock=stock)
    answer = ask("learnings_summary", Views(), event)[1]
    return answer.context if answer else ""


@pytest.mark.parametrize(
    ("total", "unverified", "start"),
    [(3, 0, "Learnings: 3 confirmed, safe to rely on. "),
     (3, 3, "Learnings: 3 never confirmed: check before relying on them. "),
     (3, 1, "Learnings: 2 confirmed, safe to rely on; 1 never confirmed: "), (0, 0, "")],
)  # fmt: skip
def test_confirmed_and_unverified_are_told_apart(total: int, unverified: int, start: str) -> None:
    """The line names both counts, or the one that there is; without learnings there is none."""
    found = told(total, unverified)
    assert found.startswith(start)
    assert bool(found) == bool(start)


def test_three_files_are_named() -> None:
    """More files are counted."""
    assert told(3, 0, files=3).endswith(
        'Files: "learnings-0.md", "learnings-1.md", "learnings-2.md".'
    )
    assert told(3, 0, files=5).endswith('"learnings-2.md" +2.')


def test_it_can_be_switched_off() -> None:
    """The setting of the recovery silences it."""
    event = SessionStarted(sid="s", seq=9, source="compact")
    assert ask("learnings_summary", Views(), event, **{"recovery.enabled": False})[0] == "setting"
