"""What reports need from each session of a log (readings, warnings, prompts, stages), stored.

A log is read once; later calls read only the records appended since. Invariant: the result is the
same as reading from the first record (`checkpoint.position_holds` decides whether the stored part
is still valid); the fold leaves out repeated events.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from journal.checkpoint import Checkpoint, Position, load
from journal.clock import millis
from journal.errors import JournalOffError
from journal.history.replay.run import SAVE_AFTER, replay_all
from journal.history.replay.stored import StoredFolds
from journal.log.read import Reader
from journal.log.rewrite_watch import RewriteWatch
from journal.transcript.threshold import compaction_threshold
from projections import stage
from projections.fold import Fold
from projections.projection import Projection
from projections.session_events import is_prompt

_VERSION = 2  # raise it when the same event yields a different entry
_CODE = f"entries {_VERSION} stage:{stage.PROJECTION.version}"
_FILE = "entries"


class TimelineEntry(NamedTuple):
    """One event of a session. at: ms. kind: reading, auto, manual, compound, prompt or told.

    tokens, point: of a reading or a compaction, 0 if unknown. detail: the compaction threshold by
    the formula ("" for a compaction that does not show it), or the level of a warning. seq: of its
    record. imported: whether a compaction's record is in the imported log. In the stored form, a
    reading derived from a reply's usage has the kind `reply`.
    """

    at: int
    kind: str
    tokens: int = 0
    point: int = 0
    detail: str = ""
    seq: int = 0
    imported: bool = False


class SessionEntries(msgspec.Struct):
    """One session in one log. model: from hooks; replied: the latest from hooks or replies."""

    model: str = ""
    replied: str = ""
    entries: list[TimelineEntry] = []


class LogEntries(msgspec.Struct):
    """The entries of one log: its sessions by first entry, and every finished stage.

    cycles: the state of the stages; keys: see Fold.
    """

    trails: dict[str, SessionEntries] = {}
    spans: list[stage.Span] = []
    cycles: stage.Stage = stage.Stage()
    keys: dict[str, int] = {}


class EntriesPass:
    """A pass over a log that adds to its stored entries.

    position: the end of what was stored, where the pass begins; None for the first record. found:
    the entries so far.
    """

    def __init__(self, log: str) -> None:
        self._path = os.path.join(StoredFolds(log).directory, _FILE)
        self._watch = RewriteWatch(log)
        self.position, self.found = _stored(self._path, log)
        start = self.position.seq if self.position else 0
        self._fold = Fold([_projection(self.found)], None, self.found.keys, start)

    def add(self, batch: list[tuple[int, bytes]]) -> None:
        """Add the entries of further records."""
        self._fold.feed(batch)

    def save(self, reader: Reader) -> None:
        """Store the entries if much of them is new. reader: at the end of the pass."""
        reached = reader.position()
        if reader.bytes_read >= SAVE_AFTER and reached is not None and reached.checksum >= 0:
            self.found.keys = self._fold.recent_keys()
            try:
                checkpoint = Checkpoint(reached, _CODE, msgspec.json.encode(self.found))
                self._watch.save(self._path, checkpoint)
            except (OSError, JournalOffError):
                pass  # the next call reads these records again


def entries_of(log: str) -> LogEntries:
    """Read a log's entries, from the stored part on; store the result if much of it is new."""
    made = EntriesPass(log)
    if made.position is None and not StoredFolds(log).seqs():
        # Reports need the sessions too: one pass over the log serves both.
        reader = replay_all(log, ["sessions"], each=made.add).reader
    else:
        reader = Reader(log, 0, made.position, whole=True)
        for batch in reader.batches():
            made.add(batch)
    made.save(reader)
    return made.found


def _stored(path: str, log: str) -> tuple[Position | None, LogEntries]:
    checkpoint = load(path, log, _CODE, whole=True)
    try:
        if checkpoint is not None:
            return checkpoint.position, msgspec.json.decode(checkpoint.payload, type=LogEntries)
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    return None, LogEntries()


def _projection(found: LogEntries) -> Projection:
    """Return a projection whose handlers change `found` in place: copying per event is too slow."""

    def handler(kind: str) -> Callable[[None, Any], None]:
        take = _TAKEN.get(kind)
        follow = stage.PROJECTION.handlers.get(kind)

        def handle(_state: None, event: Any) -> None:
            if take is not None and event.sid and not event.agent:
                trail = found.trails.get(event.sid)
                if trail is None:
                    trail = found.trails[event.sid] = SessionEntries()
                if (entry := take(trail, event)) is not None:
                    trail.entries.append(entry)
            if follow is not None:
                found.cycles = follow(found.cycles, event)
                if kind == "stage.finished":
                    cycle = found.cycles.sessions.get(event.sid)
                    if cycle is not None and cycle.spans and cycle.spans[-1].finished == event.ts:
                        found.spans.append(cycle.spans[-1])

        return handle

    kinds = {**_TAKEN, **stage.PROJECTION.handlers}
    return Projection("entries", _VERSION, None, {kind: handler(kind) for kind in kinds})


def _started(trail: SessionEntries, event: Any) -> None:
    trail.model = event.model or trail.model
    trail.replied = event.model or trail.replied


def _sampled(trail: SessionEntries, event: Any) -> TimelineEntry:
    _started(trail, event)
    return _entry("reading", event, event.tokens, event.point, str(event.point))


def reply_entry(at: int, model: str, tokens: int, seq: int) -> TimelineEntry:
    """Return the entry for a reply. tokens: all that it read and wrote."""
    if model not in _points:
        _points[model] = compaction_threshold(model, {}, {}, None).tokens or 0
    point = _points[model]
    return TimelineEntry(at, "reply", tokens, point, str(point), seq)


def _replied(trail: SessionEntries, event: Any) -> TimelineEntry:
    """Return a reply's usage as an entry; it serves as a reading if no hook took one."""
    trail.replied = event.model or trail.replied
    return reply_entry(millis(event.ts) or 0, event.model, event.context, event.seq)


def _prompted(_trail: SessionEntries, event: Any) -> TimelineEntry | None:
    return _entry("prompt", event) if is_prompt(event) else None


def _compound(_trail: SessionEntries, event: Any) -> TimelineEntry:
    return _entry("compound", event)


def _warned(_trail: SessionEntries, event: Any) -> TimelineEntry | None:
    if event.what != "pressure":
        return None
    return _entry("told", event, event.tokens, event.point, event.level)


def _entry(
    kind: str, event: Any, tokens: int = 0, point: int = 0, detail: str = ""
) -> TimelineEntry:
    return TimelineEntry(millis(event.ts) or 0, kind, tokens, point, detail, event.seq)


_points: dict[str, int] = {}  # model → compaction threshold by the formula
_TAKEN: dict[str, Callable[[SessionEntries, Any], TimelineEntry | None]] = {
    "session.started": _started,
    "pressure.sampled": _sampled,
    "usage.recorded": _replied,
    "prompt.submitted": _prompted,
    "compound.ran": _compound,
    "advice.given": _warned,
}
