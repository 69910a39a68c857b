"""Pressure levels. Pure, standard library only.

Hooks use these comparisons before they load the views. If the tokens or the compaction threshold
are unknown, no level is reached.
"""

from __future__ import annotations


def level(tokens: int | None, threshold: int | None, info: float, urgent: float) -> str:
    """Return the level that tokens / threshold reaches: "", "info" or "urgent".

    info, urgent: the fractions at which the levels begin.
    """
    if tokens is None or threshold is None or threshold <= 0:
        return ""
    pressure = tokens / threshold  # not info * threshold, whose rounding could miss the level
    if pressure >= urgent:
        return "urgent"
    return "info" if pressure >= info else ""


def warned_level(warned: str, lowest: float, info: float, urgent: float) -> str:
    """Return the level for which the last warning still holds, "" for none.

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
    """Return whether a level is reached for which no warning holds."""
    return bool(reached) and warned not in (reached, "urgent")
