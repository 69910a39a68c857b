"""Five-hour blocks, the unit of Claude's limits and of `ccusage`.

A block starts at the full hour (UTC) of its first reply and lasts five hours. A reply after its
end, or more than five hours after the previous reply, starts the next one.
"""

from __future__ import annotations

HOUR = 3_600_000  # ms
BLOCK = 5 * HOUR


def block_start(at: int, start: int, last: int) -> int:
    """Return the start (ms) of the block that a reply belongs to.

    start, last: start of the previous reply's block, and its time; 0 for none. A reply exactly at a
    block's end still belongs to it.
    """
    return start if at - start <= BLOCK and at - last <= BLOCK else at - at % HOUR
