"""Read the replies in transcripts that no import has read, for the report of usage.

Nothing is written. Invariant: they are those that an import would add, from the import's own
parser, and of the copies of a reply the same one counts.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Self

from journal.events.hook_input import clip, safe_id
from journal.history.conversations.transcript import read_title
from journal.history.importer import COMPACTION as SUMMARIZER
from journal.history.importer.builder import builder_of
from journal.history.importer.collector import without_collector
from journal.history.importer.lines import LONGEST, lines_of, open_transcript
from journal.history.importer.owners import ProjectFinder, originals_first
from journal.history.importer.records import TranscriptLine
from journal.history.importer.state import RecordedKeys, has_grown, key_of, load_state
from journal.history.logs import is_imported
from journal.history.usage.compactions import (
    COMPACTION,
    REPLY,
    REQUEST,
    caused,
    stored_events,
)
from journal.history.usage.parser import Thread, UsageParser
from journal.redaction.batch import redact_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from journal.history.importer.find import Transcript
    from journal.history.importer.owners import Destination
    from journal.history.importer.replies import Reply
    from journal.history.scope import ProjectScope
    from journal.history.tables.database import History
    from journal.history.usage.compactions import Caused, Event

_STORED = """
select key, output_tokens, project, imported, seq from _usage
where type = 'usage.recorded' and key in (select unnest(?::varchar[]))
"""


class Unread:
    """The transcripts of the project, or of every project, that no import has read.

    items: the transcripts, originals before copies, as an import reads them; sessions: the number
    of sessions that are not imported at all; is_first: whether no import has run; is_whole:
    whether all items were read. grown: (project, imported, seq) of each reply that a log has with
    fewer tokens than its transcript has now.
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
        self.grown: list[tuple[str, bool, int]] = []
        self._stored: dict[tuple[str, str], list[Event]] = {}
        self._recorded = RecordedKeys()
        self._replies: dict[tuple[str, str], Reply] = {}
        self._held: list[Reply] = []
        self._used: set[tuple[str, str]] = set()
        self._threads: dict[tuple[str, str], Thread] = {}
        self._without_files: list[tuple[Transcript, set[str]]] = []

    def read(self, seconds: float, progress: Callable[[], None] = lambda: None) -> Self:
        """Read the transcripts, for so long; return this object. progress: called for each."""
        end = time.monotonic() + seconds
        with without_collector():
            for item in self.items:
                if time.monotonic() > end:
                    self.is_whole = False
                    break
                progress()
                with suppress(OSError):
                    self._read(item)
            compacted = {sid for (_, sid), thread in self._threads.items() if thread.compactions}
            for item, sids in self._without_files:
                if not sids.isdisjoint(compacted):
                    with suppress(OSError):
                        self._read(item, with_files=True)
        self._take(self._held)
        return self

    def settle(self, history: History) -> None:
        """Leave out what the logs of a history have, and take from them what was before."""
        history.make(["_billed"])
        names = {key_of("usage", *name): name for name in self._replies}
        stored = history.engine.run(_STORED, [list(names)]).all()
        for key, output, *_ in stored:
            if key in names and output >= self._replies[names[key]].figures[1]:
                del self._replies[names.pop(key)]
        self.grown = [row[2:] for row in stored if row[0] in names]
        sids = list({reply.sid for reply in self._replies.values()})
        grown = {(name, -seq if imported else seq) for name, imported, seq in self.grown}
        for project, sid, events in stored_events(history.engine, sids):
            self._stored[project, sid] = [
                event for event in events if (project, event[2]) not in grown
            ]
            thread = self._threads.get((project, sid))
            if thread is not None and thread.compactions:
                known = {event[3] for event in events if event[1] == COMPACTION}
                thread.compactions = [item for item in thread.compactions if item[3] not in known]

    @cached_property
    def replies(self) -> list[Reply]:
        """Return the replies, each once."""
        return list(self._replies.values())

    def titles(self, sids: Iterable[str]) -> dict[str, str]:
        """Return session → title of those sessions whose transcripts tell it."""
        paths = {item.sid: item.path for item in reversed(self.items) if not item.agent}
        found = {}
        for sid in paths.keys() & sids:
            with suppress(OSError):
                found[sid] = read_title(paths[sid], sid)
        return found

    @cached_property
    def clean(self) -> Callable[[str], str]:
        """Return what redacts names of branches and models."""
        names = {safe_id(reply.model) for reply in self.replies}
        names |= {clip(reply.branch, 120) for reply in self.replies}
        secret = redact_texts(list(names))
        return lambda name: secret.get(name, name)

    def caused(self) -> dict[Any, Caused]:
        """Return what compactions caused: reply → its share."""
        events = {name: [*stored] for name, stored in self._stored.items()}
        for name, thread in self._threads.items():
            events[name] = [*self._stored.get(name, ()), *thread.compactions, *thread.uses]
        compacted = {
            name for name, own in events.items() if any(event[1] == COMPACTION for event in own)
        }
        for reply in self.replies:
            name = reply.destination.name, reply.sid
            is_request = reply.agent.startswith(SUMMARIZER)
            if is_request or (not reply.agent and name in compacted):
                kind = REQUEST if is_request else REPLY
                event = reply.ts, kind, reply, "", *reply.figures[:5]
                events.setdefault(name, []).append(event)
        for own in events.values():
            own.sort(key=itemgetter(0, 1))
        return dict(chain.from_iterable(map(caused, events.values())))

    def _read(self, item: Transcript, *, with_files: bool = False) -> None:
        if error := self._owners.error_of(item):
            raise error
        old = self._states.get(item.path)
        with open_transcript(item.path) as file:
            start = old.offset if old is not None and has_grown(old, file.fileno()) else 0
            builder = builder_of(self._owners, item, self._recorded, start)
            parser = UsageParser(builder, self._thread_of, self._used)
            parser.with_files = with_files or start > 0 or item.size > LONGEST
            if start:
                self._thread_of(self._owners.of(item), item.sid).is_continued = True
            lacks_files = False
            for offset, lines in lines_of(file, start):
                if not parser.with_files:
                    parser.with_files = len(lines) == 1 or any(map(_is_of_compaction, lines))
                    lacks_files = lacks_files or not parser.with_files
                parser.parse_all(lines, offset)
        parser.replies.close_all()
        self._take(parser.replies.found)
        self._held += parser.replies.held
        if lacks_files:
            sids = {reply.sid for reply in parser.replies.found}
            self._without_files.append((item, sids))

    def _take(self, replies: list[Reply]) -> None:
        """Take replies; of the copies of one, the first with the most output counts."""
        for reply in replies:
            if not reply.destination.is_captured:
                continue
            name = reply.name, reply.request
            known = self._replies.get(name)
            if known is None or known.figures[1] < reply.figures[1]:
                self._replies[name] = reply

    def _thread_of(self, destination: Destination, sid: str) -> Thread:
        name = destination.name, sid
        thread = self._threads.get(name)
        if thread is None:
            thread = self._threads[name] = Thread()
        return thread


def _is_of_compaction(line: TranscriptLine) -> bool:
    return line.isCompactSummary is True or line.subtype == "compact_boundary"
