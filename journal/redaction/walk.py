"""Redact a value string by string, if one of its strings may contain a secret."""

from __future__ import annotations

from journal.redaction import DEEPEST, redact

_KEYS = (
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "pass",
    "secret",
    "token",
    "key",
    "credential",
    "credentials",
    "_auth",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
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
    if all(a is b for a, b in zip(items, value, strict=True)):
        return value
    return tuple(items) if isinstance(value, tuple) else items


def _walk_dict(value: dict[object, object], depth: int) -> object:
    members: dict[object, object] = {}
    changed = False
    for key, item in value.items():
        name = redact(key) if isinstance(key, str) else key
        clean = walk(item, depth + 1)
        if clean is item and isinstance(item, str) and isinstance(key, str):
            clean = _under(key, item)
        changed = changed or name is not key or clean is not item
        while name in members:  # two keys became one tag: keep both values
            name = f"{name}+"
        members[name] = clean
    return members if changed else value


def _under(key: str, item: str) -> str:
    if not key.lower().endswith(_KEYS):
        return item
    from journal.redaction.named_values import secret_under  # costs milliseconds: only where needed

    return "[redacted:assignment]" if secret_under(key, item) else item
