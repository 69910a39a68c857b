"""The tagged union of all events, for readers that take any of them and for the type checker."""

from __future__ import annotations

from functools import reduce
from operator import or_

from journal.events.registry import KINDS, Event, class_of

__all__ = ["AnyEvent"]

AnyEvent: type[Event] = reduce(or_, (class_of(kind) for kind in KINDS))
