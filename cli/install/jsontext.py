"""Change single members in the text of a JSON object; every other byte stays as it is.

Invariant: `put` and `drop` change only the named member and the comma next to it; order,
indentation, escapes and line ends of the rest stay.
"""

import json
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder()
_BLANK = " \t\r\n"


class NotAnObjectError(ValueError):
    """The text is JSON, but no object."""


class _Member(NamedTuple):
    key: str
    start: int
    value: int
    end: int


def parse(text: str) -> dict[str, Any]:
    """Parse an object; blank text is {}. Raises json.JSONDecodeError or NotAnObjectError."""
    value = json.loads(text) if text.strip(_BLANK) else {}
    if not isinstance(value, dict):
        raise NotAnObjectError("is not a JSON object")
    return value


def get(text: str, *path: str) -> str | None:
    """Return the text of the value at `path`, or None if it does not exist."""
    at = _find(text, path)
    return None if at is None else text[at[-1].value : at[-1].end]


def put(text: str, key: str, value: str) -> str:
    """Set a top-level member to `value` (JSON text, written as given); add it at the end if new."""
    if not text.strip(_BLANK):
        text = "{}" + (text or "\n")
    opening, members, _ = _scan(text, _skip(text, 0))
    there = [member for member in members if member.key == key]
    if there:
        return text[: there[-1].value] + value + text[there[-1].end :]
    new = f"{json.dumps(key, ensure_ascii=False)}: {value}"
    if not members:
        line = "\r\n" if "\r\n" in text else "\n"
        close = text.index("}", opening)
        return f"{text[: opening + 1]}{line}  {new}{line}{text[close:]}"
    last = members[-1]
    # As between the two members before it, or between the brace and the only one.
    before = text.index(",", members[-2].end) if len(members) > 1 else opening
    gap = text[before + 1 : last.start]
    return f"{text[: last.end]},{gap}{new}{text[last.end :]}"


def drop(text: str, *path: str) -> str:
    """Remove the member at `path` with its comma; return the text unchanged if it has none."""
    at = _find(text, path)
    if at is None:
        return text
    holder = at[-2].value if len(at) > 1 else _skip(text, 0)
    opening, members, close = _scan(text, holder)
    index = members.index(at[-1])
    if len(members) == 1:
        return text[: opening + 1] + text[close:]
    if index == 0:
        return text[: members[0].start] + text[members[1].start :]
    return text[: members[index - 1].end] + text[members[index].end :]


def indented(value: Any, text: str) -> str:
    """Return `value` as JSON with the indentation and line ends of `text`."""
    line = "\r\n" if "\r\n" in text else "\n"
    opening, members, _ = _scan(text, _skip(text, 0)) if text.strip(_BLANK) else (0, [], 0)
    gap = text[opening + 1 : members[0].start] if members else "\n  "
    if "\n" not in gap:
        return json.dumps(value, ensure_ascii=False)
    indent = gap[gap.rindex("\n") + 1 :] or "  "
    return json.dumps(value, ensure_ascii=False, indent=indent).replace("\n", line + indent)


def _find(text: str, path: tuple[str, ...]) -> list[_Member] | None:
    found: list[_Member] = []
    at = _skip(text, 0)
    for key in path:
        if at >= len(text) or text[at] != "{":
            return None
        there = [member for member in _scan(text, at)[1] if member.key == key]
        if not there:
            return None
        found.append(there[-1])  # of a repeated key the last one counts
        at = there[-1].value
    return found


def _scan(text: str, at: int) -> tuple[int, list[_Member], int]:
    """Return (opening brace, members, closing brace) of a valid object, braces as positions."""
    opening = at
    members: list[_Member] = []
    at = _skip(text, at + 1)
    while text[at] != "}":
        if text[at] == ",":
            at = _skip(text, at + 1)
        start = at
        key, at = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, at) + 1)
        _, end = _DECODER.raw_decode(text, value)
        members.append(_Member(key, start, value, end))
        at = _skip(text, end)
    return opening, members, at


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
