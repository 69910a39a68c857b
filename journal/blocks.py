"""Blocks of five hours, which Claude's limits and `ccusage` count by.

A block begins at the full hour (UTC) of its first reply and lasts five hours; a reply after its
end, or more than five hours after the one before, begins the next. A leaf, for the status line too.
"""

from __future__ import annotations

__all__ = ["BLOCK", "HOUR", "block_start"]

HOUR = 3_600_000  # ms
BLOCK = 5 * HOUR


def block_start(at: int, start: int, last: int) -> int:
    """Return the start of the block of a reply, in ms, after a reply `last` of the block `start`.

    start, last: 0 where there was none. The end of a block belongs to it.
    """
    return start if at - start <= BLOCK and at - last <= BLOCK else at - at % HOUR
