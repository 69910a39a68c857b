"""Compose a text of bounded size from parts, the most important first.

Every part gets its first items before any part gets more; the rest is filled in rounds, one item
per part. Invariant: the text never exceeds the limit, and its last line counts the items left out.
"""

from __future__ import annotations

from msgspec import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Part", "compose"]


class Part(Struct):
    """One part of a text.

    name: what its items are, for the note about items left out. head: its first line. items: the
    most important first, each a line or, with `joiner`, a piece of one line. first: how many items
    are placed before any part gets more. urgent: whether its items may go beyond `soft`, up to
    `limit`. is_bare: whether the part is only its head. shown: how many items are placed so far (1
    for a placed bare head).
    """

    name: str
    head: str
    items: Sequence[str] = ()
    first: int = 2
    joiner: str = ""
    urgent: bool = False
    is_bare: bool = False
    shown: int = 0

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


def compose(
    parts: Sequence[Part],
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
    room = limit - width(note(total)) - 4
    used = 0
    bare = [part for part in parts if part.is_bare]
    for part in bare:
        cost = width(part.head) + 4
        if used + cost <= room:
            used += cost
            part.shown = 1
    listed = [part for part in parts if part.items]
    for least in (1, 0):
        # First every part its first items, then one more of each tail at a time.
        growing = True
        while growing:
            growing = False
            for part in listed:
                end = min(part.first, len(part.items)) if least else len(part.items)
                while part.shown < end:
                    cost = part.cost(width)
                    if used + cost > (room if part.urgent else min(soft, room)):
                        break
                    used += cost
                    part.shown += 1
                    growing = True
                    if not least:
                        break
    left = [(part.name, 1) for part in bare if not part.shown]
    left += [(part.name, len(part.items) - part.shown) for part in listed]
    texts = [part.text() for part in parts if part.shown]
    if left := [item for item in left if item[1]]:
        texts.append(note(left))
    return "\n\n".join(texts)
