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
        item = width(self.items[self.shown]) + (len(self.joiner) or 2)
        return item if self.shown else item + width(self.head) + 4


class _Space:
    """The space in a text while parts are placed. used: characters that are taken."""

    def __init__(self, soft: int, limit: int, width: Callable[[str], int]) -> None:
        self.soft = min(soft, limit)
        self.limit = limit
        self.width = width
        self.used = 0

    def place_head(self, part: TextPart) -> None:
        """Place the head of a bare part if it fits."""
        cost = self.width(part.head) + 4
        if self.used + cost <= self.limit:
            self.used += cost
            part.shown = 1

    def place_item(self, part: TextPart) -> bool:
        """Place the next item of a part; return False if it does not fit."""
        cost = part.cost(self.width)
        if self.used + cost > (self.limit if part.urgent else self.soft):
            return False
        self.used += cost
        part.shown += 1
        return True


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
    space = _Space(soft, limit - width(note(total)) - 4, width)
    bare = [part for part in parts if part.is_bare]
    for part in bare:
        space.place_head(part)
    listed = [part for part in parts if part.items]
    _place_items(listed, space)
    left = [(part.name, 1) for part in bare if not part.shown]
    left += [(part.name, len(part.items) - part.shown) for part in listed]
    texts = [part.text() for part in parts if part.shown]
    if left := [item for item in left if item[1]]:
        texts.append(note(left))
    return "\n\n".join(texts)


def _place_items(parts: Sequence[TextPart], space: _Space) -> None:
    """Place the first items of each part, then in rounds a line of each: firm ones, then all."""
    for part in parts:
        for _ in part.first_items:
            if not space.place_item(part):
                break
    for most in ([part.firm for part in parts], [len(part.items) for part in parts]):
        growing = True
        while growing:
            growing = False
            for part, count in zip(parts, most, strict=True):
                start = space.used
                while part.shown < min(count, len(part.items)) and space.place_item(part):
                    growing = True
                    if not part.joiner or space.used - start > _LINE:
                        break
