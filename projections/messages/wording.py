"""The text helpers of `journal.text` under the names the messages import them by."""

from __future__ import annotations

from journal.text import listed, quoted
from journal.text import percent as _percent
from journal.text import plain_line as one_line
from journal.text import plural as many
from journal.text import utc_minute as when

__all__ = ["listed", "many", "one_line", "percent", "quoted", "when"]


def percent(part: float, whole: float) -> str:
    """Return `part` as a whole percentage of `whole`."""
    return _percent(100 * part / whole if whole else 0)
