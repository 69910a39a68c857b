"""The versions of Claude Code that the journal is tested with."""

TESTED = ("2.1.330", "2.1.330")
"""First and last version; those between count as tested."""


def tested(version: str) -> bool | None:
    """Return whether a version is in the range; None if it cannot be read."""
    found = _numbers(version)
    first, last = _numbers(TESTED[0]), _numbers(TESTED[1])
    if not found or first is None or last is None:
        return None
    return first <= found <= last


def tested_range() -> str:
    """Return `2.1.330`, or `2.1.330 to 2.1.400`."""
    return TESTED[0] if TESTED[0] == TESTED[1] else f"{TESTED[0]} to {TESTED[1]}"


def _numbers(version: str) -> list[int] | None:
    """Parse the numbers of `2.1.330 (Claude Code)`; None if it does not begin with them."""
    parts = version.strip().split(" ")[0].partition("-")[0].split(".")
    if not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
        return None
    return [int(part) for part in parts]
