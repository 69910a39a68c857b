"""Redact a value string by string, if one of its strings may contain a secret.

A string is judged again with what gives it away: the name of its member, the words of its command.
"""

from __future__ import annotations

from journal.redaction import DEEPEST, found, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONGEST = 2000  # characters; a longer text is judged by itself alone
_NAMES = ("name", "key", "header")  # members that name the value beside them
_LABELS = ("element", "selector", "label", "field")  # members that say where a text is typed in
_TYPED = frozenset(("text", "value"))
_STEMS = tuple(
    "pass pwd secret token key cred auth pin cookie pw 密码 密碼 口令 パスワード 비밀번호".split()
)


def walk(value: object, depth: int) -> object:
    """Return a value with each of its strings redacted. depth: levels above it."""
    if isinstance(value, str):
        return redact(value)
    if not isinstance(value, (dict, list, tuple)):
        return value
    if depth >= DEEPEST:
        return "[redacted:depth]"
    if isinstance(value, dict):
        return _walk_dict(value, depth)
    items = [walk(item, depth + 1) for item in value]
    if items and all(map(_is_line, items)):
        items = _as_command(items)
    if all(a is b for a, b in zip(items, value, strict=True)):
        return value
    return tuple(items) if isinstance(value, tuple) else items


def _walk_dict(value: dict[object, object], depth: int) -> object:
    members: dict[object, object] = {}
    changed = False
    for key, item in value.items():
        name = redact(key) if isinstance(key, str) else key
        clean = walk(item, depth + 1)
        changed = changed or name is not key or clean is not item
        while name in members:  # two keys became one tag: keep both values
            name = f"{name}+"
        members[name] = clean
    fresh = _named(members)
    if any(members[name] != item for name, item in fresh.items()):
        return members | fresh
    return members if changed else value


def _named(members: dict[object, object]) -> dict[Any, Any]:
    """Return the members that are one line of text, redacted with the names beside them."""
    lines = {name: item for name, item in members.items() if _is_line(item)}
    fresh: dict[Any, Any] = lines
    names = [*lines, *(lines.get(name, "") for name in _NAMES)]
    if any(stem in str(name).lower() for name in names for stem in _STEMS):
        fresh = _in_context(lines)
    if members.get("kind") == "Secret" and isinstance(members.get("data"), dict):
        fresh = fresh | _in_context({"kind": "Secret", "data": members["data"]})
    typed = fresh.keys() & _TYPED
    if typed and any("pass" in str(lines.get(name)).lower() for name in _LABELS):
        fresh = fresh | {name: _in_context({"password": fresh[name]})["password"] for name in typed}
    return fresh


def _is_line(item: object) -> bool:
    return isinstance(item, str) and len(item) <= _LONGEST and "\n" not in item


def _as_command(items: list[Any]) -> list[Any]:
    """Return strings as redacted in one command; the same object if it cannot be taken apart."""
    if not found(" ".join(items)):
        return items
    import shlex  # loads regular expressions

    text = shlex.join(items)
    clean = redact(text)
    if clean is text:
        return items
    try:
        fresh = shlex.split(clean)
    except ValueError:
        return items
    return fresh if len(fresh) == len(items) else items


def _in_context(members: dict[Any, Any]) -> dict[Any, Any]:
    """Return members as redacted in JSON, one in a line, where a name is before each value."""
    import json

    try:
        fresh: dict[Any, Any] = json.loads(
            redact(json.dumps(members, ensure_ascii=False, indent=0))
        )
    except (TypeError, ValueError):  # a number was replaced
        return members
    return fresh if fresh.keys() == members.keys() else members
