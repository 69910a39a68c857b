"""Compose a text of bounded size from parts, the most important first.

Every part gets its first items before any part gets more; the rest is filled in rounds, a line per
part: one item, or several names of a series. Invariant: the text never exceeds the limit, and its
last line counts the items left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

_LINE = 100  # characters of a line of names


class TextPart(Struct):
    """One part of a text.

    name: what its items are, for the note about items left out. head: its first line. items: the
    most important first, each a line or, with `joiner`, a piece of one line. first: how many items
    are placed before any part gets more. firm: how many take part in the rounds; the rest comes
    when all parts have theirs. urgent: whether its items may go beyond `soft`, up to `limit`.
    is_bare: whether the part is only its head. shown: how many items are placed so far (1 for a
    placed bare head).
    """

    name: str
    head: str
    items: Sequence[str] = ()
    first: int = 2
    joiner: str = ""
    urgent: bool = False
    is_bare: bool = False
    firm: int = 1_000
    shown: int = 0

    @property
    def first_items(self) -> Sequence[str]:
        """Return the items that are placed before any part gets more."""
        return self.items[: min(self.first, self.firm)]

    def text(self) -> str:
        """Return the part with the items placed so far."""
        items = self.items[: self.shown]
        if self.joiner:
            return self.head + self.joiner.join(items)
        return "\n".join(filter(None, (self.head, *items)))

    def cost(self, width: Callable[[str], int]) -> int:
        """Return how many characters the next item adds; the first item also adds the head."""
        item = 0 if self.is_bare else width(self.items[self.shown]) + (len(self.joiner) or 2)
        return item if self.shown else item + width(self.head) + 4


def compose(
    parts: Sequence[TextPart],
    soft: int,
    limit: int,
    width: Callable[[str], int],
    note: Callable[[list[tuple[str, int]]], str],
) -> str:
    """Return the text, its parts separated by blank lines.

    Args:
        parts: in the order of the text, the most important first; `shown` of each is set.
        soft: characters that the text has as a rule; only urgent parts go beyond.
        limit: characters that it never exceeds.
        width: returns the size of a text, in characters as `soft` and `limit` count them.
        note: builds the line about items left out, from (name, count) of the parts concerned.

    """
    total = [(part.name, max(1, len(part.items))) for part in parts]
    limit -= width(note(total)) + 4
    used = 0

    def place(part: TextPart) -> int:
        """Place a bare head or the next item; return what it takes, 0 if it does not fit."""
        nonlocal used
        cost = part.cost(width)
        if used + cost > (limit if part.urgent or part.is_bare else min(soft, limit)):
            return 0
        used += cost
        part.shown += 1
        return cost

    bare = [part for part in parts if part.is_bare]
    listed = [part for part in parts if part.items]
    for part, count in [(part, 1) for part in bare] + [(p, len(p.first_items)) for p in listed]:
        while part.shown < count and place(part):
            pass
    firm = [(part, min(part.firm, len(part.items))) for part in listed]
    for counts in (firm, [(part, len(part.items)) for part in listed]):
        while sum(_place_line(part, count, place) for part, count in counts):
            pass
    left = [(part.name, 1) for part in bare if not part.shown]
    left += [(part.name, len(part.items) - part.shown) for part in listed]
    texts = [part.text() for part in parts if part.shown]
    if left := [item for item in left if item[1]]:
        texts.append(note(left))
    return "\n\n".join(texts)


def _place_line(part: TextPart, count: int, place: Callable[[TextPart], int]) -> int:
    """Place a line of items, until `count` are shown; return what they take."""
    taken = 0
    while part.shown < count and (cost := place(part)):
        taken += cost
        if not part.joiner or taken > _LINE:
            break
    return taken
