"""The keys of the sessions selected for a pack, in their order.

Invariant: pure; a session is selected at most once, and no change alters the order of the others.
"""

Selection = tuple[str, ...]


def insert(selection: Selection, key: str, at: int | None = None) -> Selection:
    """Add a session, or move one, before the one that is at `at` now (None: last).

    An `at` beyond either end is that end; without one a session that is selected stays.
    """
    if key in selection:
        if at is None:
            return selection
        at -= at > selection.index(key)
    rest = remove(selection, key)
    at = len(rest) if at is None else max(0, min(at, len(rest)))
    return (*rest[:at], key, *rest[at:])


def move(selection: Selection, key: str, by: int) -> Selection:
    """Move a session by `by` steps, at most to the end; do nothing for an unknown key."""
    if key not in selection:
        return selection
    return insert(selection, key, selection.index(key) + by + (by > 0))


def remove(selection: Selection, key: str) -> Selection:
    """Remove a session."""
    return tuple(each for each in selection if each != key)


def toggle(selection: Selection, key: str) -> Selection:
    """Remove a session that is selected, or add it at the end."""
    return remove(selection, key) if key in selection else insert(selection, key)
