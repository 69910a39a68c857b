"""What the tests share: the small window with its levels, a dated work log, and its reading.

Invariant: the numbers here follow from one auto-compact window; nothing else knows them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WINDOW = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
"""The smallest window the client takes; it compacts at 67,000 tokens then."""

CALM = 40_000  # 60 % of the compaction point: below every level
INFO = 52_000  # 78 %: over the info level, under the urgent one
URGENT = 62_000  # 93 %: over the urgent level, and not yet compacted
FULL = 98_000  # compacted before the next request

SHUFFLED = (8, 1, 15, 3, 12, 5, 10, 2, 14, 7, 4, 11, 6, 13, 9)
"""Days of a work log whose order says nothing about their age."""


def heading(day: int) -> str:
    """Name the heading of that day's entry."""
    return f"2026-10-{day:02} Rounding step {day:02}"


def write_progress(project: Path, days: tuple[int, ...] = SHUFFLED) -> Path:
    """Write a work log with an entry for each day, in this order; its path."""
    path = project / ".claude" / "context" / "progress.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = [f"## {heading(day)}\n\n- found BODY-{day:02}\n" for day in days]
    path.write_text("# Progress\n\n" + "\n".join(entries), encoding="utf-8")
    return path


def without_offers(project: Path) -> None:
    """Switch offers of past sessions off: they speak of other sessions by intent."""
    path = project / ".claude" / "journal.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[related]\nenabled = false\n", encoding="utf-8")


def days_in(text: str) -> list[int]:
    """List the days whose entries, heading and body, stand in a text, in the order of their bodies."""
    return [int(found) for found in re.findall(r"BODY-(\d\d)", text) if heading(int(found)) in text]
