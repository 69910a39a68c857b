"""Shared by the tests: the small window with its levels, and a dated work log.

Invariant: the numbers here follow from one auto-compact window and are defined nowhere else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WINDOW = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "100000"}
"""The smallest window the client accepts; Claude Code then compacts at 67,000 tokens."""

CALM = 40_000  # 60 % of the compaction threshold: below every level
INFO = 52_000  # 78 %: above the info level, below the urgent one
URGENT = 62_000  # 93 %: above the urgent level, not yet compacted
FULL = 98_000  # compacted before the next request

SHUFFLED = (8, 1, 15, 3, 12, 5, 10, 2, 14, 7, 4, 11, 6, 13, 9)
"""Days of a work log in an order unrelated to their age."""


def heading(day: int) -> str:
    """Return the heading of that day's entry."""
    return f"2026-10-{day:02} Rounding step {day:02}"


def write_progress(project: Path, days: tuple[int, ...] = SHUFFLED) -> Path:
    """Write a work log with an entry for each day, in this order; return its path."""
    path = project / ".claude" / "context" / "progress.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = [f"## {heading(day)}\n\n- found BODY-{day:02}\n" for day in days]
    path.write_text("# Progress\n\n" + "\n".join(entries), encoding="utf-8")
    return path


def without_offers(project: Path) -> None:
    """Switch offers of past sessions off, as they mention other sessions on purpose."""
    path = project / ".claude" / "journal.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[related]\nenabled = false\n", encoding="utf-8")


def days_in(text: str) -> list[int]:
    """List the days whose heading and body both occur in a text, in the order of the bodies."""
    return [int(found) for found in re.findall(r"BODY-(\d\d)", text) if heading(int(found)) in text]
