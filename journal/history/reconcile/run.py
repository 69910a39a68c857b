"""Compare a project's log with the transcripts of its sessions, and append what is missing.

This runs in the background after a turn and at a session start. Invariant: a fact is appended under
the lock, after the whole log up to there was compared. The next run repeats a killed one.
"""

from collections import Counter
from typing import Any

from journal.clock import millis
from journal.history.current import store_views
from journal.history.importer.owners import Destination
from journal.history.reconcile.logged import BEFORE, LoggedSessions, SessionLog, id_of, size_of
from journal.history.reconcile.transcript import TranscriptReplacedError, Turns, finished_turns
from journal.history.scope import ProjectScope
from journal.log.append import PATIENCE, Writer
from projections.session import Compaction

_SKEW = 1_000  # ms by which a compaction may begin later in the log than in the transcript
_NEAR = 30_000  # ms between what proves a compaction in the log and its line in the transcript


def reconcile(scope: ProjectScope) -> list[int]:
    """Append the events of the sessions' transcripts that the log lacks; return the seqs.

    With `capture.level` off the content of the transcripts is skipped.

    Raises:
        Busy: another process held the lock for too long.
        JournalOffError: the journal cannot be written.

    """
    destination = Destination(scope.project.name, scope.project.root, scope.settings)
    if not scope.exists():
        return []
    logged = LoggedSessions(scope.directory)
    logged.read_on()
    turns = _read(logged, destination)
    if turns is None:
        logged.restart()
        turns = _read(logged, destination) or {}
    seqs: list[int] = []
    if destination.is_captured and any(
        _missing(logged.sessions[sid], found)[0] for sid, found in turns.items()
    ):
        seqs = _append(logged, turns, scope)
    for sid, found in turns.items():
        if sid in logged.sessions:
            _advance(logged, sid, found)
    if turns:
        logged.store()
    return seqs


def _read(logged: LoggedSessions, destination: Destination) -> dict[str, Turns] | None:
    """Return the new turns of each session; None if a transcript was replaced by another file.

    In that case the caller starts `logged` again, because the whole new file counts.
    """
    turns: dict[str, Turns] = {}
    for sid, session in logged.sessions.items():
        if session.path and session.runs:
            try:
                found = finished_turns(session, sid, destination)
            except TranscriptReplacedError:
                return None
            except OSError:  # none yet, or deleted
                continue
            if found is not None:
                turns[sid] = found
    return turns


def _append(logged: LoggedSessions, turns: dict[str, Turns], scope: ProjectScope) -> list[int]:
    """Append the events that are missing under the lock, then store the views of the hooks."""
    sync = scope.settings["append.sync"]
    with Writer(scope.directory, scope.iso, sync=sync, deadline=PATIENCE) as writer:
        logged.read_on()  # including the events that the writer took from the spool
        events = [
            event
            for sid, found in turns.items()
            if sid in logged.sessions
            for event in _missing(logged.sessions[sid], found)[0]
        ]
        seqs = writer.append(*events) if events else []
        store_views(writer)
        logged.read_on()
    return seqs


def _missing(session: SessionLog, turns: Turns) -> tuple[list[dict[str, Any]], list[int]]:
    """Return the events that the log lacks, and the seqs of the compactions that both have."""
    ids = _ids(session, turns)
    compared = list(session.compared)
    missing: list[dict[str, Any]] = []
    is_done = False
    for event in turns.events:
        kind = event["type"]
        if kind == "compact.started":
            own = _same([c for c in session.compacted if c.seq not in compared], event["ts"])
            compared += [item.seq for item in own]
            is_done = bool(own) and own[-1].done
            missing += [] if own else [event]
        elif kind == "compact.finished":
            missing += [] if is_done else [event]
        elif (name := id_of(kind, event)) not in ids:
            ids.add(name)
            missing.append(event)
    return missing, compared


def _same(found: list[Compaction], ts: str) -> list[Compaction]:
    """Return the compaction that a transcript has at `ts`, after its failed attempts; [] for none.

    It is the first that was done; one that begins with a proof is the nearest. Compactions may be
    close together.
    """
    at = millis(ts) or 0
    apart = [((millis(item.at) or 0) - at, item) for item in found]
    begun = [item for ms, item in apart if item.seq != item.done_seq and -BEFORE <= ms <= _SKEW]
    first_done = next((at for at, item in enumerate(begun, 1) if item.done), len(begun))
    proved = [(abs(ms), item.seq, item) for ms, item in apart if item.seq == item.done_seq]
    near = [row for row in sorted(proved)[:1] if row[0] <= _NEAR]
    return begun[:first_done] or [item for _, _, item in near]


def _ids(session: SessionLog, turns: Turns) -> set[str]:
    """Return the ids of the log, and ids of prompts that match only by their size.

    If hooks give tool calls no IDs (older versions of Claude Code), every call counts as logged.
    """
    ids = set(session.ids)
    events = [(event["type"], event) for event in turns.events]
    found = [(id_of(kind, event), size_of(kind, event)) for kind, event in events]
    unmatched = Counter(session.ids) - Counter(size for name, size in found if name in ids)
    for name, size in found:
        if size and name not in ids and unmatched[size] > 0:
            unmatched[size] -= 1
            ids.add(name)
        elif "t" in ids and name[0] == "t":
            ids.add(name)
    return ids


def _advance(logged: LoggedSessions, sid: str, turns: Turns) -> None:
    """Store how far a transcript was read, and drop the facts that were compared."""
    session = logged.sessions[sid]
    compared = _missing(session, turns)[1]
    session.compared = [item.seq for item in session.compacted if item.seq in compared]
    kinds = [(event["type"], event) for event in turns.events]
    names = (id_of(kind, event) for kind, event in kinds if not kind.startswith("compact."))
    logged.forget(sid, names, (size_of(kind, event) for kind, event in kinds))
    session.offset, session.inode = turns.offset, turns.inode
    session.fingerprint = turns.fingerprint
