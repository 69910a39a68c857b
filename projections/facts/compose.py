"""Compose a text of bounded size from parts, by value.

Every part gets its first items before any gets its tail; then the tails share what is left, in
rounds. Invariant: the text never exceeds the limit, and what was left out is counted by part.
"""

from __future__ import annotations

from msgspec import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Part", "compose"]


class Part(Struct):
    """One part of a text.

    name: what its items are, for the note about what was left out. head: its first line. items: by
    value, each the whole of a line or, with `joiner`, a piece of one. is_bare: the part is its head
    alone. first: how many come before any tail. urgent: its items may use the room up to the
    limit, others stay within `soft`. shown: how many of them the text has, 1 for a head alone.
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
        """Return the part with the items that have room."""
        items = self.items[: self.shown]
        if self.joiner:
            return self.head + self.joiner.join(items)
        return "\n".join(filter(None, (self.head, *items)))

    def cost(self, width: Callable[[str], int]) -> int:
        """Return the characters that the next item takes, with the head where it is the first."""
        item = width(self.items[self.shown]) + (len(self.joiner) or 2)
        return item if self.shown else item + width(self.head) + 4


def compose(
    parts: Sequence[Part],
    soft: int,
    limit: int,
    width: Callable[[str], int],
    note: Callable[[list[tuple[str, int]]], str],
) -> str:
    """Return the text.

    Args:
        parts: in the order of the text; that order is also their value.
        soft: characters the text has as a rule; only urgent parts go beyond.
        limit: characters, as `width` counts them, that it never exceeds.
        width: size of a text.
        note: the line that says what was left out, from (name, count) of each part that lost items.

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
