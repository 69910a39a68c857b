"""Redaction: what every string of an event passes before it is appended.

A log that is only appended to cannot take a secret back, so nothing reaches it unread. Invariant:
`redact(redact(x)) == redact(x)`, and a text in which nothing was found comes back as the same
object; until a marker of the table is found no regular expression is imported or compiled.
"""

from __future__ import annotations

from journal.redaction.rules import PATTERNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from journal.redaction.rules import Near, Row

__all__ = ["PATTERNS", "redact", "redact_value"]

_SHORTEST = 8  # characters; nothing shorter can hold a name and a value
_DEEPEST = 200  # levels of a value; deeper ones are dropped, never passed unread
_PASSES = 4  # a replacement can uncover a neighbour; the second pass nearly always finds nothing

_LOWER = "(?i)"
_EXACT = tuple((m, r[2]) for r in PATTERNS if not r[3].startswith(_LOWER) for m in r[1])
_FOLDED: dict[str, list[Near]] = {}  # one marker serves several rows, each near something else
for _row in PATTERNS:
    if _row[3].startswith(_LOWER):
        for _marker in _row[1]:
            _FOLDED.setdefault(_marker, []).append(_row[2])
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

_compiled: dict[str, re.Pattern[str]] = {}


def redact(text: str) -> str:
    """Replace each secret in `text` by `[redacted:NAME]`; the same object if there is none."""
    if len(text) < _SHORTEST or not _suspicious(text):
        return text
    for _ in range(_PASSES):
        before = text
        low = text.lower()
        for row in PATTERNS:
            if _marked(row, text, low):
                text = _replace(row, text)
        if text == before:
            return before
    return text


def redact_value(value: object) -> object:
    """Redact every string of a JSON-like value (dict, list, tuple, str), keys included.

    A string under a key such as `password` is weighed as if it were written `"password": "…"`.
    Nothing is changed in place; the same object comes back where nothing was found.
    """
    if isinstance(value, str):
        return redact(value)
    texts: list[str] = []
    names: list[str] = []
    if _collect(value, texts, names, 0):
        # One scan over all strings instead of one for each. The name of a text stands before it;
        # `tokens` of a number announces nothing, so those names stand by themselves.
        texts.append("")
        if not _suspicious(":".join(texts) + "\n".join(names)):
            return value
    return _walk(value, 0)


def _collect(value: object, texts: list[str], names: list[str], depth: int) -> bool:
    """Collect every string of `value`; False where it is too deep to go on."""
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(key, str):
                (texts if isinstance(item, str) else names).append(key)
            if not _collect(item, texts, names, depth + 1):
                return False
    elif isinstance(value, (list, tuple)):
        for item in value:
            if depth >= _DEEPEST or not _collect(item, texts, names, depth + 1):
                return False
    return depth <= _DEEPEST


def _near(text: str, marker: str, near: Near) -> bool:
    if near is None:
        return marker in text
    chars, first, last = near
    present = [c for c in chars if c in text]
    end = -1 if present else len(text)
    while (end := text.find(marker, end + 1)) >= 0:
        end += len(marker)
        for c in present:
            if text.find(c, max(end + first, 0), max(end + last, 0)) >= 0:
                return True
        end -= 1
    return False


def _suspicious(text: str) -> bool:
    for marker, near in _EXACT:
        if marker in text and (near is None or _near(text, marker, near)):
            return True
    low = text.lower()
    for marker, nears in _FOLDED.items():
        if marker in low and any(_near(low, marker, near) for near in nears):
            return True
    return False


def _marked(row: Row, text: str, low: str) -> bool:
    hay = low if row[3].startswith(_LOWER) else text
    return any(_near(hay, marker, row[2]) for marker in row[1])


def _pattern(row: Row) -> re.Pattern[str]:
    found = _compiled.get(row[0])
    if found is None:
        import re  # costs milliseconds: only where a marker was found

        found = _compiled[row[0]] = re.compile(row[3], re.ASCII)
    return found


def _replace(row: Row, text: str) -> str:
    from journal.redaction.values import secret_span  # only where needed

    search = _pattern(row).search
    tag = f"[redacted:{row[0]}]"
    out: list[str] = []
    kept = at = 0
    while match := search(text, at):
        span = secret_span(row[0], match, text)
        if span is None:  # the rejected value may itself hold a secret: go on inside of it
            at = max(match.start() + 1, min(match.end(), _inside(match)))
            continue
        out.append(text[kept : span[0]])
        out.append(tag)
        kept = at = span[1]
    if not out:
        return text
    out.append(text[kept:])
    return "".join(out)


def _inside(match: re.Match[str]) -> int:
    """Return where the value of a match begins."""
    return max(match.start(group) for group in match.re.groupindex if group in "degbuh")


def _walk(value: object, depth: int) -> object:
    if isinstance(value, str):
        return redact(value)
    if not isinstance(value, (dict, list, tuple)):
        return value
    if depth >= _DEEPEST:
        return "[redacted:depth]"
    if isinstance(value, dict):
        return _walk_dict(value, depth)
    fresh = [_walk(item, depth + 1) for item in value]
    if all(a is b for a, b in zip(fresh, value, strict=True)):
        return value
    return tuple(fresh) if isinstance(value, tuple) else fresh


def _walk_dict(value: dict[object, object], depth: int) -> object:
    fresh: dict[object, object] = {}
    changed = False
    for key, item in value.items():
        name = redact(key) if isinstance(key, str) else key
        clean = _walk(item, depth + 1)
        if clean is item and isinstance(item, str) and isinstance(key, str):
            clean = _under(key, item)
        changed = changed or name is not key or clean is not item
        while name in fresh:  # two keys became one tag: keep both values
            name = f"{name}+"
        fresh[name] = clean
    return fresh if changed else value


def _under(key: str, item: str) -> str:
    if not key.lower().endswith(_KEYS):
        return item
    from journal.redaction.values import secret_under  # only where needed

    return "[redacted:assignment]" if secret_under(key, item) else item
