"""Read the records of a transcript as a bounded stream, and salvage those in damaged lines.

Invariant: memory does not depend on the size of the file; complete records inside a line that is
not one record are still found.
"""

import gc
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any

from journal.files import open_readable
from journal.history.importer.records import (
    BLOCKED,
    COMMAND_ERROR,
    REWOUND,
    STEERING,
    TranscriptLine,
    line_from,
    line_of,
    whole_lines,
)

LONGEST = 16 * 1024 * 1024
"""Maximum bytes of a line; a longer one is skipped and counted."""

# Every line that holds a fact has one of these, however its JSON is spaced: inside a text, quotes
# are escaped.
_NEEDLES = (
    b'"assistant"',
    b'"user"',
    b'"compact_boundary"',
    b'-title"',
    b'"summary"',
    b'"turn_duration"',
    b'"stop_hook_summary"',
    BLOCKED,
    f"<{COMMAND_ERROR}>".encode(),
    REWOUND,
    f'"{STEERING}"'.encode(),
)
# Members as Claude Code writes them.
_RESULT, _ASSISTANT = b'"type":"tool_result"', b'"type":"assistant"'
_START = re.compile(
    r'\{"(?:parentUuid|logicalParentUuid|type|isSidechain|uuid|sessionId|message|timestamp)"'
)
_KINDS = ("user", "assistant", "system")
_ATTEMPTS = 64


def open_transcript(path: str) -> Any:
    """Open a transcript for reading. Raise OSError if that fails."""
    return os.fdopen(open_readable(path), "rb", buffering=256 * 1024)


@contextmanager
def without_collector() -> Iterator[None]:
    """Turn the cycle collector off: nothing here makes cycles, and there are many objects."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class TranscriptLines:
    """Iterator over (offset of a line, its records), from `start` on.

    A line has one record, unless it is damaged. Lines that cannot hold a fact are left out.
    has_results: whether to yield the lines with tool results, which are most of a file's bytes.

    offset: where the last complete line ended; seen: number of lines so far; long: how many were
    longer than LONGEST; bad: complete lines that were not a record (offset, records found inside);
    is_torn: whether the file ends in the middle of a record.
    """

    def __init__(self, file: Any, start: int = 0, *, has_results: bool = True) -> None:
        self.file = file
        self.offset = start
        self.seen = 0
        self.long = 0
        self.bad: list[tuple[int, int]] = []
        self.is_torn = False
        self._has_results = has_results
        file.seek(start)

    def __iter__(self) -> Iterator[tuple[int, list[TranscriptLine]]]:
        for at, data, is_whole in self._lines():
            line = line_of(data)
            if line is not None:
                yield at, [line]
                continue
            records = _salvaged(data)
            if is_whole:
                self.bad.append((at, len(records)))
            else:
                self.is_torn = True
            yield at, records

    def _lines(self) -> Iterator[tuple[int, bytes, bool]]:
        """Yield (offset, line, whether it ends in a newline)."""
        read = self.file.readline
        first, second, *others = _NEEDLES
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
            if not self._has_results and _RESULT in line and _ASSISTANT not in line:
                continue
            if (
                first in line
                or second in line
                or any(needle in line for needle in others)
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


def lines_of(file: Any, start: int = 0) -> Iterator[tuple[int, list[TranscriptLine]]]:
    """Yield the lines of the rest of a file, many together: (offset, lines).

    They are the lines of `TranscriptLines`, decoded together where that gives the same result. If
    only its position identifies a reply, its line comes alone.
    """
    end = file.seek(0, os.SEEK_END)
    file.seek(start)
    # For a longer block than the file, new memory would be mapped for each file.
    while block := file.read(max(1, min(LONGEST, end - start))):
        at, rest = start, file.readline(LONGEST)
        start += len(block) + len(rest)
        if len(rest) + len(block) - block.rfind(b"\n") - 1 > LONGEST:  # a line to skip
            yield from TranscriptLines(file, at)
            return
        block += rest
        lines = whole_lines(block)
        if lines is not None:
            yield at, lines
            continue
        found = list(TranscriptLines(BytesIO(block)))
        lines = [line for _, records in found for line in records]
        if all(line.uuid or line.type != "assistant" for line in lines):
            yield at, lines
        else:
            yield from ((at + offset, records) for offset, records in found)


def _salvaged(line: bytes) -> list[TranscriptLine]:
    """Return the complete records in a line that is spliced, joined, or has NULs in it."""
    import json

    scan = json.JSONDecoder(strict=False).raw_decode
    found: list[TranscriptLine] = []
    for part in line.split(b"\0"):
        text = part.decode("utf-8", "replace")
        at = 0
        for _ in range(_ATTEMPTS):
            if (match := _START.search(text, at)) is None:
                break
            at = match.start() + 1
            with suppress(ValueError, RecursionError):
                value, end = scan(text, match.start())
                if _is_record(value):
                    found.append(line_from(value))
                    at = end
    return found


def _is_record(value: Any) -> bool:
    """Return whether this is a line of a transcript and not a part of a line."""
    return (
        isinstance(value, dict)
        and value.get("type") in _KINDS
        and isinstance(value.get("timestamp"), str)
    )
