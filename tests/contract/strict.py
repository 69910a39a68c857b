"""Whether a record has exactly the members of its type.

The capture path builds plain dicts, so that it needs no typed library; here each record is compared
with the Struct of its type, including members that no Struct has.
"""

from __future__ import annotations

import json
import types
import typing

import msgspec

from journal.events.base import Unknown
from journal.events.registry import class_of, decode
from journal.log.record import type_of


def violations(line: bytes) -> list[str]:
    """Return what is wrong with one record of the log; [] if nothing is."""
    kind = type_of(line)
    event = decode(line, kind)
    if isinstance(event, Unknown):
        return [f"{kind} does not decode: {line[:300]!r}"]
    fields = json.loads(line)
    del fields["crc"], fields["type"]
    return list(_extra(fields, class_of(kind), kind))


def _extra(value: object, form: object, where: str) -> typing.Iterator[str]:
    """Yield the members of `value` that its type does not have, at any depth."""
    if isinstance(form, type) and issubclass(form, msgspec.Struct) and isinstance(value, dict):
        members = {field.encode_name: field.type for field in msgspec.structs.fields(form)}
        for name, item in value.items():
            if name not in members:
                yield f"{where}.{name} is not a member"
            else:
                yield from _extra(item, members[name], f"{where}.{name}")
    elif typing.get_origin(form) in (types.UnionType, typing.Union):
        for part in typing.get_args(form):
            if part is not type(None):
                yield from _extra(value, part, where)
    elif typing.get_origin(form) is list and isinstance(value, list):
        for number, item in enumerate(value):
            yield from _extra(item, typing.get_args(form)[0], f"{where}[{number}]")
