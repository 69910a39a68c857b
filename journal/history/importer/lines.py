"""Read the lines of a transcript: streamed, bounded, and salvaged where a line is not one record.

Invariant: memory does not depend on the size of the file; complete records inside a line that is
not one record are still found.
"""

import os
from collections.abc import Iterator
from typing import Any

from journal.files import open_readable

LONGEST = 16 * 1024 * 1024
"""Maximum bytes of a line; a longer one is skipped and counted."""

# Every line that holds a fact has one of these, however its JSON is spaced: inside a text, quotes
# are escaped.
_NEEDLES = (b'"assistant"', b'"user"', b'"compact_boundary"', b'-title"', b'"summary"')
_STARTS = (
    '{"parentUuid"',
    '{"logicalParentUuid"',
    '{"type"',
    '{"isSidechain"',
    '{"uuid"',
    '{"sessionId"',
    '{"message"',
    '{"timestamp"',
)
_KINDS = ("user", "assistant", "system")
_ATTEMPTS = 64


def open_transcript(path: str) -> Any:
    """Open a transcript for reading. Raise OSError if that fails."""
    return os.fdopen(open_readable(path), "rb", buffering=256 * 1024)


class Lines:
    """Iterator over (offset, line, whether it ends in a newline), from `start` on.

    It yields only lines that can hold a fact. offset: where the last complete line ended; seen:
    number of lines so far; long: how many were longer than LONGEST.
    """

    def __init__(self, file: Any, start: int = 0) -> None:
        self.file = file
        self.offset = start
        self.seen = 0
        self.long = 0
        file.seek(start)

    def __iter__(self) -> Iterator[tuple[int, bytes, bool]]:
        read = self.file.readline
        first, second, third, fourth, fifth = _NEEDLES
        while line := read(LONGEST):
            at = self.offset
            self.seen += 1
            if line[-1:] != b"\n":
                if len(line) < LONGEST:
                    yield at, line, False
                    return
                line = b""
                if not self._skip(read):
                    return
                continue
            self.offset = at + len(line)
            if (
                first in line
                or second in line
                or third in line
                or fourth in line
                or fifth in line
                or b"\0" in line
            ):
                yield at, line, True

    def _skip(self, read: Any) -> bool:
        """Skip the rest of a line that is too long; return whether it ended."""
        self.long += 1
        while part := read(1024 * 1024):
            if part[-1:] == b"\n":
                self.offset = self.file.tell()
                return True
        return False


def salvaged(line: bytes) -> list[dict[str, Any]]:
    """Return the complete records in a line that is spliced, joined, or has NULs in it."""
    import json

    scan = json.JSONDecoder(strict=False).raw_decode
    found: list[dict[str, Any]] = []
    for part in line.split(b"\0"):
        text = part.decode("utf-8", "replace")
        at, attempts = 0, _ATTEMPTS
        while attempts and (at := _next_start(text, at)) >= 0:
            attempts -= 1
            try:
                value, end = scan(text, at)
            except (ValueError, RecursionError):
                at += 1
                continue
            if _is_record(value):
                found.append(value)
                at = end
            else:
                at += 1
    return found


def _next_start(text: str, after: int) -> int:
    return min((at for start in _STARTS if (at := text.find(start, after)) >= 0), default=-1)


def _is_record(value: Any) -> bool:
    """Return whether this is a line of a transcript and not a part of a line."""
    return (
        isinstance(value, dict)
        and value.get("type") in _KINDS
        and isinstance(value.get("timestamp"), str)
    )
