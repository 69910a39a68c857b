"""Upcasters: pure functions from version n of an event type to n+1, applied when reading.

The log's bytes do not change. Invariant: a chain leads from every released version to `CURRENT`. A
new optional field does not raise a version.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Current versions above 1; all other types have version 1.
CURRENT: dict[str, int] = {}

# (type, n) → function from the fields of version n to those of version n+1
UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}


def upcast(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a record's fields in the current version of its type.

    Raises LookupError if no chain leads there (a later version, or one never released).
    """
    while fields["v"] != CURRENT.get(fields["type"], 1):
        step = UPCASTERS[fields["type"], fields["v"]]
        raised = step(dict(fields))
        if raised["v"] != fields["v"] + 1 or raised["type"] != fields["type"]:
            raise LookupError(f"the upcaster of {fields['type']} v{fields['v']} goes elsewhere")
        fields = raised
    return fields
