"""Decode the events of some types from records, without folding them."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from journal.events.base import Unknown
from journal.events.registry import decode
from journal.log.record import type_of
from projections.fold import RecentKeys


def events_in(
    records: Iterable[tuple[int, bytes]], kinds: Collection[str]
) -> Iterator[tuple[str, Any]]:
    """Yield type and event of records of some types; a repeated hook call once, as in a fold."""
    recent = RecentKeys()
    for seq, line in records:
        kind = type_of(line)
        if kind not in kinds or isinstance(event := decode(line, kind), Unknown):
            continue
        if not (event.key and recent.repeats((kind, event.key), seq)):
            yield kind, event
