r"""One framed line of the log: `{"seq":N,…,"crc":"xxxxxxxx"}\n`.

Invariant: `seq` is first and `crc` is last, so both are found by byte position without a JSON
parser; the CRC-32 covers every byte before `,"crc":` and is compared as bytes.

Events get into a log only through `prepare_all`, which redacts each text, so no source of events
can skip redaction. Its results have a time and fit into a record; `Writer.append` only adds number
and checksum.

`key_for` recognizes a repeated hook call, so a hook that is registered twice has one effect. A fact
that happens once (a tool call has an id) is a repeat wherever its key is found. One that may happen
again (a resume, a compaction; its key ends in `.`) is a repeat only directly after itself: no other
event of its session came between, and at most SPAN_MS passed.
"""

from __future__ import annotations

import os
import zlib

from journal.clock import iso, millis
from journal.codec import dumps, loads
from journal.files import read_tail
from journal.redaction import redact_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

ACTIVE = "active.jsonl"  # the segment that is written to
FORMAT = 1
CAP = 16 * 1024  # bytes of a line with its newline: what makes reading the tail O(1)
HEAD = b'{"seq":'
CRC = b',"crc":"'
TAIL = len(CRC) + 8 + len(b'"}')  # 18 bytes: ,"crc":"xxxxxxxx"}
TOMBSTONE = "gc"  # last member of a record whose texts `journal gc` removed
_TOMBSTONE = b',"gc":1'
_TYPE = b'"type":"'
OVERHEAD = 64  # bytes of a line beside its fields: seq, crc, newline
WINDOW = 64 * 1024  # bytes at the end of the segment in which a repeat is recognized
SPAN_MS = 10_000  # handlers registered twice start together; on a slow machine one may come later


def frame(seq: int, fields: dict[str, Any]) -> bytes:
    """Serialize one record; cut the longest texts if it would exceed CAP.

    `fields` starts with ts and type and must have no seq and no crc.
    """
    return numbered(seq, body_of(fields))


def body_of(fields: dict[str, Any], encode: Callable[[Any], bytes] = dumps) -> bytes:
    """Serialize the members of a record without its braces; cut the longest texts to fit CAP.

    encode: a faster serializer, if the caller has one.
    """
    plain = encode(fields)
    if len(plain) + OVERHEAD > CAP:
        from journal.log.truncate import cut_to  # rare, and a hook pays for every module it loads

        plain = dumps(cut_to(fields, CAP - OVERHEAD))
    return plain[1:-1]


def numbered(seq: int, body: bytes) -> bytes:
    """Return the whole line of a record: seq, the members `body` (see `body_of`), checksum."""
    start = b'{"seq":%d,%b' % (seq, body)
    return b'%b,"crc":"%08x"}\n' % (start, zlib.crc32(start))


def is_whole(line: bytes) -> bool:
    """Return whether `line` (without newline) is a record whose CRC passes."""
    return (
        line.startswith(HEAD)
        and line[-TAIL:-10] == CRC
        and line[-10:] == b'%08x"}' % zlib.crc32(line[:-TAIL])
    )


def is_tombstone(line: bytes) -> bool:
    """Return whether a whole record is one whose texts `journal gc` removed."""
    return line[-TAIL - len(_TOMBSTONE) : -TAIL] == _TOMBSTONE


def seq_of(line: bytes) -> int:
    """Return the seq of a whole record; -1 if it has no number, so the journal did not write it."""
    number = line[len(HEAD) : line.find(b",", len(HEAD))]
    return int(number) if number.isdigit() else -1


def type_of(line: bytes) -> str:
    """Read the type of a whole record by position; "" if it is not at the usual position."""
    start = line.find(_TYPE, len(HEAD), 128)
    if start < 0:
        return ""
    start += len(_TYPE)
    return line[start : line.find(b'"', start)].decode("ascii", "replace")


