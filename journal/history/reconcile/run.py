"""Compare a project's log with the transcripts of its sessions, and append what is missing.

This runs in the background after a turn and at a session start. Invariant: a fact is appended under
the lock, after the whole log up to there was compared. The next run repeats a killed one.
"""

import os
from collections import Counter
from typing import Any

from journal.clock import millis
from journal.history.current import HOOK_BYTES, PATIENCE, Current
from journal.history.importer.owners import Destination
from journal.history.reconcile.logged import (
    Attempt,
    LoggedSessions,
    Proof,
    SessionLog,
    id_of,
    size_of,
)
from journal.history.reconcile.transcript import TranscriptReplacedError, Turns, finished_turns
from journal.log.append import Writer

_PROOFS = "rf"  # kinds of proof of a compaction: the session's start, the summary
_BEFORE = 600_000  # ms between the start of a compaction and what the transcript has of it, at most
_SKEW = 1_000  # ms by which that start may be later: two clocks of one machine
_NEAR = 30_000  # ms between its proofs and that


def reconcile(
    directory: str, now: str, name: str, root: str, settings: dict[str, Any]
) -> list[int]:
    """Append what the sessions' transcripts have and the log lacks; return the seqs.

    Args:
        directory: of the journal.
        now: ISO 8601.
        name: of the journal.
        root: real path of its project.
        settings: in effect; with `capture.level` off the content of the transcripts is skipped.

    Raises:
        Busy: another process held the lock for too long.
        JournalOffError: the journal cannot be written.

    """
    destination = Destination(name, root, settings)
    if not os.path.isdir(directory):
        return []
    logged = LoggedSessions(directory)
    logged.read_on()
    turns = _read(logged, destination)
    if turns is None:
        logged.restart()
        turns = _read(logged, destination) or {}
    seqs: list[int] = []
    if destination.is_captured and any(
        _missing(logged.sessions[sid], found)[0] for sid, found in turns.items()
    ):
        seqs = _append(logged, turns, now, settings["append.sync"])
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


def _append(logged: LoggedSessions, turns: dict[str, Turns], now: str, sync: str) -> list[int]:
    """Append what is missing as of the lock, then store the views of the hooks."""
    with Writer(logged.directory, now, sync=sync, deadline=PATIENCE) as writer:
        logged.read_on()  # including the events that the writer took from the spool
        events = [
            event
            for sid, found in turns.items()
            if sid in logged.sessions
            for event in _missing(logged.sessions[sid], found)[0]
        ]
        seqs = writer.append(*events) if events else []
        views = Current(logged.directory)
        views.advance(writer, HOOK_BYTES)
        views.store()
        logged.read_on()
    return seqs


def _missing(session: SessionLog, turns: Turns) -> tuple[list[dict[str, Any]], SessionLog]:
    """Return the events that the log lacks, and what it has that the transcript lacks so far."""
    ids = _ids(session, turns)
    attempts, proofs = list(session.attempts), list(session.proofs)
    attempt, lacking = session.attempt, session.lacking
    after = lacking
    waits = False
    missing: list[dict[str, Any]] = []
    proved = ""
    for event in turns.events:
        kind = event["type"]
        if kind == "compact.started":
            known, own = _attempted(attempts, event["ts"]), _proved(proofs, event["ts"])
            proved = "".join(proof.kind for proof in own)
            # Those that the fold has added to the previous compaction: they follow its beginning.
            taken = {item.kind for item in own if item.kind in lacking and item.seq > attempt}
            if known:
                # A missing summary comes after everything that the log has by now.
                waits = not proved
                attempt, lacking = known, _without(_PROOFS, proved)
                after = lacking if proved else "r"
            elif not proved:
                missing.append(event)
                after = "r"
            elif len(taken) < len(own):
                kinds = proved if proved[0] not in taken else proved[1:]
                attempt = next(item.seq for item in own if item.kind in kinds)
                after = lacking = _without(_PROOFS, kinds)
            elif waits and "f" in proved:
                after = "r"
            else:  # the fold added its proofs to the previous compaction
                missing.append(event)
                lacking, after = _without(lacking, proved), _PROOFS
        elif kind == "compact.finished":
            if not proved:
                missing.append(event)
        elif (name := id_of(kind, event)) not in ids:
            ids.add(name)
            missing.append(event)
    return missing, SessionLog(attempts=attempts, proofs=proofs, attempt=attempt, lacking=after)


def _ids(session: SessionLog, turns: Turns) -> set[str]:
    """Return the ids of the log, with those of prompts that only their size finds."""
    ids = set(session.ids)
    events = [(event["type"], event) for event in turns.events]
    found = [(id_of(kind, event), size_of(kind, event)) for kind, event in events]
    unmatched = Counter(session.ids) - Counter(size for name, size in found if name in ids)
    for name, size in found:
        if size and name not in ids and unmatched[size] > 0:
            unmatched[size] -= 1
            ids.add(name)
    return ids


def _advance(logged: LoggedSessions, sid: str, turns: Turns) -> None:
    """Store how far a transcript was read, and drop what was compared."""
    session = logged.sessions[sid]
    rest = _missing(session, turns)[1]
    session.attempts, session.proofs = rest.attempts, rest.proofs
    session.attempt, session.lacking = rest.attempt, rest.lacking
    kinds = [(event["type"], event) for event in turns.events]
    names = (id_of(kind, event) for kind, event in kinds if not kind.startswith("compact."))
    logged.forget(sid, names, (size_of(kind, event) for kind, event in kinds))
    session.offset, session.inode = turns.offset, turns.inode
    session.fingerprint = turns.fingerprint


def _attempted(attempts: list[Attempt], ts: str) -> int:
    """Remove the starts of the compaction at `ts`; return the last one's seq, 0 for none."""
    at = millis(ts) or 0
    own = [item for item in attempts if -_BEFORE <= (millis(item.ts) or 0) - at <= _SKEW]
    attempts[:] = [item for item in attempts if item not in own]
    return own[-1].seq if own else 0


def _proved(proofs: list[Proof], ts: str) -> list[Proof]:
    """Remove and return the nearest proof of each kind, as compactions may be close together."""
    at = millis(ts) or 0
    found = []
    for kind in _PROOFS:
        near = {item: abs((millis(item.ts) or 0) - at) for item in proofs if item.kind == kind}
        if near and near[best := min(near, key=near.__getitem__)] <= _NEAR:
            proofs.remove(best)
            found.append(best)
    return found


def _without(kinds: str, some: str) -> str:
    return "".join(kind for kind in kinds if kind not in some)
