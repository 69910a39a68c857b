"""Small pieces of wording that several answers share: counts, names, times, quotes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["listed", "many", "percent", "quoted", "when"]


def many(count: int, singular: str, plural: str = "") -> str:
    """`1 entry`, `2 entries`, with thousands separated."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def percent(part: float, whole: float) -> str:
    """Whole percent, rounded down at the top so that 100 means full."""
    value = 100 * part / whole if whole else 0
    return f"{int(value)}%" if value < 100 <= round(value) else f"{round(value)}%"


def when(ts: str) -> str:
    """`2026-11-21 20:31 UTC` of an ISO time."""
    return f"{ts[:10]} {ts[11:16]} UTC" if len(ts) >= 16 else ts


def quoted(text: str, most: int) -> str:
    """One line in quotes, bounded, without what could be read as structure of its own."""
    line = " ".join(text.split()).replace('"', "'")
    return f'"{line if len(line) <= most else line[: most - 1] + "…"}"'


def listed(items: Sequence[str], most: int) -> str:
    """Comma list of at most `most` items that says how many there are."""
    shown = ", ".join(items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most:,} more"
