"""Cut the texts of a record that does not fit into a line. Imported only in that case.

Invariant: the result always fits, and a cut text ends with the length and digest of the whole.
"""

from __future__ import annotations

from journal.codec import digest, dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ENVELOPE = ("ts", "type", "v", "sid", "agent", "prompt", "key")
_NOTE = "…[+0000000000 bytes, b2:0123456789abcdef]"  # as long as the longest real one
_NOTE_SIZE = len(_NOTE.encode())
_DEEP = 32  # levels below which a value is cut as the text of its JSON


def cut_to(fields: dict[str, Any], limit: int) -> dict[str, Any]:
    """Cut the longest texts until the fields fit into `limit` bytes; the same object if they do.

    All texts are cut to one length, the greatest that fits. Where that is not enough (thousands of
    small members), members beside the envelope become the beginning of their JSON. A cut text ends
    in `…[+N bytes, b2:DIGEST]`, so that the whole can be recognized. Sizes are of the UTF-8 form.
    """
    if len(dumps(fields)) <= limit:
        return fields
    trial = _cut(fields, limit, 0, final=False)
    if len(dumps(_cut(trial, 0, 0, final=False))) > limit:
        return _flat(fields, limit)
    low, high = 0, limit
    while high - low > max(8, low >> 6):
        middle = (low + high) // 2
        if len(dumps(_cut(trial, middle, 0, final=False))) <= limit:
            low = middle
        else:
            high = middle
    shortened: dict[str, Any] = _cut(fields, low, 0, final=True)
    return shortened


def shorten(value: str, most: int) -> str:
    """Cut a text to `most` bytes; append how many bytes were cut and the digest of the whole."""
    raw = value.encode("utf-8", "replace")
    if len(raw) <= most:
        return value
    head = raw[:most].decode("utf-8", "ignore")
    return f"{head}…[+{len(raw) - len(head.encode())} bytes, b2:{digest(raw)}]"


def _cut(value: Any, most: int, depth: int, *, final: bool) -> Any:
    """Copy `value` with every longer text cut; `final` with its digest, else with a stand-in."""
    if isinstance(value, str):
        raw = value.encode("utf-8", "replace")
        if len(raw) <= most + _NOTE_SIZE:  # cutting would not make it shorter
            return value
        return shorten(value, most) if final else raw[:most].decode("utf-8", "ignore") + _NOTE
    if isinstance(value, (dict, list, tuple)) and depth > _DEEP:
        return _cut(dumps(value).decode(), most, depth, final=final)
    if isinstance(value, dict):
        return {key: _cut(item, most, depth + 1, final=final) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cut(item, most, depth + 1, final=final) for item in value]
    return value


def _flat(fields: dict[str, Any], limit: int) -> dict[str, Any]:
    """Return the envelope members, cut, and the rest as one text: for too many small members."""
    shortened = {
        name: fields[name]
        if isinstance(fields[name], (int, float, type(None)))
        else shorten(str(fields[name]), min(256, limit // 32))
        for name in _ENVELOPE
        if name in fields
    }
    rest = dumps({name: value for name, value in fields.items() if name not in shortened}).decode()
    most = limit - len(dumps(shortened)) - 64
    while True:
        flat = {**shortened, "cut": shorten(rest, most)}
        size = len(dumps(flat))
        if size <= limit or most <= 0:
            return flat
        most = min(most - 1, most * limit // size)  # quotes double when they are escaped