def unframe(line: bytes) -> dict[str, Any]:
    """Parse a whole record into its fields without crc. ValueError if it is not an object."""
    fields = loads(line)
    if not isinstance(fields, dict):
        raise ValueError("not an object")  # noqa: TRY004 (the text is wrong, not the call)
    fields.pop("crc", None)
    return fields


# -- from an event to a record --------------------------------------------------------------------


class Prepared:
    """An event that is ready for a log.

    type: its event type. body: the JSON of its members from `ts` on, without braces.
    """

    __slots__ = ("body", "type")

    def __init__(self, type_: str, body: bytes) -> None:
        self.type = type_
        self.body = body

    @property
    def fields(self) -> dict[str, Any]:
        """Return the members as they will be in the log, without seq and checksum."""
        fields = loads(b"{%b}" % self.body)
        assert isinstance(fields, dict)
        return fields


def prepare(event: dict[str, Any], now: str) -> Prepared:
    """Redact and serialize one event. now: ISO time, used if the event has no `ts`."""
    return prepare_all((event,), now)[0]


def prepare_all(
    events: Sequence[dict[str, Any] | Prepared],
    now: str,
    encode: Callable[[Any], bytes] = dumps,
    redact: Callable[[Any], Any] = redact_value,
) -> list[Prepared]:
    """Redact and serialize events, all texts in one scan; prepared ones stay as they are.

    encode, redact: faster functions for many events (see journal.redaction.batch).
    """
    return [
        event
        if event.__class__ is Prepared
        else Prepared(event["type"], body_of({"ts": now, **event}, encode))
        for event in redact(events)
    ]


# -- repeated facts -------------------------------------------------------------------------------

# Hooks append these events themselves: they may stand between a call and its repeat.
_OWN = (
    b'"type":"advice.given"',
    b'"type":"context.injected"',
    b'"type":"checkpoint.saved"',
    b'"type":"compact.gathered"',
    b'"type":"files.changed"',
    b'"type":"flow.trimmed"',
    b'"type":"segment.opened"',
    b'"type":"pressure.sampled"',
)
_STATUS_LINE = b'"source":"statusline"'  # not a hook's own event: Claude Code sent the reading


def key_for(tail: bytes, key: str, sid: str, now: str) -> str:
    """Return the key to append under, or "" if the log's last bytes show that this is a repeat.

    now: ISO time of the append. A key ending in `.` gets the time added, which sets it apart.
    """
    start_of_key = b'"key":"' + key.encode()
    if not key.endswith("."):
        return "" if start_of_key + b'"' in tail else key
    at = tail.rfind(start_of_key)
    if at >= 0:
        start = tail.rfind(b"\n", 0, at) + 1
        end = tail.find(b"\n", at)
        end = len(tail) if end < 0 else end
        if _close(tail[start:end], now) and not _follows(tail[end + 1 :], sid):
            return ""
    return with_time(key, now)


def with_time(key: str, now: str) -> str:
    """Add the time to the key of a fact that may happen again; return others as they are."""
    if not key.endswith("."):
        return key
    at = millis(now)
    return key + (now if at is None else iso(at).translate({ord(c): None for c in "-:.TZ"}))


def last_bytes(directory: str) -> bytes:
    """Return the last 64 KiB of a journal's active segment, b"" where there is none; no lock."""
    try:
        return read_tail(os.path.join(directory, ACTIVE), WINDOW)
    except OSError:
        return b""


def _close(line: bytes, now: str) -> bool:
    at = line.find(b'"ts":"')
    earlier = millis(line[at + 6 : line.find(b'"', at + 6)].decode("ascii", "replace"))
    current = millis(now)
    return earlier is not None and current is not None and abs(current - earlier) <= SPAN_MS


def _follows(rest: bytes, sid: str) -> bool:
    """Return whether an event of the session's main thread follows."""
    of_session = b'"sid":"' + sid.encode() + b'"'
    return any(
        of_session in line
        and line.startswith(HEAD)
        and b'"agent":"' not in line
        and (_STATUS_LINE in line or not any(marker in line[:128] for marker in _OWN))
        for line in rest.split(b"\n")
    )
