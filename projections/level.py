"""Pressure levels, and how old a reading may be. Pure, standard library only.

A hook compares two numbers here before it loads anything else. Unknown tokens or an unknown
compaction threshold never reach a level.
"""

from __future__ import annotations

__all__ = ["SKEW_MS", "Room", "fresh", "left_text", "level", "warned_level", "warning_due"]

SKEW_MS = 60_000
"""A reading further in the future than this was dated by a wrong clock."""


class Room:
    """How much of the context is left until compaction, or until the window is full.

    tokens: in use; limit: where it ends; compacts: Claude Code compacts there by itself.
    """

    __slots__ = ("compacts", "limit", "tokens")

    def __init__(self, tokens: int, limit: int, compacts: bool) -> None:
        self.tokens = tokens
        self.limit = limit
        self.compacts = compacts

    @property
    def left(self) -> float:
        """Percent of the limit that is left, one decimal."""
        return round(max(0.0, 100 * (self.limit - self.tokens) / self.limit), 1)

    def text(self, language: str = "en") -> str:
        """Return `39.4% left until compaction`, in a language."""
        return left_text(self.left, compacts=self.compacts, language=language)


_LEFT = {
    "en": ("{}% left until compaction", "{}% of the window left (automatic compaction is off)"),
    "ja": ("圧縮まで残り{}%", "ウィンドウの残り{}%（自動圧縮はオフ）"),
    "ko": ("압축까지 {}% 남음", "창의 {}% 남음(자동 압축 꺼짐)"),
}


def left_text(left: float, *, compacts: bool, language: str = "en") -> str:
    """Return the words for what is left; the same wherever room is spoken of."""
    return _LEFT[language][not compacts].format(left)


def level(tokens: int | None, threshold: int | None, info: float, urgent: float) -> str:
    """Return "", "info" or "urgent": tokens / threshold against two fractions of 1."""
    if tokens is None or threshold is None or threshold <= 0:
        return ""
    pressure = tokens / threshold  # divided, not info * threshold: exact at the level itself
    if pressure >= urgent:
        return "urgent"
    return "info" if pressure >= info else ""


def warned_level(warned: str, lowest: float, info: float, urgent: float) -> str:
    """Return the level that still counts as warned of.

    Args:
        warned: the level of the last warning, "" for none.
        lowest: the lowest pressure (a fraction) read since that warning.
        info: fraction at which the info level begins.
        urgent: fraction at which the urgent level begins.

    """
    if warned == "urgent" and lowest >= urgent:
        return "urgent"
    return "info" if warned and lowest >= info else ""


def warning_due(reached: str, warned: str) -> bool:
    """Return whether a warning is due: a level is reached, and no warning of it still counts."""
    return bool(reached) and warned not in (reached, "urgent")


def fresh(reading_ms: int | None, now_ms: int, idle_ms: int, limit_ms: int) -> bool:
    """Return whether a reading is at most `limit_ms` of session activity old.

    idle_ms is the part of the time since the reading in which the session did nothing.
    """
    if reading_ms is None or reading_ms > now_ms + SKEW_MS:
        return False
    return max(0, now_ms - reading_ms - max(0, idle_ms)) <= limit_ms
