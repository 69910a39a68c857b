"""The facts of each session that its log has, and its transcript does not have yet.

They are stored as a checkpoint. Invariant: an id stays until the transcript has it, so a fact that
the transcript gets late is not appended again. Without the file, all is read again.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from journal.checkpoint import Checkpoint, Position, load
from journal.clock import elapsed_ms
from journal.events.base import Unknown
from journal.events.registry import decode
from journal.history.replay.facts import sid_of, ts_of
from journal.home import cache_of
from journal.log.read import Reader
from journal.log.record import is_tombstone, type_of, unframe
from journal.log.rewrite_watch import RewriteWatch
from journal.transcript.location import is_transcript_path
from projections.compactions import attempted, finished, restarted
from projections.session import Compaction, Session

FILE = "reconciled"
VIA = "reconciled"
"""Member `via` of an event that was appended from a transcript."""

_CODE = "6"
_STEP = 4 * 1024 * 1024  # bytes of log read between two checkpoints
_SESSIONS = 64  # most recently active ones that are remembered
_IDS = 4_000  # of a session; a turn has fewer, and all of a session may have more
_COMPACTIONS = 200  # of a session that are remembered
BEFORE = 600_000  # ms between the start of a compaction and what shows that it happened, at most
_COUNTED: dict[str, Callable[..., list[Compaction]]] = {
    "compact.started": attempted,
    "session.started": restarted,
    "compact.finished": finished,
}
RESTORED = frozenset(
    "prompt.submitted prompts.withdrawn tool.finished tool.failed compact.started "
    "compact.finished".split()
)
"""The types of events that are restored from a transcript if the log lacks them."""

_TYPES = RESTORED | {"session.started", "session.ended"}


def id_of(kind: str, event: dict[str, Any]) -> str:
    """Return the id that an event and its line in the transcript share."""
    if kind == "prompts.withdrawn":
        return f"w{event.get('key', '')}"
    return f"p{event.get('prompt', '')}" if kind[0] == "p" else f"t{event.get('use', '')}"


def size_of(kind: str, event: dict[str, Any]) -> str:
    """Return a prompt's size, by which it is found if its id differs; "" for other events.

    For a prompt typed during a turn, Claude Code calls the hook with the id of that turn.
    """
    return f"q{event.get('size', 0)}" if kind == "prompt.submitted" else ""


class SessionLog(msgspec.Struct):
    """One session.

    runs: [from, to] of each time it ran with hooks, "" for its beginning and for an open end. None
    if its first record is not a start: it began before the journal was installed, and belongs to
    the import. path: of its transcript, read up to offset; inode, fingerprint: of that file. ids:
    of tool calls ("t…"), prompts ("p…" and, by size, "q…") and withdrawals ("w…") that the
    transcript does not have yet. compacted: the last compactions, as `projections.sessions` counts
    them; compared: seqs of those that the transcript has.
    """

    runs: list[list[str]] = []
    path: str = ""
    offset: int = 0
    inode: int = 0
    fingerprint: str = ""
    ids: list[str] = []
    compacted: list[Compaction] = []
    compared: list[int] = []

    @property
    def is_over(self) -> bool:
        """Return whether the session has ended."""
        return bool(self.runs) and bool(self.runs[-1][1])

    def ran(self, ts: str) -> bool:
        """Return whether hooks recorded the session at that time."""
        return any(begun <= ts and (not over or ts <= over) for begun, over in self.runs)

    def add(self, kind: str, line: bytes, *, is_first: bool) -> None:
        """Add a record of the main thread."""
        ts = ts_of(line)
        event = unframe(line)
        if kind.startswith("compact.") or event.get("source") == "compact":
            self._compact(kind, decode(line, kind))
        elif kind == "session.started":
            self._start(event, ts, is_first=is_first)
        elif kind == "session.ended":
            if self.runs and not self.runs[-1][1]:
                self.runs[-1][1] = ts
        else:
            names = (id_of(kind, event), size_of(kind, event))
            self.ids = [*self.ids, *filter(None, names)]
            if len(self.ids) > _IDS:
                self._forget_before(ts)

    def _forget_before(self, ts: str) -> None:
        """Compare nothing older than a time any more: there are too many IDs to remember.

        The newest half stays, since a transcript's times differ from those of the log.
        """
        self.ids = self.ids[-_IDS // 2 :]
        runs = [[max(begun, ts), over] for begun, over in self.runs if not over or over > ts]
        self.runs = runs or ([[ts, ts]] if self.runs else [])

    def _compact(self, kind: str, event: Any) -> None:
        """Add the beginning or a proof of a compaction."""
        if getattr(event, "part", 1) == 1 and not isinstance(event, Unknown):
            if kind != "compact.started":  # attempts long before it came to nothing
                found = [(elapsed_ms(item.at, event.ts), item) for item in self.compacted]
                self.compacted = [item for ms, item in found if item.done or ms <= BEFORE]
            self.compacted = _COUNTED[kind](self.compacted, event, Session())[-_COMPACTIONS:]

    def _start(self, event: dict[str, Any], ts: str, *, is_first: bool) -> None:
        if not (is_first or self.runs):
            return
        if self.runs and not self.runs[-1][1]:
            self.runs[-1][1] = ts  # it was killed
        is_new = is_first and event.get("source") in ("startup", "clear")
        self.runs.append(["" if is_new else ts, ""])
        path = str(event.get("transcript") or "")
        if is_transcript_path(path, str(event.get("sid"))):
            self.path = path


class LoggedSessions:
    """A journal's sessions, up to `position`."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.path = os.path.join(cache_of(directory), FILE)
        self._watch = RewriteWatch(directory)
        self.sessions: dict[str, SessionLog] = {}
        self.position: Position | None = None
        self._seq = 0
        found = load(self.path, directory, _CODE, whole=False)
        if found is not None:
            try:
                self.sessions = msgspec.json.decode(found.payload, type=dict[str, SessionLog])
                self.position, self._seq = found.position, found.position.seq
            except msgspec.DecodeError:
                self.sessions = {}

    def restart(self) -> None:
        """Drop everything, and read the log from its beginning."""
        self.sessions, self.position, self._seq = {}, None, 0
        self.read_on()

    def read_on(self) -> None:
        """Read the records appended since the last read; if they are many, store on the way."""
        reader, stored = Reader(self.directory, self._seq, self.position), 0
        for batch in reader.batches():
            for seq, line in batch:
                self._seq = seq
                self._add(line)
            if reader.bytes_read - stored >= _STEP:
                self.position, stored = reader.position() or self.position, reader.bytes_read
                self.store()
        self.position = reader.position() or self.position

    def store(self) -> None:
        """Write the checkpoint; if that fails, the next run compares everything again."""
        if self.position is not None and self.position.seq == self._seq:
            payload = msgspec.json.encode(self.sessions)
            self._watch.save(self.path, Checkpoint(self.position, _CODE, payload))

    def forget(self, sid: str, ids: Iterable[str], sizes: Iterable[str]) -> None:
        """Drop ids that the transcript has, and of each size as many prompts as it has."""
        named = set(ids)
        session = self.sessions[sid]
        left = [name for name in session.ids if name not in named]
        for size in sizes:
            if size in left:
                left.remove(size)
        session.ids = left

    def _add(self, line: bytes) -> None:
        sid = sid_of(line)
        if not sid or b'"agent":"' in line[:512]:
            return
        old = self.sessions.pop(sid, None)
        session = self.sessions[sid] = old if old is not None else SessionLog()
        if is_tombstone(line):
            session.runs = []  # its texts are gone, so it cannot be compared
        elif (kind := type_of(line)) in _TYPES:
            session.add(kind, line, is_first=old is None)
        while len(self.sessions) > _SESSIONS:
            del self.sessions[next(iter(self.sessions))]
