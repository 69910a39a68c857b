"""Read one transcript after another into chunks of facts.

A fact is an event, redacted, as the bytes of the log without seq and checksum. Invariant: it writes
nothing. The last chunk of a file says how far it was read, after its facts.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

import msgspec

from journal.codec import dumps
from journal.history.archive.files import ArchivedPart, conversation, ends_of
from journal.history.archive.shorten import Shortened
from journal.history.importer.builder import builder_of
from journal.history.importer.find import Transcript
from journal.history.importer.lines import TranscriptLines, open_transcript
from journal.history.importer.owners import Destination, ProjectFinder
from journal.history.importer.parser import Parser
from journal.history.importer.records import TranscriptLine
from journal.history.importer.state import (
    FileState,
    RecordedKeys,
    fingerprint,
    has_grown,
    source_key,
)
from journal.log.record import prepare_all
from journal.redaction.batch import redact_events

_EVENTS = 1_000  # events of one file in a chunk
_encode = msgspec.json.Encoder().encode


class Fact(msgspec.Struct, array_like=True, gc=False):
    """An event that may become a record of `project`.

    body: as in `journal.log.record.Prepared`, empty if the project captures nothing. key: 16
    hex digits; a fact without a key goes with the fact before it. output: tokens of a reply, -1 for
    any other type.
    """

    project: str
    type: str
    key: str
    output: int
    body: bytes


def facts_of(events: list[tuple[Destination, dict[str, Any]]]) -> list[Fact]:
    """Build facts from events; drop emptied events."""
    chosen = [item for item in events if item[1]]
    captured = [event for destination, event in chosen if destination.is_captured]
    prepared = iter(prepare_all(captured, "", _encoded, redact_events))
    return [
        Fact(
            destination.name,
            event["type"],
            event.get("key", ""),
            event["output_tokens"] if event["type"] == "usage.recorded" else -1,
            next(prepared).body if destination.is_captured else b"",
        )
        for destination, event in chosen
    ]


def _encoded(fields: dict[str, Any]) -> bytes:
    try:
        return _encode(fields)
    except (ValueError, msgspec.EncodeError):  # half a surrogate
        return dumps(fields)


class FileResult(msgspec.Struct, array_like=True):
    """Result of reading a file.

    state: how far it was read; lines, size: read; long: lines skipped for their length; repeated:
    facts recorded before; bad: lines that were not a record (offset, records found inside); torn:
    whether the file ends in the middle of a line; error: why it could not be read.
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
    """Facts in order, and their part of the conversation if conversations are stored.

    at: byte reached; result: set in the last chunk of a file.
    """

    facts: list[Fact]
    at: int = 0
    result: FileResult | None = None
    part: ArchivedPart | None = None


class TranscriptReader(msgspec.Struct, eq=False):
    """Reader of transcripts.

    owners: finds their projects; states: path → how far it was read before; limit: maximum bytes of
    stored conversations per project; is_over: called after each line with the bytes read. If it
    returns True, reading ends there and the next run continues.
    """

    owners: ProjectFinder
    recorded: RecordedKeys
    states: dict[str, FileState]
    since: str
    limit: int
    is_over: Callable[[int], bool]

    def read(self, item: Transcript) -> Iterator[Chunk]:
        """Read the rest of a file; an error is part of the result."""
        try:
            if error := self.owners.error_of(item):
                raise error  # else its events would stay in the journal of no project for good
            with open_transcript(item.path) as file:
                yield from self._read(item, file)
        except OSError as error:
            yield Chunk([], result=FileResult(error=error.strerror or str(error)))

    def _read(self, item: Transcript, file: Any) -> Iterator[Chunk]:
        old = self.states.get(item.path, FileState())
        if not (old.offset and old.reaches(self.since) and has_grown(old, file.fileno())):
            old = FileState()  # reading cannot continue where an earlier import stopped
        stored = _Conversation(item, self.owners, old, self.limit)
        start = min(old.offset, stored.start) if stored.is_behind else old.offset
        builder = builder_of(self.owners, item, self.recorded, start, self.since)
        parser = Parser(builder, self.owners.began(item))
        parser.titles = dict(old.titles)
        parser.thread.read_before(file, start)
        lines = TranscriptLines(file, start)
        is_cut = False
        for offset, records in lines:
            for line in records:
                parser.parse(line, offset)
                stored.add(line, offset)
            if len(builder.events) >= _EVENTS:
                facts = facts_of(parser.settled())
                part = stored.part(lines.offset)
                yield Chunk(facts, offset, part=part)
            if is_cut := self.is_over(lines.offset - start):
                break
        unfinished = parser.finish()
        has_begun = start > 0 or parser.has_begun()
        if not has_begun:
            # Titles alone: nobody knows yet whose session that is, or whether there will be one.
            builder.events.clear()
            unfinished = 0
        state = _state_after(item, lines, start, unfinished, is_cut=is_cut)
        # The bound of the whole file: this run and those before it together.
        state.since = max(self.since, old.since) if start else self.since
        state.titles = parser.titles
        if has_begun:
            stored.describe(state, lines.offset)
        facts = facts_of(builder.events)
        result = FileResult(
            state,
            lines.seen,
            max(0, lines.offset - start),
            lines.long,
            builder.repeated,
            lines.bad,
            lines.is_torn,
        )
        part = stored.part(lines.offset) if has_begun else None
        yield Chunk(facts, lines.offset, result, part)


