"""The sessions selected for a pack, in their order.

Invariant: pure; a session is selected at most once, and no change alters the order of the others.
"""

from typing import NamedTuple


class SelectedItem(NamedTuple):
    """A selected session. key: project/id; note: project and day."""

    key: str
    title: str
    note: str


Selection = tuple[SelectedItem, ...]


def keys(selection: Selection) -> list[str]:
    """Return the keys of the sessions, in order."""
    return [item.key for item in selection]


def insert(selection: Selection, item: SelectedItem, at: int | None = None) -> Selection:
    """Add a session, or move one, before the one that is at `at` now (None: last).

    An `at` beyond either end is that end; without one a session that is selected stays.
    """
    current = keys(selection)
    if item.key in current:
        if at is None:
            return selection
        old = current.index(item.key)
        item, at = selection[old], at - (at > old)
    rest = remove(selection, item.key)
    at = len(rest) if at is None else max(0, min(at, len(rest)))
    return (*rest[:at], item, *rest[at:])


def move(selection: Selection, key: str, by: int) -> Selection:
    """Move a session by so many steps, at most to the end; an unknown key moves nothing."""
    for old, item in enumerate(selection):
        if item.key == key:
            return insert(selection, item, old + by + (by > 0))
    return selection


def remove(selection: Selection, key: str) -> Selection:
    """Remove a session."""
    return tuple(item for item in selection if item.key != key)


def toggle(selection: Selection, item: SelectedItem) -> Selection:
    """Remove a session that is selected, or add it at the end."""
    selected = item.key in keys(selection)
    return remove(selection, item.key) if selected else insert(selection, item)
