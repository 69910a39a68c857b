"""Cut a record's texts until it fits into a line. Loaded only when one does not.

Invariant: the result always fits, and what was cut says so, with its length and digest.
"""

from __future__ import annotations

from journal.codec import digest, dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["fit", "shorten"]

_OVERHEAD = 64  # bytes of a line beside its fields: seq, crc, newline
_ENVELOPE = ("ts", "type", "v", "sid", "agent", "prompt", "key")
_NOTE = "…[+0000000000 bytes, b2:0123456789abcdef]"  # as long as the longest real one
_NOTE_SIZE = len(_NOTE.encode())
_DEEP = 32  # levels below which a value is cut as the text of its JSON


def fit(fields: dict[str, Any], cap: int) -> dict[str, Any]:
    """Cut the longest texts until the record fits into `cap` bytes; the same object if it does.

    All texts are cut to one length, the greatest that fits. Where that is not enough (thousands of
    small members), members beside the envelope become the beginning of their JSON. A cut text ends
    in `…[+N bytes, b2:DIGEST]`, so that the whole can be recognised. Sizes are of the UTF-8 form.
    """
    room = cap - _OVERHEAD
    if len(dumps(fields)) <= room:
        return fields
    trial = _cut(fields, room, 0, final=False)
    if len(dumps(_cut(trial, 0, 0, final=False))) > room:
        return _flat(fields, room)
    low, high = 0, room
    while high - low > max(8, low >> 6):
        middle = (low + high) // 2
        if len(dumps(_cut(trial, middle, 0, final=False))) <= room:
            low = middle
        else:
            high = middle
    whole: dict[str, Any] = _cut(fields, low, 0, final=True)
    return whole


def shorten(value: str, keep: int) -> str:
    """Keep at most `keep` bytes of `value` and say how much is gone and its digest."""
    raw = value.encode("utf-8", "replace")
    if len(raw) <= keep:
        return value
    head = raw[:keep].decode("utf-8", "ignore")
    return f"{head}…[+{len(raw) - len(head.encode())} bytes, b2:{digest(raw)}]"


def _cut(value: Any, keep: int, depth: int, *, final: bool) -> Any:
    """Copy `value` with every longer text cut; `final` with its digest, else with a stand-in."""
    if isinstance(value, str):
        raw = value.encode("utf-8", "replace")
        if len(raw) <= keep + _NOTE_SIZE:  # cutting would not make it shorter
            return value
        return shorten(value, keep) if final else raw[:keep].decode("utf-8", "ignore") + _NOTE
    if isinstance(value, (dict, list, tuple)) and depth > _DEEP:
        return _cut(dumps(value).decode(), keep, depth, final=final)
    if isinstance(value, dict):
        return {key: _cut(item, keep, depth + 1, final=final) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cut(item, keep, depth + 1, final=final) for item in value]
    return value


def _flat(fields: dict[str, Any], room: int) -> dict[str, Any]:
    """Envelope members (cut), and the rest as one text: for a record of too many small parts."""
    short = {
        name: fields[name]
        if isinstance(fields[name], (int, float, type(None)))
        else shorten(str(fields[name]), 256)
        for name in _ENVELOPE
        if name in fields
    }
    rest = dumps({name: value for name, value in fields.items() if name not in short}).decode()
    keep = room - len(dumps(short)) - 64
    while True:
        flat = {**short, "cut": shorten(rest, keep)}
        size = len(dumps(flat))
        if size <= room or keep <= 0:
            return flat
        keep = min(keep - 1, keep * room // size)  # quotes double when they are escaped
