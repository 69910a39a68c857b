"""Reads one transcript after another and gives what they tell in chunks.

Invariant: it writes nothing; how far a file was read is told in its last chunk, after its facts.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

from journal.clock import iso
from journal.history.importer.offsets import Places
from journal.history.importer.seen import FileState, Known, mark_of
from journal.history.importer.transcript.events import Teller
from journal.history.importer.transcript.lines import Lines, open_transcript, salvaged
from journal.history.importer.transcript.pack import Fact, packed
from journal.history.importer.transcript.records import line_from, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from journal.history.importer.find import Transcript

__all__ = ["Chunk", "Reading", "Told", "covers"]

_EVENTS = 1_000  # of one file, before they go on
_HEADS = (16 * 1024, 256 * 1024)


class Told(msgspec.Struct, array_like=True):
    """What reading a file came to.

    state: how far; lines, size: read; long: lines passed over for their length; repeated: facts
    known before; bad: lines that were no record (offset, records saved out of them); torn: it ends
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
    """Facts in their order; at: byte reached; syncs: project → `append.sync`; end: file is done."""

    facts: list[Fact]
    at: int = 0
    syncs: dict[str, str] = {}
    end: Told | None = None


class Reading:
    """Reads transcripts. found: all there are; states: path → how far each was read before."""

    def __init__(
        self,
        env: Mapping[str, str],
        home: str,
        known: Known,
        found: list[Transcript],
        states: dict[str, FileState],
        since: str,
    ) -> None:
        self._made_with = (env, home, found, states, since)
        self.known = known
        self.states = states
        self.since = since
        self.places = Places(env, home, self._directory)
        self._paths = {item.sid: item.path for item in found if item.sid and not item.agent}

    def afresh(self) -> Reading:
        """Give one that knows of no facts, and so tells all of them."""
        env, home, found, states, since = self._made_with
        return Reading(env, home, Known(), found, states, since)

    def file(self, item: Transcript) -> Iterator[Chunk]:
        """Read one file, as far as it was not read before."""
        told = Told()
        try:
            with open_transcript(item.path) as file:
                yield from self._told(item, file, told)
        except OSError as error:
            yield Chunk([], end=Told(error=error.strerror or str(error)))

    def _told(self, item: Transcript, file: Any, told: Told) -> Iterator[Chunk]:
        old = self.states.get(item.path)
        start = old.offset if old is not None and self._goes_on(item, old, file) else 0
        teller = self._teller(item, file)
        teller.titles = dict(old.titles) if old is not None and start else {}
        lines = Lines(file, start)
        tell = teller.tell
        for offset, data, ended in lines:
            line = line_of(data)
            if line is None:
                self._odd(teller, told, offset, data, ended=ended)
            else:
                tell(line, offset)
            if len(teller.events) >= _EVENTS:
                yield Chunk(packed(teller.settled()), offset, self.places.syncs())
        again = teller.end()
        facts = packed(teller.events) + packed(teller.held, held=True)
        told.lines, told.long, told.repeated = lines.seen, lines.long, teller.repeated
        told.size = max(0, lines.offset - start)
        # What is not finished at the end is read again when the file has grown.
        kept = lines.offset if again is None else min(again, lines.offset)
        told.state = FileState(
            item.size,
            item.mtime,
            item.inode,
            kept,
            mark_of(file.fileno(), kept),
            self._since_of(old, start),
            teller.titles,
        )
        yield Chunk(facts, lines.offset, self.places.syncs(), told)

    def _goes_on(self, item: Transcript, old: FileState, file: Any) -> bool:
        """Whether the file is the one that was read, with more at its end."""
        return (
            old.inode == item.inode
            and old.offset <= item.size
            and covers(old, self.since)
            and old.mark == mark_of(file.fileno(), old.offset)
        )

    def _teller(self, item: Transcript, file: Any) -> Teller:
        path = _main_of(item)
        cwd = _head_cwd(file) if path == item.path else _cwd_in(path)
        if item.sid:
            self.places.of(item.sid, cwd)
        return Teller(
            self.places,
            self.known,
            item.sid,
            item.agent,
            cwd=cwd,
            path=item.path,
            ts=iso(item.mtime // 1_000_000),
            since=self.since,
        )

    def _directory(self, sid: str) -> str:
        """Directory a session began in, by its own transcript; "" where there is none."""
        path = self._paths.get(sid)
        return _cwd_in(path) if path else ""

    def _since_of(self, old: FileState | None, start: int) -> str:
        """Bound that holds for the whole of the file, this run and those before together."""
        if not start or old is None:
            return self.since
        return max(self.since, old.since) if self.since or old.since else ""

    def _odd(self, teller: Teller, told: Told, offset: int, data: bytes, *, ended: bool) -> None:
        records = salvaged(data) if data.strip(b"\0 \t\r\n") else []
        for value in records:
            teller.tell(line_from(value), offset)
        if ended:
            told.bad.append((offset, len(records)))
        else:
            told.torn = True


def covers(state: FileState, since: str) -> bool:
    """Whether what was read then reaches back as far as is asked for now."""
    return not state.since or (bool(since) and state.since <= since)


def _main_of(item: Transcript) -> str:
    """Transcript of the session a subagent's belongs to."""
    if not item.agent or not item.sid:
        return item.path
    folder = os.path.dirname(os.path.dirname(item.path))
    return folder + ".jsonl"


def _cwd_in(path: str) -> str:
    try:
        with open_transcript(path) as file:
            return _head_cwd(file)
    except OSError:
        return ""


def _head_cwd(file: Any) -> str:
    """First directory a transcript names, "" where its beginning names none."""
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
