"""Read the end of a transcript: the last usage of the context.

The cost depends on how far from the end the line is, never on the size of the file: lines are read
from the end, at most `CAP` bytes of them. A substring only selects the lines worth parsing; a
line's own top-level fields decide what it is. No file content can make a function here raise.
"""

from __future__ import annotations

import os

from journal.codec import loads
from journal.files import lines_back, open_readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

BLOCK = 64 * 1024
CAP = 4 * 1024 * 1024
LIMIT = 100_000_000
"""A hundred times the largest window: a larger figure is invalid."""

# Inside a JSON string the quotes would be escaped, so these match keys and whole values only.
ASSISTANT = (b'"type":"assistant"', b'"type": "assistant"')
_READINGS = (b'"usage"', b'"compact_boundary"')


class Usage:
    """One reading of the context's size. Observed with Claude Code 2.1.330.

    tokens: input + cache_creation + cache_read + output, or the boundary's postTokens.
    source: "transcript" (an assistant line), "boundary" (no reply since a compaction; then only
        tokens and the time are set), or "client" and "hook" (Claude Code's own number; only tokens
        are set). output: tokens of the reply alone.
    model: as the API names it; requested_model: as the user chose it (may end in `[1m]`).
    ts: the line's own timestamp, "" if it has none.
    """

    def __init__(self, source: str, tokens: int, ts: str) -> None:
        self.source = source
        self.tokens = tokens
        self.ts = ts
        self.output = 0
        self.model = self.requested_model = ""


def last_usage(path: str, cap: int = CAP) -> Usage | None:
    """Return the newest usage of the main thread, or that of a compaction after it.

    None is unknown: no file, no usage within `cap` bytes of the end, or a boundary without a size
    (then the usage before it is out of date).
    """
    lines = lines_with(path, _READINGS, cap)
    try:
        for line in lines:
            if b'"compact_boundary"' not in line and not any(part in line for part in ASSISTANT):
                continue
            record = record_of(line)
            if record is None:
                continue
            if record.get("type") == "system" and record.get("subtype") == "compact_boundary":
                return _boundary(record)
            usage = _usage(record)
            if usage is not None:
                return usage
        return None
    finally:
        lines.close()


def record_of(line: bytes) -> dict[str, object] | None:
    """Parse a main-thread line; None for anything else. NULs around it are padding from a crash."""
    try:
        value = loads(line.strip(b"\0 \t\r").decode("utf-8", "replace"))
    except ValueError:
        return None
    if not isinstance(value, dict) or value.get("isSidechain") not in (None, False):
        return None
    return value


def _boundary(record: dict[str, object]) -> Usage | None:
    detail = record.get("compactMetadata")
    if not isinstance(detail, dict):
        return None
    tokens = count(detail.get("postTokens"))
    if tokens is None:
        return None
    return Usage("boundary", tokens, _string(record.get("timestamp")))


def _usage(record: dict[str, object]) -> Usage | None:
    message = record.get("message")
    if record.get("type") != "assistant" or record.get("isApiErrorMessage") is True:
        return None
    if not isinstance(message, dict) or message.get("model") == "<synthetic>":
        return None
    parts = usage_parts(message.get("usage"))
    if parts is None:
        return None
    usage = Usage("transcript", sum(parts), _string(record.get("timestamp")))
    usage.output = parts[3]
    usage.model = _string(message.get("model"))
    usage.requested_model = _string(record.get("requestedModel"))
    return usage


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


# -- counts ----------------------------------------------------------------------------------------


def count(value: object) -> int | None:
    """Return the whole number `value` if it lies in 0..LIMIT; True, 3.5 and "3" are not numbers."""
    if type(value) is int and 0 <= value <= LIMIT:
        return value
    return None


def amount(value: object, most: int) -> float | None:
    """Return a number if it lies in 0..most; True and "3" are not numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
        return None
    return float(value)


def usage_parts(value: object) -> tuple[int, int, int, int] | None:
    """Return (input, cache creation, cache read, output) of a usage object; None if unknown.

    The input is required; a provider without a cache may leave out the others. All zeros mean
    unknown: Claude Code writes them when it does not know the usage.
    """
    if not isinstance(value, dict):
        return None
    parts = (
        count(value.get("input_tokens")),
        _optional(value, "cache_creation_input_tokens"),
        _optional(value, "cache_read_input_tokens"),
        _optional(value, "output_tokens"),
    )
    found = [part for part in parts if part is not None]
    if len(found) != len(parts) or not 0 < sum(found) <= LIMIT:
        return None
    return found[0], found[1], found[2], found[3]


def _optional(value: dict[str, object], key: str) -> int | None:
    found = value.get(key)
    return 0 if found is None else count(found)


# -- lines from the end of a file ------------------------------------------------------------------


def lines_with(
    path: str, needles: tuple[bytes, ...], cap: int = CAP
) -> Generator[bytes, None, None]:
    """Yield each whole line of the last `cap` bytes that contains one of `needles`, newest first.

    A last line without its newline is yielded as well: the parser determines whether it is whole.
    Missing, unreadable and non-regular files (a FIFO does not block) yield nothing.
    """
    try:
        fd = open_readable(path, follow=True)
    except OSError:
        return
    try:
        yield from _backwards(fd, needles, cap)
    except OSError:
        return
    finally:
        os.close(fd)


def _backwards(fd: int, needles: tuple[bytes, ...], cap: int) -> Generator[bytes, None, None]:
    at = os.fstat(fd).st_size
    floor = max(0, at - cap)
    size = BLOCK
    rest = b""  # the end of the line whose beginning has not been read yet
    while at > floor:
        want = min(size, at - floor)
        at -= want
        size *= 2  # so that a line of n bytes is copied O(n) bytes in all
        block = os.pread(fd, want, at)
        if len(block) != want:  # the file was truncated while we read: the data is unreliable
            return
        first = 0 if at == 0 else block.find(b"\n") + 1
        if at and not first:
            rest = block + rest
            continue
        data = block + rest
        yield from lines_back(data, needles, first)
        rest = data[: max(0, first - 1)]
