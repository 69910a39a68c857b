"""Upcasters: pure functions from version n of an event type to n+1, run when a record is read.

The bytes of the log never change. Invariant: for every released version the chain leads to
`CURRENT`; a new optional field does not raise a version.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["CURRENT", "UPCASTERS", "upcast"]

# Versions above 1; a type that is not named is at version 1.
CURRENT: dict[str, int] = {}

# (type, n) -> function of the record's fields, giving those of version n+1 of the same type.
UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}


def upcast(
    fields: dict[str, Any],
    upcasters: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = UPCASTERS,
    current: dict[str, int] = CURRENT,
) -> dict[str, Any]:
    """Bring a record's fields to the current version of its type.

    LookupError when no chain leads there (a later version, a version never released).
    """
    while fields["v"] != current.get(fields["type"], 1):
        step = upcasters[fields["type"], fields["v"]]
        raised = step(dict(fields))
        if raised["v"] != fields["v"] + 1 or raised["type"] != fields["type"]:
            raise LookupError(f"the upcaster of {fields['type']} v{fields['v']} goes elsewhere")
        fields = raised
    return fields
