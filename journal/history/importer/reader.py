"""Read one transcript after another into chunks of facts.

Invariant: it writes nothing; how far a file was read stands in its last chunk, after its facts.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from journal.clock import iso
from journal.files import open_readable
from journal.history.importer.builder import Builder
from journal.history.importer.destinations import Destinations
from journal.history.importer.facts import Fact, facts_of
from journal.history.importer.lines import Lines, salvaged
from journal.history.importer.parser import Parser
from journal.history.importer.records import line_from, line_of
from journal.history.importer.state import FileState, RecordedKeys, fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from journal.history.importer.find import Transcript

__all__ = ["Chunk", "FileResult", "TranscriptReader"]

_EVENTS = 1_000  # of one file, before they go on
_HEADS = (16 * 1024, 256 * 1024)  # bytes in which a first directory is looked for


class FileResult(msgspec.Struct, array_like=True):
    """What reading a file came to.

    state: how far; lines, size: read; long: lines skipped for their length; repeated: facts
    recorded before; bad: lines that were no record (offset, records found inside); torn: it ends
    in the middle of a line; error: why it could not be read.
    """

    state: FileState | None = None
    lines: int = 0
    size: int = 0
    long: int = 0
    repeated: int = 0
    bad: list[tuple[int, int]] = []
    torn: bool = False
    error: str = ""


class Chunk(msgspec.Struct, array_like=True):
    """Facts in their order. at: byte reached; syncs: project → `append.sync`; result: the end."""

    facts: list[Fact]
    at: int = 0
    syncs: dict[str, str] = {}
    result: FileResult | None = None


class TranscriptReader:
    """Reads transcripts. found: all there are; states: path → how far each was read before."""

    def __init__(
        self,
        env: Mapping[str, str],
        home: str,
        recorded: RecordedKeys,
        found: list[Transcript],
        states: dict[str, FileState],
        since: str,
    ) -> None:
        self._recorded = recorded
        self._states = states
        self._since = since
        self._destinations = Destinations(env, home, self._first_cwd)
        self._paths = {item.sid: item.path for item in found if item.sid and not item.agent}

    def read(self, item: Transcript) -> Iterator[Chunk]:
        """Read one file from where it was read to; an error is part of the result."""
        try:
            with _opened(item.path) as file:
                yield from self._read(item, file)
        except OSError as error:
            yield Chunk([], result=FileResult(error=error.strerror or str(error)))

    def _read(self, item: Transcript, file: Any) -> Iterator[Chunk]:
        old = self._states.get(item.path)
        if old is not None and not self._is_continued(item, old, file):
            old = None
        start = old.offset if old is not None else 0
        parser = self._parser(item, file)
        parser.titles = dict(old.titles) if old is not None else {}
        result, lines, builder = FileResult(), Lines(file, start), parser.builder
        for offset, data, has_end in lines:
            line = line_of(data)
            if line is not None:
                parser.parse(line, offset)
            else:
                _parse_odd(parser, result, offset, data, has_end=has_end)
            if len(builder.events) >= _EVENTS:
                facts = facts_of(parser.replies.settled())
                yield Chunk(facts, offset, self._destinations.syncs())
        again = parser.finish()
        facts = facts_of(builder.events) + facts_of(parser.replies.held, held=True)
        result.lines, result.long, result.repeated = lines.seen, lines.long, builder.repeated
        result.size = max(0, lines.offset - start)
        # What is not finished at the end is read again when the file has grown.
        offset = lines.offset if again is None else min(again, lines.offset)
        result.state = FileState(
            item.size,
            item.mtime,
            item.inode,
            offset,
            fingerprint(file.fileno(), offset),
            # The bound of the whole file: this run and those before it together.
            max(self._since, old.since) if old is not None and start else self._since,
            parser.titles,
        )
        yield Chunk(facts, lines.offset, self._destinations.syncs(), result)

    def _is_continued(self, item: Transcript, old: FileState, file: Any) -> bool:
        """Return whether the file is the one that was read, with more at its end."""
        return (
            old.inode == item.inode
            and 0 < old.offset <= item.size
            and old.reaches(self._since)
            and old.fingerprint == fingerprint(file.fileno(), old.offset)
        )

    def _parser(self, item: Transcript, file: Any) -> Parser:
        path = _session_path(item)
        cwd = _cwd_in(file) if path == item.path else _cwd_of(path)
        if item.sid:
            self._destinations.of(item.sid, cwd)
        return Parser(
            Builder(
                self._destinations,
                self._recorded,
                item.sid,
                item.agent,
                cwd=cwd,
                path=item.path,
                ts=iso(item.mtime // 1_000_000),
                since=self._since,
            )
        )

    def _first_cwd(self, sid: str) -> str:
        """Return the directory a session began in, by its own transcript; "" without one."""
        path = self._paths.get(sid)
        return _cwd_of(path) if path else ""


def _parse_odd(
    parser: Parser, result: FileResult, offset: int, data: bytes, *, has_end: bool
) -> None:
    """Parse the records inside a line that is not one."""
    records = salvaged(data) if data.strip(b"\0 \t\r\n") else []
    for value in records:
        parser.parse(line_from(value), offset)
    if has_end:
        result.bad.append((offset, len(records)))
    else:
        result.torn = True


def _opened(path: str) -> Any:
    return os.fdopen(open_readable(path), "rb", buffering=256 * 1024)


def _session_path(item: Transcript) -> str:
    """Return the transcript of the session a subagent's belongs to."""
    if not item.agent or not item.sid:
        return item.path
    return os.path.dirname(os.path.dirname(item.path)) + ".jsonl"


def _cwd_of(path: str) -> str:
    try:
        with _opened(path) as file:
            return _cwd_in(file)
    except OSError:
        return ""


def _cwd_in(file: Any) -> str:
    """Return the first directory a transcript names, "" where its beginning names none."""
    for size in _HEADS:
        head = os.pread(file.fileno(), size, 0)
        for data in head.split(b"\n", 200)[:200]:
            if b'"cwd"' in data:
                line = line_of(data)
                if line is not None and line.cwd:
                    return line.cwd
        if len(head) < size:
            break
    return ""
