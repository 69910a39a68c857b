"""Small pieces of wording that several answers share: counts, names, times, quotes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["listed", "many", "one_line", "percent", "quoted", "when"]

_JOINERS = "\u200c\u200d"  # not printable by themselves, but they shape words and emoji
_ITEM = 300  # characters of a listed path or heading


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


def one_line(text: str, most: int) -> str:
    """One bounded line: white space, control and direction characters are single spaces."""
    clean = "".join(c if c.isprintable() or c in _JOINERS else " " for c in text)
    line = " ".join(clean.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def quoted(text: str, most: int) -> str:
    """One line in quotes, bounded, without what could be read as structure of its own."""
    return '"' + one_line(text.replace('"', "'"), most) + '"'


def listed(items: Sequence[str], most: int) -> str:
    """Comma list of at most `most` items that says how many there are."""
    shown = ", ".join(one_line(item, _ITEM) for item in items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most:,} more"
