"""Find past sessions that no import has read yet, and import them.

Commands do this when a question needs it, setup does it at its end, and the background handler at
each session start. Invariant: whatever a run imported stays, however the run ends. Imported
sessions are summarized immediately, so that the next session can be offered them.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.clock import DAY_MS, iso
from journal.codec import digest
from journal.errors import JournalError
from journal.history.current import Current
from journal.history.importer.find import Transcript, cleanup_days, expiring, source_of
from journal.history.importer.owners import ProjectFinder
from journal.history.importer.state import ImportState, load_state
from journal.history.logs import is_imported
from journal.history.replay.facts import ts_of
from journal.history.scope import ProjectScope
from journal.log.append import Busy
from journal.log.read import Reader

if TYPE_CHECKING:  # most commands only look whether there is anything to import
    from journal.history.importer.run import Import

BACKGROUND = 256 * 1024 * 1024, 20.0
"""Bytes and seconds of one background run; the next run continues where it stopped."""

_MIB = 1024 * 1024
_OFFERED = 64  # sessions per project to summarize: hooks offer no more than these
_LOG = 1024 * _MIB  # bytes of log to read for summaries after a foreground import


class NewTranscripts(NamedTuple):
    """Transcripts that no import has read."""

    items: list[Transcript]

    @property
    def sessions(self) -> int:
        """Return the number of sessions, without transcripts of subagents."""
        return sum(not item.agent for item in self.items)

    @property
    def size(self) -> int:
        """Return their size in bytes."""
        return sum(item.size for item in self.items)


class ExpectedLosses(NamedTuple):
    """Sessions whose text is lost when Claude Code deletes their transcripts.

    sessions: how many will be deleted within a week and are not completely stored. days: the age in
    days at which Claude Code deletes transcripts. first: when it deletes the first of these
    sessions (ISO 8601), "" if there are none.
    """

    sessions: int
    days: int
    first: str


def past_sessions(scope: ProjectScope, *, every: bool = False) -> NewTranscripts:
    """Return the sessions from before hooks recorded anything that no import has read.

    every: those of all projects. The session of the caller is left out. If this project (or, for
    all, the whole home) has been imported before, the result is empty: the background imports new
    transcripts.
    """
    home, project = scope.home, None if every else scope.project
    if project is not None and is_imported(home, project.name):
        return NewTranscripts([])
    found = [item for item in scope.transcripts if item.size and item.sid != scope.current]
    if not found:
        return NewTranscripts([])
    state = load_state(home)
    if every and state.whole:
        return NewTranscripts([])
    owners = ProjectFinder(scope.env, home, found)
    starts: dict[str, str] = {}
    new = []
    for item in owners.owned(found, project, state.files):
        if item.path in state.files or not (owners.cwd_of(item) or owners.error_of(item)):
            continue  # read before, or without a conversation
        name = owners.of(item).name
        if name not in starts:
            starts[name] = _first_time(os.path.join(home, name))
        if not starts[name] or owners.began(item) < starts[name]:
            new.append(item)
    return NewTranscripts(new)


def unread_transcripts(scope: ProjectScope, *, every: bool = False) -> list[Transcript]:
    """Return the transcripts of the project, or of all, that changed since an import read them."""
    state = load_state(scope.home)
    new = [item for item in scope.transcripts if item.size and not state.is_read(item)]
    owners = ProjectFinder(scope.env, scope.home, new)
    return owners.owned(new, None if every else scope.project, state.files)


def summarize_imported(run: "Import", now: str) -> None:
    """Summarize the ended sessions of each project that a run has imported."""
    from journal.history.summaries.backlog import summarize_waiting

    for name, values in run.settings().items():
        directory = os.path.join(run.home, name)
        try:
            summarize_waiting(directory, now, values, _OFFERED, most=_LOG)
        except (Busy, JournalError, OSError):
            continue  # the next session start in that project summarizes them


def import_new(scope: ProjectScope, *, every: bool = False) -> bool:
    """Import new transcripts of the project, or of all, within the limits of the background.

    Return True if nothing is left to import, or if settings turn import off.
    """
    values = scope.settings
    if not values["import.auto"] or values["capture.level"] == "off":
        return True
    from journal.history.importer.run import Budget, Import

    run = Import(
        scope.env,
        scope.home,
        scope.iso,
        source_of("", scope.env, ""),
        only=None if every else scope.project,
        budget=Budget(*BACKGROUND),
        limit=text_limit(values),
        listed=scope.transcripts,
    )
    try:
        run.run()
    except JournalError:  # another import is running
        return False
    return not run.is_cut


def text_limit(values: Mapping[str, Any]) -> int:
    """Return the limit, in bytes, on stored conversation text per project."""
    return int(values["import.text_mib"]) * _MIB


def losses(scope: ProjectScope) -> ExpectedLosses:
    """Return what Claude Code will soon delete of the project that the journal has not stored."""
    days = cleanup_days(scope.env)
    soon = [item for item in expiring(scope.transcripts, scope.now, days) if not item.agent]
    if not soon:
        return ExpectedLosses(0, days, "")
    state = load_state(scope.home)
    own = ProjectFinder(scope.env, scope.home, soon).owned(soon, scope.project, state.files)
    lost = [item for item in own if not _is_stored(item, state)]
    first = min((item.mtime // 1_000_000 + days * DAY_MS for item in lost), default=0)
    return ExpectedLosses(len(lost), days, iso(first) if lost else "")


def note_losses(scope: ProjectScope) -> None:
    """Append the expected losses as an event if they differ from the last recorded ones.

    Raise Busy or JournalOffError if the journal cannot be written.
    """
    noted = Current(scope.directory).views.past.losses
    found = losses(scope)
    if found.sessions == noted.sessions and (not found.sessions or found.first == noted.first):
        return
    key = digest(f"{scope.iso[:10]} {found.sessions} {found.first}")
    fields = {"expiring": found.sessions, "days": found.days, "first": found.first}
    event = {"type": "transcripts.checked", "v": 1, "sid": "", "key": key}
    scope.append({**event, **{name: value for name, value in fields.items() if value}})


def _is_stored(item: Transcript, state: ImportState) -> bool:
    recorded = state.files.get(item.path)
    return (
        recorded is not None
        and recorded.is_of(item)
        and recorded.stored >= recorded.offset
        and recorded.stored > 0
    )


def _first_time(directory: str) -> str:
    """Return the time of the first record of a log, or "" if it has none."""
    with suppress(OSError):
        for batch in Reader(directory).batches():
            return ts_of(batch[0][1])
    return ""
