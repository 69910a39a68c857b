"""Read the replies in transcripts that no import has read, for the report of usage.

Nothing is written. Invariant: an import would add the same replies, because its own parser reads
them, and count the same copy of a reply.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

import msgspec

from journal.events.hook_input import Call
from journal.events.hook_input.tool import ABOUT, about_of
from journal.history.importer import SUMMARIZER
from journal.history.importer.builder import builder_of
from journal.history.importer.lines import LONGEST, lines_of, open_transcript
from journal.history.importer.owners import Destination, ProjectFinder, originals_first
from journal.history.importer.records import TranscriptLine
from journal.history.importer.state import RecordedKeys, has_grown, key_of, load_state
from journal.history.importer.workers import from_workers, worker_count
from journal.history.logs import is_imported
from journal.history.usage.compactions import (
    COMPACTION,
    FILE,
    REPLY,
    REQUEST,
    Caused,
    Event,
    caused,
    stored_events,
)
from journal.history.usage.parser import FileUsage, FileUse, UsageParser

if TYPE_CHECKING:
    from journal.history.importer.find import Transcript
    from journal.history.importer.reply_parser import Reply
    from journal.history.scope import ProjectScope
    from journal.history.tables.database import History

_WORTH = 256 * 1024 * 1024  # bytes from which processes save more time than they cost
_STORED = """
select key, output_tokens, project, imported, seq from _usage
where type = 'usage.recorded' and key in (select unnest(?::varchar[]))
"""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[FileUsage | None]).decode


class Unread:
    """The transcripts of the project, or of every project, that no import has read.

    items: the transcripts, originals before copies, as an import reads them; sessions: the number
    of sessions that are not imported at all; is_first: whether no import has run; is_whole:
    whether all items were read; unreadable: the number of those that could not be read. grown:
    (project, imported, seq) of each reply that a log has with fewer tokens than its transcript has
    now.
    """

    def __init__(self, scope: ProjectScope, *, every: bool = False) -> None:
        home, project = scope.home, None if every else scope.project
        state = load_state(home)
        self._states = states = state.files
        found = [item for item in scope.transcripts if item.size]
        self._owners = owners = ProjectFinder(scope.env, home, found)
        new = [item for item in found if not state.is_read(item)]
        self.items = originals_first(owners, owners.owned(new, project, states))
        self.sessions = sum(not (item.agent or item.path in states) for item in self.items)
        whole = bool(state.whole) if project is None else is_imported(home, project.name)
        self.is_first = self.sessions > 0 and not whole
        self.is_whole = True
        self.unreadable = 0
        self.grown: list[tuple[str, bool, int]] = []
        self._stored: dict[tuple[str, str], list[Event]] = {}
        self._replies: dict[tuple[str, str], Reply] = {}
        self._destinations: dict[str, Destination] = {}
        self._threads: dict[tuple[str, str], list[Event]] = {}
        self._known: set[tuple[str, ...]] = set()  # uses of files and compactions
        self._targets: dict[tuple[str, str, str], str] = {}
        copies = Counter(item.sid for item in found if not item.agent)
        self._shared = {sid for sid, count in copies.items() if count > 1}

    def read(self, seconds: float, progress: Callable[[], None] = lambda: None) -> Self:
        """Read the transcripts, for so long; return this object. progress: called for each."""
        end = time.monotonic() + seconds
        without_uses: list[tuple[Transcript, FileUsage]] = []
        with closing(self._files()) as files:
            for item in self.items:
                if time.monotonic() > end:
                    self.is_whole = False
                    break
                progress()
                found = next(files)
                if found is None:
                    self.unreadable += 1
                    self.sessions -= not (item.agent or item.path in self._states)
                    continue
                self._add(found)
                if found.lacks_uses:
                    without_uses.append((item, found))
            compacted = {
                sid for (_, sid), events in self._threads.items() if any(map(_is_end, events))
            }
            for item, read in without_uses:
                if not compacted.isdisjoint(read.directories):
                    found = self._read(item, with_files=True)
                    self._add_uses(found.uses if found is not None else ())
        return self

    def settle(self, history: History) -> None:
        """Drop the replies that a history's logs have, and read earlier events of the sessions."""
        history.make(["_billed"])
        names = {key_of("usage", *name): name for name in self._replies}
        stored = history.engine.run(_STORED, [list(names)]).all()
        for key, output, *_ in stored:
            if key in names and output >= self._replies[names[key]].figures.out:
                del self._replies[names.pop(key)]
        self.grown = [row[2:] for row in stored if row[0] in names]
        sids = list({reply.sid for reply in self._replies.values()})
        grown = {(name, -seq if imported else seq) for name, imported, seq in self.grown}
        for project, sid, events in stored_events(history.engine, sids):
            self._stored[project, sid] = [
                event for event in events if (project, event[2]) not in grown
            ]
            if thread := self._threads.get((project, sid)):
                known = {event[3] for event in events if _is_end(event)}
                thread[:] = [item for item in thread if not (_is_end(item) and item[3] in known)]

    @cached_property
    def replies(self) -> list[Reply]:
        """Return the replies, each once."""
        return list(self._replies.values())

    def project_of(self, reply: Reply) -> str:
        """Return the name of a reply's project."""
        return self._destinations[reply.sid].name

    def titles(self, sids: Iterable[str]) -> dict[str, str]:
        """Return session → title of those sessions whose transcripts have one."""
        from journal.history.conversations.transcript import read_title  # loads much

        paths = {item.sid: item.path for item in reversed(self.items) if not item.agent}
        found = {}
        for sid in paths.keys() & sids:
            with suppress(OSError):
                found[sid] = read_title(paths[sid], sid)
        return found

    def caused(self) -> dict[Any, Caused]:
        """Return what compactions caused: reply → its share."""
        events = {name: [*stored] for name, stored in self._stored.items()}
        for name, thread in self._threads.items():
            events[name] = [*self._stored.get(name, ()), *thread]
        first = {
            name: min(times)
            for name, own in events.items()
            if (times := [event[0] for event in own if _is_end(event)])
        }
        for reply in self.replies:
            name = self.project_of(reply), reply.sid
            is_request = reply.agent.startswith(SUMMARIZER)
            if is_request or (not reply.agent and reply.ts >= first.get(name, "~")):
                kind = REQUEST if is_request else REPLY
                event = reply.ts, kind, reply, "", *reply.figures[:5]
                events.setdefault(name, []).append(event)
        for own in events.values():
            own.sort(key=itemgetter(0, 1))
        return dict(chain.from_iterable(map(caused, events.values())))

    def _files(self) -> Generator[FileUsage | None]:
        """Yield what each transcript yields, in order; None for one that cannot be read."""
        done = 0
        count = worker_count(self.items, _WORTH)
        work = from_workers(lambda task: _encode(list(map(self._read, task))), self.items, count)
        with closing(work):
            for data in work:
                for found in _decode(data):
                    yield found
                    done += 1
        yield from map(self._read, self.items[done:])

    def _read(self, item: Transcript, *, with_files: bool = False) -> FileUsage | None:
        """Return the usage in a transcript, None if it cannot be read."""
        old = self._states.get(item.path)
        if self._owners.error_of(item):
            return None
        with suppress(OSError), open_transcript(item.path) as file:
            start = old.offset if old is not None and has_grown(old, file.fileno()) else 0
            builder = builder_of(self._owners, item, RecordedKeys(), start)
            parser = UsageParser(builder, is_whole=not start and item.sid not in self._shared)
            parser.with_files = with_files or start > 0 or item.size > LONGEST
            for offset, lines in lines_of(file, start):
                if not parser.with_files:
                    parser.with_files = len(lines) == 1 or any(map(_is_of_compaction, lines))
                    parser.found.lacks_uses |= not (parser.with_files or item.agent)
                for line in lines:
                    parser.parse(line, offset)
            return parser.finish()
        return None

    def _add(self, found: FileUsage) -> None:
        """Add what one transcript yields."""
        for sid, directory in found.directories.items():
            if sid not in self._destinations:
                self._destinations[sid] = self._owners.of_session(sid, directory)
        for end in found.compactions:
            if (end.key,) not in self._known:
                self._known.add((end.key,))
                if end.counts:
                    self._thread(end.sid).append((end.ts, COMPACTION, None, end.key))
        self._add_uses(found.uses)
        self._take(found.replies)

    def _add_uses(self, uses: Iterable[FileUse]) -> None:
        for use in uses:
            key = use.call, use.given
            if key in self._known:
                continue
            self._known.add(key)
            root = self._destinations[use.sid].root
            name = root, use.tool, use.path
            target = self._targets.get(name)
            if target is None:
                data = {"tool_input": {ABOUT[use.tool][0]: use.path}}
                about = about_of(Call(data, "", root, {}), use.tool)
                target = self._targets[name] = about.get("target", "")
            if target:
                self._thread(use.sid).append((use.ts, FILE, None, target, use.size))

    def _take(self, replies: list[Reply]) -> None:
        """Take replies; of the copies of one, the first with the most output counts."""
        for reply in replies:
            if not self._destinations[reply.sid].is_captured:
                continue
            name = reply.name, reply.request
            known = self._replies.get(name)
            if known is None or known.figures.out < reply.figures.out:
                self._replies[name] = reply

    def _thread(self, sid: str) -> list[Event]:
        """Return what happened in the main thread of a session, but for its replies."""
        return self._threads.setdefault((self._destinations[sid].name, sid), [])


def _is_of_compaction(line: TranscriptLine) -> bool:
    return line.isCompactSummary is True or line.subtype == "compact_boundary"


def _is_end(event: Event) -> bool:
    """Return whether an event is the end of a compaction."""
    return bool(event[1] == COMPACTION)
