"""Read a `context_window` from a hook's own input, in case Claude Code ever sends one.

Today only the status line gets it. Absent values and values of the wrong type are unknown, not
zero.
"""

from __future__ import annotations

from journal.transcript.usage import amount, count, usage_parts

ASSUMED_WINDOW = 200_000
"""The window to assume for a percentage of an unknown window, so that the percentage is stored."""


def reading(data: object, last_window: int) -> tuple[int, int] | None:
    """Return (tokens, window) of an input's context_window, or None.

    last_window: of the session's last reading, 0 if there is none.
    """
    if not isinstance(data, dict) or not isinstance(data.get("context_window"), dict):
        return None
    context = data["context_window"]
    window = count(context.get("context_window_size")) or last_window or ASSUMED_WINDOW
    parts = usage_parts(context.get("current_usage"))
    if parts is not None:
        return sum(parts), window
    used = amount(context.get("used_percentage"), 100)
    if used is None:
        left = amount(context.get("remaining_percentage"), 100)
        used = None if left is None else 100 - left
    return None if used is None else (round(window * used / 100), window)
