"""Check token counts that came from outside.

What is not a plausible whole number is None (unknown), never zero and never an exception.
"""

from __future__ import annotations

__all__ = ["LIMIT", "count", "usage_parts"]

LIMIT = 100_000_000
"""No context is a hundred times the largest window; beyond it a figure is junk."""


def count(value: object) -> int | None:
    """Return the whole number `value` if it lies in 0..LIMIT; True, 3.5 and "3" are not numbers."""
    if type(value) is int and 0 <= value <= LIMIT:
        return value
    return None


def usage_parts(value: object) -> tuple[int, int, int, int] | None:
    """Return (input, cache creation, cache read, output) of a usage object; None if unknown.

    The input must be there; a provider that caches nothing may leave the others out. All zero is
    what the client writes when it does not know.
    """
    if not isinstance(value, dict):
        return None
    parts = (
        count(value.get("input_tokens")),
        _optional(value, "cache_creation_input_tokens"),
        _optional(value, "cache_read_input_tokens"),
        _optional(value, "output_tokens"),
    )
    found = [part for part in parts if part is not None]
    if len(found) != len(parts) or not 0 < sum(found) <= LIMIT:
        return None
    return found[0], found[1], found[2], found[3]


def _optional(value: dict[str, object], key: str) -> int | None:
    found = value.get(key)
    return 0 if found is None else count(found)
