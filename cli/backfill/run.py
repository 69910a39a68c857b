"""`journal import`: read what is new in the transcripts, keep what is new of it.

Invariant: what is remembered as read has been appended; an import that is cut short is taken up
again by the next one without a fact lost or doubled.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cli.backfill.find import Transcript, cleanup_days, expiring, find, source_of
from cli.backfill.known import FileState, Known, State, load_state, mark_of, save_state
from cli.backfill.lines import Lines, open_transcript, salvaged
from cli.backfill.places import Places
from cli.backfill.progress import Bar
from cli.backfill.shape import line_from, line_of
from cli.backfill.sink import Sink
from cli.backfill.teller import Reply, Teller
from cli.error import CliError, UsageError
from cli.scope import moment_of
from journal.clock import iso
from journal.home import ensure_directory
from journal.log.append import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.scope import Scope

__all__ = ["Import", "importing"]

_EVENTS = 1_000  # of one file, before they go on to the sink
_HEAD = 256 * 1024
_HELD = 4_096


class Import:
    """One run.

    found: all transcripts; changed: those that were read. lines, size: read; bad: lines that were
    no record (path, offset, records saved out of them); torn: files that end in the middle of a
    line; long: lines passed over for their length; unreadable: path → why.
    """

    def __init__(self, scope: Scope, source: str, *, since: str = "", dry: bool = False) -> None:
        self.scope = scope
        self.source = source
        self.since = since
        self.dry = dry
        self.known = Known()
        self.places = Places(scope.env, scope.home)
        self.sink = Sink(scope.iso, dry=dry)
        self.found: list[Transcript] = []
        self.changed: list[Transcript] = []
        self.lines = self.size = self.torn = self.long = self.repeated = 0
        self.bad: list[tuple[str, int, int]] = []
        self.unreadable: dict[str, str] = {}
        self._held: list[Reply] = []
        self._state = State()

    def run(self) -> Import:
        """Read, append, remember; give itself."""
        self.found = find(self.source)
        if self.dry:
            self._state = load_state(self.scope.home)
            self._read()
            return self
        ensure_directory(self.scope.home)
        with _alone(self.scope.home):
            self._state = load_state(self.scope.home)
            self._read()
        return self

    @property
    def expiring(self) -> list[Transcript]:
        """Transcripts the client will delete within a week."""
        return expiring(self.found, self.scope.now, cleanup_days(self.scope.env))

    def _read(self) -> None:
        self.changed = [item for item in self.found if not self._unchanged(item)]
        if not self.changed:
            return
        self.known.load(self.scope.home)
        bar = Bar(sum(item.size for item in self.changed), self.scope.columns, self.scope.env)
        try:
            done = 0
            for item in self.changed:
                self._file(item, bar, done)
                done += item.size
                bar.at(done)
            self._release(0)
            self.sink.settle()
        finally:
            bar.done()
        if not self.dry:
            save_state(self.scope.home, self._state)

    def _unchanged(self, item: Transcript) -> bool:
        if self.since and iso(item.mtime // 1_000_000) < self.since:
            return True  # nothing in it can be younger than its last change
        state = self._state.files.get(item.path)
        return (
            state is not None
            and (state.size, state.mtime, state.inode) == (item.size, item.mtime, item.inode)
            and self._covers(state)
        )

    def _covers(self, state: FileState) -> bool:
        """Whether what was read then reaches back as far as is asked for now."""
        return not state.since or (bool(self.since) and state.since <= self.since)

    def _file(self, item: Transcript, bar: Bar, done: int) -> None:
        try:
            with open_transcript(item.path) as file:
                self._told(item, file, bar, done)
        except OSError as error:
            self.unreadable[item.path] = error.strerror or str(error)

    def _told(self, item: Transcript, file: Any, bar: Bar, done: int) -> None:
        old = self._state.files.get(item.path)
        start, titles = 0, {}
        if old is not None and self._goes_on(item, old, file):
            start, titles = old.offset, old.titles
        teller = self._teller(item, file)
        teller.titles = dict(titles)
        lines = Lines(file, start)
        for offset, data, ended in lines:
            line = line_of(data)
            if line is None:
                self._odd(item, teller, offset, data, ended=ended)
            else:
                teller.tell(line, offset)
            if len(teller.events) >= _EVENTS:
                self.sink.take(teller.settled())
                bar.at(done + offset)
        again = teller.end()
        self.sink.take(teller.events)
        self._held += teller.held
        self._release(_HELD)
        self.sink.flush()
        self.lines += lines.seen
        self.long += lines.long
        self.size += max(0, lines.offset - start)
        self.repeated += teller.repeated
        # What is not finished at the end is read again when the file has grown.
        kept = lines.offset if again is None else min(again, lines.offset)
        self._state.files[item.path] = FileState(
            item.size, item.mtime, item.inode, kept, mark_of(file.fileno(), kept),
            self._since_of(old, start), teller.titles,
        )  # fmt: skip

    def _goes_on(self, item: Transcript, old: FileState, file: Any) -> bool:
        """Whether the file is the one that was read, with more at its end."""
        return (
            old.inode == item.inode
            and old.offset <= item.size
            and self._covers(old)
            and old.mark == mark_of(file.fileno(), old.offset)
        )

    def _teller(self, item: Transcript, file: Any) -> Teller:
        path = _main_of(item)
        cwd = _head_cwd(file) if path == item.path else _cwd_in(path)
        if item.sid:
            self.places.of(item.sid, cwd)
        return Teller(
            self.places, self.known, item.sid, item.agent, cwd=cwd, path=item.path,
            ts=iso(item.mtime // 1_000_000), since=self.since,
        )  # fmt: skip

    def _since_of(self, old: FileState | None, start: int) -> str:
        """Bound that holds for the whole of the file, this run and those before together."""
        if not start or old is None:
            return self.since
        return max(self.since, old.since) if self.since or old.since else ""

    def _odd(self, item: Transcript, teller: Teller, offset: int, data: bytes, *,
             ended: bool) -> None:  # fmt: skip
        records = salvaged(data) if data.strip(b"\0 \t\r\n") else []
        for value in records:
            teller.tell(line_from(value), offset)
        if ended:
            self.bad.append((item.path, offset, len(records)))
        else:
            self.torn += 1

    def _release(self, most: int) -> None:
        """Record replies that are whole nowhere else, once enough of them wait."""
        if len(self._held) <= most:
            return
        for reply in self._held:
            number, tokens = int(reply.key, 16), reply.event["output_tokens"]
            known = self.known.usage.get(number)
            if (known is None or known < tokens) and reply.event["ts"] >= self.since:
                self.known.usage[number] = tokens
                self.sink.take([(reply.place, reply.event)])
        self._held.clear()


def importing(scope: Scope, path: str, since: str, *, dry: bool) -> Import:
    """Run an import as typed. UsageError for a bound that is no time."""
    bound = ""
    if since:
        moment = moment_of(since, scope.now)
        if not isinstance(moment, str):
            raise UsageError(f"--since {since}: a time is needed", "2026-11-21, 30d or 12w")
        bound = moment
    source = source_of(path, scope.env, scope.cwd)
    return Import(scope, source, since=bound, dry=dry).run()


@contextmanager
def _alone(home: str) -> Iterator[None]:
    """Hold the lock that two imports into one home cannot both have."""
    descriptor = open_regular(os.path.join(home, "import.lock"), os.O_RDWR | os.O_CREAT)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CliError(home, "another import is under way", "wait for it to end") from error
        yield
    finally:
        os.close(descriptor)


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
    for data in os.pread(file.fileno(), _HEAD, 0).split(b"\n")[:200]:
        if b'"cwd"' in data:
            line = line_of(data)
            if line is not None and line.cwd:
                return line.cwd
    return ""
