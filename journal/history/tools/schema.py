"""The descriptions of the tools, and the check of an input against them.

The schemas are in `tools.json`. Invariant: `problem` checks every keyword of JSON Schema that a
description uses (a test compares them).
"""

import os
from functools import cache
from typing import Any

from journal.codec import loads
from journal.files import read_regular

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.json")
_LIMIT = 64 * 1024
_TYPES: dict[str, type] = {"object": dict, "string": str, "integer": int, "boolean": bool}
_A = {"object": "an object", "string": "a text", "integer": "a whole number", "boolean": "a switch"}


@cache
def described() -> tuple[dict[str, Any], ...]:
    """Return the descriptions of all tools, in order."""
    tools: Any = loads(read_regular(_FILE, _LIMIT))
    return tuple(tools)


def problem(schema: dict[str, Any], value: Any, name: str = "the input") -> str:
    """Return what is wrong with an input, "" if nothing."""
    expected = schema["type"]
    kind: Any = type(value)
    if kind is not _TYPES[expected]:  # True is not a number here
        return f"{name} is not {_A[expected]}"
    if expected == "object":
        return _in_members(schema, value)
    if (allowed := schema.get("enum")) and value not in allowed:
        return f"{name} is none of: {', '.join(allowed)}"
    size, unit = (len(value), " characters") if expected == "string" else (value, "")
    least = schema.get("minLength", schema.get("minimum", size))
    most = schema.get("maxLength", schema.get("maximum", size))
    if expected == "string" and least and not value.strip():
        return f"{name} is empty"
    return "" if least <= size <= most else f"{name} has {size:,}{unit}: from {least} to {most:,}"


def _in_members(schema: dict[str, Any], value: dict[str, Any]) -> str:
    members = schema["properties"]
    for name in schema.get("required", ()):
        if name not in value:
            return f"{name} is missing"
    for name, member in value.items():
        if name not in members:
            allowed = ", ".join(members) or "none"
            return f"there is no input {name[:40]!r}; there is: {allowed}"
        if reason := problem(members[name], member, name):
            return reason
    return ""
