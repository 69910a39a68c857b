"""Unrepaired damage and known losses of a log, as every reader reports them.

Invariant: commands, the page and the API share one rule. `Findings.is_damaged` decides what is
damage; gaps named by a repair and events that were never recorded are known losses.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from journal.history.logs import LIVE, log_directories
from journal.home import IMPORTED
from journal.log.counter import MISSED, count_in
from journal.log.findings import CORRUPT, Findings, span_of
from journal.log.reached import note_reached
from journal.log.rewrite_watch import is_unfinished
from journal.log.spool import BAD, waiting
from journal.text import plural

_SHOWN = 3

CHANGING = "journal redact or journal gc is running or was interrupted: run the same command again"


class LogState(NamedTuple):
    """What is damaged in one log, or known to be missing from it.

    project, side, directory: which log. found: what its reader noticed. missed: lost events that
    the log does not mention yet, -1 if they cannot be counted. waiting: hook calls that wait for
    the next writer; unread: that it set aside, since their file was damaged; -1 if the spool cannot
    be read. is_changing: whether records are being changed on purpose.
    """

    project: str
    side: str
    directory: str
    found: Findings
    missed: int
    waiting: int
    unread: int
    is_changing: bool

    @property
    def is_damaged(self) -> bool:
        """Return whether there is damage that no repair has dealt with."""
        return self.found.is_damaged

    @property
    def places(self) -> list[str]:
        """Return what is damaged and where (segment, line, seqs), or [] if nothing is."""
        found = self.found.unrepaired
        shown = [_located(self.side, item.path, item.line, item.what) for item in found[:_SHOWN]]
        return shown + ([f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else [])

    @property
    def damage(self) -> str:
        """Return the same in one line."""
        return "; ".join(self.places)

    @property
    def losses(self) -> str:
        """Return in one line what is known to be missing, or "" if nothing is."""
        parts = []
        if gaps := self.found.known:
            seqs = ", ".join(span_of(*gap) for gap in gaps[:_SHOWN])
            seqs += ", …" if len(gaps) > _SHOWN else ""
            count = sum(last - first + 1 for first, last in gaps)
            parts.append(f"{plural(count, 'event')} lost before a repair (seq {seqs})")
        if self.missed < 0:
            parts.append("how many were never recorded is unknown: `missed` is not a file")
        if lost := self.found.missed + max(self.missed, 0):
            parts.append(f"{plural(lost, 'event')} never recorded: nothing could be written then")
        if self.found.collected:
            which = (f"{name} before {str(at)[:10]}" for name, at in self.found.collected.items())
            parts.append(f"texts removed by journal gc: {', '.join(which)}")
        if self.is_changing:
            parts.append(CHANGING)
        if self.unread > 0:
            parts.append(f"{plural(self.unread, 'hook call')} lost in part: see spool/*.bad")
        if self.waiting < 0:
            parts.append("how many hook calls wait is unknown: `spool` cannot be read")
        if self.waiting > 0:
            wait = "waits" if self.waiting == 1 else "wait"
            parts.append(f"{plural(self.waiting, 'hook call')} {wait} for the next one to append")
        return "; ".join(parts)


def findings_of(directory: str, *, stores: bool = True) -> Findings:
    """Read a log from its last checkpoint on; return the findings for the whole log.

    stores: whether to store the position reached.
    """
    from journal.history.replay.run import replay_all  # loads all views

    try:
        reader = replay_all(directory, (), stores=stores).reader
        if stores and (position := reader.position()) is not None:
            note_reached(directory, position)
        return reader.found
    except OSError as error:
        found = Findings(directory)
        found.note(CORRUPT, f"cannot be read: {error.strerror or error}")
        return found


def states_of(
    home: str,
    projects: Iterable[str] = (),
    found: Mapping[str, Findings] | None = None,
    *,
    stores: bool = True,
) -> Iterator[LogState]:
    """Yield the state of each log of the named projects, or of all projects if none is named.

    found: directory → findings of logs that the caller has just read completely. stores: see
    `findings_of`.
    """
    for project, side, directory in log_directories(home, projects):
        findings = (found or {}).get(directory) or findings_of(directory, stores=stores)
        live = side == LIVE
        yield LogState(
            project,
            side,
            directory,
            findings,
            count_in(directory, MISSED) if live else 0,
            waiting(directory) if live else 0,
            waiting(directory, BAD) if live else 0,
            is_unfinished(directory),
        )


def _located(side: str, path: str, line: int, what: str) -> str:
    name = os.path.join(IMPORTED if side == IMPORTED else "", os.path.basename(path))
    return f"{name}:{line}: {what}" if line else f"{name}: {what}"
