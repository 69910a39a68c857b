"""Write docs/events.md from the event types.

Invariant: the page is exactly what `page` returns; a test compares them.
To write it: `python -m tests.tools.events_page > docs/events.md`.
"""

from __future__ import annotations

import json
import re
import sys
from inspect import getdoc
from typing import get_args

from msgspec import NODEFAULT, Struct, structs

from journal.events.base import Event
from journal.events.registry import KINDS, class_of

_HEAD = """\
# Events

<!-- Made by `python -m tests.tools.events_page` from the types in journal/events; edit those. -->

All types of events in a log, as this version writes them. The members that every record has (`seq`, `ts`,
`type`, `v`, `sid` …) are described in the [format of the log](../journal/FORMAT.md). A record omits members
that have their default value. `journal events --json --type TYPE` prints the events of one type.
"""
_PLAIN = {
    "str": "text",
    "int": "integer",
    "float": "number",
    "bool": "true or false",
    "None": "null",
}
_ENVELOPE = {field.name for field in structs.fields(Event)}


def page() -> str:
    """Return the page."""
    groups: dict[str, list[str]] = {}
    for kind in KINDS:
        groups.setdefault(kind.partition(".")[0], []).append(kind)
    kinds = [kind for group in groups.values() for kind in group]
    sections = [_section(kind, class_of(kind)) for kind in kinds]
    nested: dict[str, type] = {}
    for kind in kinds:
        _find_nested(class_of(kind), nested)
    sections.extend(_section(name, made) for name, made in nested.items())
    return "\n".join((_HEAD, *sections))


def _section(name: str, made: type) -> str:
    text, meanings = _described(made)
    members = [
        f"| `{field.encode_name}` | {_named(field.type)} | `{_default(field)}` | "
        f"{meanings.get(field.name, '')} |"
        for field in structs.fields(made)
        if not (issubclass(made, Event) and field.name in _ENVELOPE)
    ]
    table = ["| member | type | default | |", "|---|---|---|---|", *members, ""] if members else []
    return "\n".join((f"## {name}", "", text, "", *table))


def _described(made: type) -> tuple[str, dict[str, str]]:
    """Split a docstring into its text and the meaning of each member: `size: bytes; head: …`."""
    text = " ".join((getdoc(made) or "").split()).replace("|", r"\|")
    names = "|".join(field.name for field in structs.fields(made))
    first, *rest = re.split(rf"(?:^|(?<=[.;] ))((?:{names})(?:, (?:{names}))*): ", text)
    meanings = {
        name: meaning.strip().rstrip(";.")
        for heads, meaning in zip(rest[::2], rest[1::2], strict=True)
        for name in heads.split(", ")
    }
    return first.strip(), meanings


def _find_nested(made: type, found: dict[str, type]) -> None:
    """Add the types of the members of `made`, and of their members."""
    waiting = [field.type for field in structs.fields(made)]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, type) and issubclass(each, Struct) and each.__name__ not in found:
            found[each.__name__] = each
            _find_nested(each, found)
        waiting.extend(get_args(each))


def _named(kind: object) -> str:
    """Describe a type in words: `list[list[str]]` is "list of lists of text"."""
    name = kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
    name = re.sub(r"(?:[a-z_]+\.)+(?=[A-Za-z])", "", name)
    name = re.sub(r"tuple\[(.+), \.\.\.\]", r"list[\1]", name)
    name = re.sub(r"\w+", lambda found: _PLAIN.get(found[0], found[0]), name)
    name = re.sub(r"dict\[(\w+), (\w+)\]", r"map of \1 to \2", name)
    name = name.replace("list[list[", "list[lists of ").replace("list[", "list of ")
    return name.replace("]", "").replace(" | null", " or null")


def _default(field: structs.FieldInfo) -> str:
    if field.default_factory is not NODEFAULT:
        return json.dumps(field.default_factory())
    return json.dumps(field.default)


if __name__ == "__main__":
    sys.stdout.write(page())