def read_files(
    reader: TranscriptReader, items: list[Transcript]
) -> Generator[tuple[Transcript, Iterable[Chunk], bool]]:
    """Yield each file with its chunks, and whether its facts were compared with those before.

    A worker compares only with the facts that it has read itself; the caller compares the rest. If
    a worker dies, this process reads the files that are missing.
    """
    import msgspec.msgpack  # a hook's process has msgspec without it

    from journal.history.importer.workers import from_workers, worker_count

    to_bytes = msgspec.msgpack.Encoder().encode
    chunks_of = msgspec.msgpack.Decoder(list[list[Chunk]]).decode
    done, count = 0, worker_count(items)
    for data in from_workers(
        lambda task: to_bytes([list(reader.read(item)) for item in task]), items, count
    ):
        for chunks in chunks_of(data):
            yield items[done], chunks, False
            done += 1
    for item in items[done:]:
        yield item, reader.read(item), True


def _state_after(
    item: Transcript, lines: TranscriptLines, start: int, unfinished: int | None, *, is_cut: bool
) -> FileState:
    """Return how far a run has read a file. unfinished: offset to read again from, None for none.

    What is not finished at the end is read again when the file has grown. A run that was cut short
    has to come further than the one before, whatever is unfinished.
    """
    offset = lines.offset if unfinished is None else min(unfinished, lines.offset)
    if is_cut and offset <= start:
        offset = lines.offset
    size = -1 if is_cut else item.size  # never its size, so the next run continues
    mark = fingerprint(lines.file.fileno(), offset)
    return FileState(size, item.mtime, item.inode, offset, mark)


class _Conversation:
    """The part of a transcript's conversation that is not stored yet.

    The stored file decides what that is: a line that it has is not stored again, whatever the state
    of imports knows. So what `journal redact` replaced in it does not return from the transcript.
    old: how far the transcript was read, an empty state if it is read from its beginning. end: how
    far it is stored.
    """

    def __init__(self, item: Transcript, owners: ProjectFinder, old: FileState, limit: int) -> None:
        self.destination = destination = owners.of(item)
        wanted = destination.is_captured and destination.full and destination.prompts
        self.is_stored = bool(limit and wanted and item.sid and not item.agent)
        self._sid = item.sid
        self._source = source_key(item.path, item.inode)
        directory = owners.directory_of(destination)
        ends = ends_of(directory, item.sid) if item.sid else {}
        self.end = ends.get(self._source, 0)
        is_short = self.end < old.part
        self.start = 0 if is_short else old.stored
        # A lower limit ended storage, nothing was stored at all, or some of it is gone.
        self.is_behind = self.is_stored and (
            is_short or limit > old.limit >= 0 or old.stored == 0 < old.offset
        )
        self._names: set[str] = set()
        if ends and self.is_stored and (not old.offset or self.end != old.part):
            self._names = {line.uuid for line in conversation(directory, item.sid) if line.uuid}
        self._part = self.end if self.is_stored or not old.offset else old.part
        self._is_after = False
        self._lines = Shortened()

    def add(self, line: TranscriptLine, offset: int) -> None:
        """Add the line that begins at `offset`."""
        if self.is_stored and offset >= self.start and self._is_missing(line, offset):
            self._lines.add(line)

    def describe(self, state: FileState, offset: int) -> None:
        """Set the members about the conversation in the state of a file read up to `offset`."""
        state.project = self.destination.name
        state.stored = offset if self.is_stored else 0
        state.part = self._part

    def _is_missing(self, line: TranscriptLine, offset: int) -> bool:
        """Return whether the stored file lacks a line; without a name, its position decides."""
        if not self._names or line.isSidechain is True or line.agentId:
            return True
        if not line.uuid:
            return self._is_after or 0 < self.end <= offset
        self._is_after = self._is_after or line.uuid not in self._names
        return line.uuid not in self._names

    def part(self, end: int) -> ArchivedPart | None:
        """Return the lines up to `end` that were added since the last part; None without lines."""
        data = self._lines.taken()
        return (
            ArchivedPart(self.destination.name, self._sid, self._source, end, data)
            if data
            else None
        )
