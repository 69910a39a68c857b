"""Compare a view before and after an event: changed paths with their old and new values.

Pure. Invariant: two states are equal exactly if there is no change between them.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct


class Change(NamedTuple):
    """One changed value. path: member names from the state down; None: no value before or after."""

    path: tuple[str, ...]
    before: Any
    after: Any


def changes(before: Any, after: Any, path: tuple[str, ...] = ()) -> Iterator[Change]:
    """Yield the changes between two states of one projection; identical objects have none."""
    if before is after or before == after:
        return
    if isinstance(after, Struct) and type(before) is type(after):
        for name in after.__struct_fields__:
            yield from changes(getattr(before, name), getattr(after, name), (*path, name))
    elif isinstance(before, dict) and isinstance(after, dict):
        yield from _of_dicts(before, after, path)
    elif isinstance(after, Struct) and before is None:
        yield from changes(type(after)(), after, path)  # only values that differ from defaults
    else:
        yield Change(path, before, after)


def _of_dicts(
    before: dict[str, Any], after: dict[str, Any], path: tuple[str, ...]
) -> Iterator[Change]:
    for key in [*before, *(key for key in after if key not in before)]:
        old, new = before.get(key), after.get(key)
        if old is new and new is not None:
            continue
        member = (*path, str(key))
        if key not in after:
            yield Change(member, old, None)
        elif isinstance(new, Struct) and key not in before:
            found = list(changes(None, new, member))
            yield from found or [Change(member, None, {})]
        elif key not in before:
            yield Change(member, None, new)
        else:
            yield from changes(old, new, member)
