"""One framed line of the log: `{"seq":N,…,"crc":"xxxxxxxx"}\\n`.

Invariant: `seq` is first and `crc` is last, so both are found by byte position without a JSON
parser; the CRC-32 covers every byte before `,"crc":` and is compared as bytes.
"""

from __future__ import annotations

import zlib

from journal.codec import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "CAP", "HEAD", "TAIL", "frame", "fit", "is_whole", "salvage", "seq_of", "type_of", "unframe",
]  # fmt: skip

CAP = 16 * 1024  # bytes of a line with its newline: what makes reading the tail O(1)
HEAD = b'{"seq":'
_CRC = b',"crc":"'
TAIL = len(_CRC) + 8 + len(b'"}')  # 18 bytes: ,"crc":"xxxxxxxx"}
_TYPE = b'"type":"'


def frame(seq: int, fields: dict[str, Any]) -> bytes:
    """Serialise one record. `fields` starts with ts and type and must hold no seq and no crc."""
    body = b'{"seq":%d,' % seq + dumps(fields)[1:-1]
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


def is_whole(line: bytes) -> bool:
    """Whether `line` (without newline) is a record whose CRC passes."""
    return (
        line.startswith(HEAD)
        and line[-TAIL:-10] == _CRC
        and line[-10:] == b'%08x"}' % zlib.crc32(line[:-TAIL])
    )


def seq_of(line: bytes) -> int:
    """Read the seq of a whole record; -1 where there is no number (then it is not one of ours)."""
    number = line[len(HEAD) : line.find(b",", len(HEAD))]
    return int(number) if number.isdigit() else -1


def type_of(line: bytes) -> str:
    """Read the type of a whole record by position; "" where it is not in its place."""
    start = line.find(_TYPE, len(HEAD), 128)
    if start < 0:
        return ""
    start += len(_TYPE)
    return line[start : line.find(b'"', start)].decode("ascii", "replace")


def unframe(line: bytes) -> dict[str, Any]:
    """Parse a whole record into its fields, crc left out. ValueError if it is not an object."""
    fields = loads(line)
    if not isinstance(fields, dict):
        raise ValueError("not an object")
    fields.pop("crc", None)
    return fields


def salvage(line: bytes, limit: int = 64) -> list[tuple[int, bytes]]:
    """Find the whole records inside a bad line: (offset in the line, record without newline).

    A splice, a missing newline and a run of NULs all leave whole records behind. At most `limit`
    starts are tried against the ends that follow each within CAP bytes.
    """
    found: list[tuple[int, bytes]] = []
    start = line.find(HEAD)
    tried = 0
    while start >= 0 and tried < limit:
        tried += 1
        following = start + 1
        end = line.find(_CRC, start)
        while 0 <= end < start + CAP:
            span = line[start : end + TAIL]
            if is_whole(span):
                found.append((start, span))
                following = start + len(span)
                break
            end = line.find(_CRC, end + 1)
        start = line.find(HEAD, following)
    return found


def fit(fields: dict[str, Any], cap: int = CAP) -> dict[str, Any]:
    """Cut the longest strings until the record fits into `cap` bytes; the same object if it does.

    A cut string keeps its beginning and ends in `…[+N bytes, b2:DIGEST]`, so that the whole text
    can be recognised. Sizes are of the UTF-8 form.
    """
    size = len(dumps(fields)) + 64
    if size <= cap:
        return fields
    whole = dict(fields)
    while size > cap:
        longest = _longest(whole, ())
        if longest is None:
            raise ValueError("record too large and without text to cut")
        path, length = longest
        keep = max(32, length - (size - cap) - 96)
        whole = _replaced(whole, path, keep)
        size = len(dumps(whole)) + 64
    return whole


def _longest(value: Any, path: tuple[Any, ...]) -> tuple[tuple[Any, ...], int] | None:
    best: tuple[tuple[Any, ...], int] | None = None
    if isinstance(value, str):
        # A cut text must be worth cutting again, or the loop would not end.
        return (path, len(value.encode("utf-8", "replace"))) if len(value) > 160 else None
    items = (
        value.items() if isinstance(value, dict)
        else enumerate(value) if isinstance(value, list)
        else ()
    )  # fmt: skip
    for key, item in items:
        candidate = _longest(item, (*path, key))
        if candidate is not None and (best is None or candidate[1] > best[1]):
            best = candidate
    return best


def _replaced(value: Any, path: tuple[Any, ...], keep: int) -> Any:
    if not path:
        return shorten(value, keep)
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(copy[path[0]], path[1:], keep)
    return copy


def shorten(value: str, keep: int) -> str:
    """Keep at most `keep` bytes of `value` and say how much is gone and its digest."""
    from journal.codec import digest

    raw = value.encode("utf-8", "replace")
    if len(raw) <= keep:
        return value
    head = raw[:keep].decode("utf-8", "ignore")
    return f"{head}…[+{len(raw) - len(head.encode())} bytes, b2:{digest(raw)}]"
