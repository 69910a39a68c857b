"""Read the status line's input, the only one in which Claude Code states its true window.

Values that are absent, of the wrong type or out of range are unknown (None, or "" for a text); so
are the zeros that Claude Code sends right after a compaction.
"""

from __future__ import annotations

from journal.transcript.threshold import used_percent
from journal.transcript.usage import amount, count, usage_parts

ASSUMED_WINDOW = 200_000
"""The window to assume for a percentage of an unknown window, so that the percentage is stored."""
_MOST_USD = 1_000_000  # a session that cost more is invalid


class Reading:
    """One call of the status line. Observed with Claude Code 2.1.330.

    tokens: input + cache_creation + cache_read + output of the last reply, None if unknown. Without
        them it is computed from the percentage (in steps of 1 % of the window, without output).
    window: the model's full window in tokens, or None.
    used_percentage: Claude Code's whole number 0..100 (without output tokens), or None.
    cost: USD that the session has cost so far according to Claude Code, or None.
    duration: ms since the session began, or None.
    The others are texts, "" if absent.
    """

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.tokens: int | None = None
        self.window: int | None = None
        self.used_percentage: int | None = None
        self.cost: float | None = None
        self.duration: int | None = None
        self.model = self.display_name = ""
        self.cwd = self.project_dir = self.version = ""


def read(source: object) -> Reading | None:
    """Parse the status line's decoded stdin; None if it is not an object or has no session ID."""
    if not isinstance(source, dict) or not _string(source, "session_id"):
        return None
    reading = Reading(_string(source, "session_id"))
    model = _object(source, "model")
    reading.model = _string(model, "id")
    reading.display_name = _string(model, "display_name")
    workspace = _object(source, "workspace")
    reading.cwd = _string(source, "cwd") or _string(workspace, "current_dir")
    reading.project_dir = _string(workspace, "project_dir")
    reading.version = _string(source, "version")
    cost = _object(source, "cost")
    reading.cost = amount(cost.get("total_cost_usd"), _MOST_USD)
    reading.duration = count(cost.get("total_duration_ms"))
    context = _object(source, "context_window")
    reading.window = count(context.get("context_window_size")) or None
    used = amount(context.get("used_percentage"), 100)
    # Rounded half up, as Claude Code does.
    reading.used_percentage = None if used is None else int(used + 0.5)
    _measure(reading, context)
    if reading.tokens is None and not reading.used_percentage:
        reading.used_percentage = None
    return reading


def _measure(reading: Reading, context: dict[str, object]) -> None:
    """Set the tokens; leave them unknown if Claude Code itself does not know."""
    if "current_usage" in context:
        parts = usage_parts(context["current_usage"])
        if parts is not None:
            reading.tokens = sum(parts)
        return
    window, used = reading.window, reading.used_percentage
    if window is None or not used:
        return
    # Older versions sent no current_usage, and some summed the totals over the whole session: use
    # the totals only if they agree with the percentage that Claude Code sent.
    total = count(context.get("total_input_tokens"))
    output = count(context.get("total_output_tokens"))
    if total and output is not None and total <= window and used_percent(total, window) == used:
        reading.tokens = total + output
    else:
        reading.tokens = window * used // 100


def _object(source: dict[str, object], key: str) -> dict[str, object]:
    value = source.get(key)
    return value if isinstance(value, dict) else {}


def _string(source: dict[str, object], key: str) -> str:
    value = source.get(key)
    return value if isinstance(value, str) else ""


def tokens_of_input(data: object, last_window: int) -> tuple[int, int] | None:
    """Return (tokens, window) of a hook's input, None without; Claude Code sends none so far.

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
