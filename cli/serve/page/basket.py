"""What lies in the context area: which sessions, in which order, and what they would cost.

Invariant: pure; a session is in the basket at most once, and no change alters the order of the
others.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Basket", "Item", "Meter", "keys", "meter", "place", "remove", "shift", "toggle"]

_HIGH = 0.5  # share of what remains from which a person should look twice


class Item(NamedTuple):
    """A session in the basket. key: as the page names it (project/id); note: project and day."""

    key: str
    title: str
    note: str


Basket = tuple[Item, ...]


class Meter(NamedTuple):
    """What the basket would cost. share: of what remains, None unknown.

    level: empty, ok, high, over or unknown.
    """

    tokens: int
    share: float | None
    level: str
    words: str


def keys(basket: Basket) -> list[str]:
    """Keys of the sessions, in order."""
    return [item.key for item in basket]


def place(basket: Basket, item: Item, at: int | None = None) -> Basket:
    """Put a session before the one that is at `at` now (None: last), be it new or moved.

    A place beyond either end is that end; without a place a session that is there stays.
    """
    here = keys(basket)
    if item.key in here:
        if at is None:
            return basket
        old = here.index(item.key)
        rest = basket[:old] + basket[old + 1 :]
        new = at - 1 if at > old else at
        return _insert(rest, basket[old], new)
    return _insert(basket, item, len(basket) if at is None else at)


def shift(basket: Basket, key: str, by: int) -> Basket:
    """Move a session by so many places, at most to the end; one that is not there moves nothing."""
    here = keys(basket)
    if key not in here:
        return basket
    old = here.index(key)
    rest = basket[:old] + basket[old + 1 :]
    return _insert(rest, basket[old], old + by)


def remove(basket: Basket, key: str) -> Basket:
    """Take a session out."""
    return tuple(item for item in basket if item.key != key)


def toggle(basket: Basket, item: Item) -> Basket:
    """Put a session last, or take it out where it is in."""
    return remove(basket, item.key) if item.key in keys(basket) else place(basket, item)


def _insert(basket: Basket, item: Item, at: int) -> Basket:
    at = max(0, min(at, len(basket)))
    return (*basket[:at], item, *basket[at:])


def meter(tokens: int, remaining: int | None, unknown: str, *, chosen: bool) -> Meter:
    """Measure a block of so many tokens against what remains in the chosen live session.

    remaining: tokens to its next compaction; None is unknown, and `unknown` says why.
    """
    about = f"About {tokens:,} tokens" if tokens else "Nothing is chosen yet"
    level = "unknown" if tokens else "empty"
    if not chosen:
        return Meter(tokens, None, level, f"{about}; no live session is chosen to compare with")
    if remaining is None:
        why = f" ({unknown})" if unknown else ""
        return Meter(tokens, None, level, f"{about}; what the session has left is unknown{why}")
    if remaining <= 0:
        level = "over" if tokens else "empty"
        return Meter(tokens, None, level, f"{about}; nothing is left before the next compaction")
    if not tokens:
        return Meter(0, 0.0, "empty", f"{about}; {remaining:,} left before the next compaction")
    share = tokens / remaining
    level = "over" if share > 1 else "high" if share >= _HIGH else "ok"
    percent = f"{share:.0%}" if share >= 0.01 else "less than 1%"
    words = f"{about}: {percent} of the {remaining:,} left before the next compaction"
    return Meter(tokens, share, level, words)
