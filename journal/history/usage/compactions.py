"""Find the tokens that compactions caused: docs/usage.md has the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from journal.history.usage.prices import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from journal.history.importer.text import Figures

REPLY, COMPACTION, FILE = range(3)
"""Kinds of events of a session's main thread, in the order in which those of one time happened."""


class Caused(NamedTuple):
    """The tokens of a reply that a compaction caused.

    is_first: whether the reply wrote the context again; is_request: whether it is the summary.
    """

    tokens: Tokens
    is_first: bool = False
    is_request: bool = False


def caused(events: Iterable[tuple[int, Any]]) -> Iterator[tuple[Any, bool, int]]:
    """Yield the replies that a compaction made more expensive.

    events: (kind, what) of one main thread, in order; what: the reply; of a file, how it was used:
    (tool, target, characters). Yielded: the reply, whether it wrote the context again, and an
    estimate of the tokens of the files read again before it.
    """
    compactions, again, is_first = 0, 0, False
    opened: dict[str, int] = {}  # target → compactions before it was first opened
    counted: dict[str, int] = {}  # target → compactions before it was last counted as read again
    for kind, what in events:
        if kind == COMPACTION:
            compactions, again, is_first = compactions + 1, 0, True
        elif kind == REPLY:
            if is_first or again:
                yield what, is_first, again
            again, is_first = 0, False
        else:
            tool, target, size = what
            is_known = opened.setdefault(target, compactions) < compactions
            if is_known and tool == "Read" and counted.get(target) != compactions:
                counted[target] = compactions
                again += (size + 2) // 3


def caused_by_request(figures: Figures) -> Caused:
    """Return what a reply that is a summary cost: all of it."""
    return Caused(Tokens(*figures[:5]), is_request=True)


def caused_after(figures: Figures, *, is_first: bool, again: int) -> Caused:
    """Return what a reply after a compaction cost because of it. is_first, again: see `caused`."""
    given, _, made, hour, _, _ = figures
    if is_first:
        return Caused(Tokens(given, 0, made, hour, 0), is_first=True)
    written = min(again, made)
    long = written - min(again, made - hour)
    return Caused(Tokens(min(again - written, given), 0, written, long, 0))
