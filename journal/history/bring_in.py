"""Find past sessions that no import has read yet, and import them.

Commands do this when a question needs it, setup does it at its end, and the background handler at
each session start. Invariant: whatever a run imported stays, however the run ends. Imported
sessions are summarized immediately, so that the next session can be offered them.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from journal.clock import iso, millis
from journal.codec import digest
from journal.errors import JournalError
from journal.history.current import Current, append_events
from journal.history.importer.find import Transcript, cleanup_days, expiring, find, source_of
from journal.history.importer.owners import ProjectFinder
from journal.history.importer.run import Budget, Import
from journal.history.importer.state import ImportState, load_state
from journal.history.logs import is_imported
from journal.history.replay.facts import ts_of
from journal.history.summaries.backlog import summarize_waiting
from journal.home import Project
from journal.log.append import Busy
from journal.log.read import Reader

BACKGROUND = Budget(size=256 * 1024 * 1024, seconds=20.0)
"""The limits of one background run; the next run continues where it stopped."""

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


def past_sessions(
    env: Mapping[str, str], home: str, project: Project | None, leaving: str = ""
) -> NewTranscripts:
    """Return the sessions from before hooks recorded anything that no import has read.

    project: None for all projects. leaving: the ID of a session to leave out. If this project (or,
    for None, the whole home) has been imported before, the result is empty: the background imports
    new transcripts.
    """
    if project is not None and is_imported(home, project.name):
        return NewTranscripts([])
    found = [item for item in transcripts(env) if item.size and item.sid != leaving]
    if not found:
        return NewTranscripts([])
    state = load_state(home)
    if project is None and state.whole:
        return NewTranscripts([])
    owners = ProjectFinder(env, home, found)
    found = owners.owned(found, project, state.files)
    starts: dict[str, str] = {}
    new = []
    for item in found:
        if item.path in state.files:
            continue
        name = owners.of(item).name
        if name not in starts:
            starts[name] = _first_time(os.path.join(home, name))
        if not starts[name] or owners.began(item) < starts[name]:
            new.append(item)
    return NewTranscripts(new)


def unread(env: Mapping[str, str], home: str, project: Project | None) -> list[Transcript]:
    """Return the transcripts of a project (None: of all) that changed since an import read them."""
    state = load_state(home)
    new = [item for item in transcripts(env) if item.size and not state.is_read(item)]
    return ProjectFinder(env, home, new).owned(new, project, state.files)


def sum_up(run: Import, now: str) -> None:
    """Summarize the ended sessions of each project that a run has imported."""
    for name, values in run.settings().items():
        directory = os.path.join(run.home, name)
        try:
            summarize_waiting(directory, now, values, _OFFERED, most=_LOG)
        except (Busy, JournalError, OSError):
            continue  # the next session start in that project summarizes them


def bring_in_quietly(
    env: Mapping[str, str],
    home: str,
    now: str,
    project: Project | None,
    values: Mapping[str, Any],
    found: list[Transcript] | None = None,
) -> bool:
    """Import new transcripts of a project (None: of all projects) within the background limits.

    found: see `Import`. Return True if nothing is left to import, or if settings turn import off.
    """
    if not values["import.auto"] or values["capture.level"] == "off":
        return True
    run = Import(
        env,
        home,
        now,
        source_of("", env, ""),
        only=project,
        budget=BACKGROUND,
        limit=text_limit(values),
        listed=found,
    )
    try:
        run.run()
    except JournalError:  # another import is running
        return False
    return not run.is_cut


def text_limit(values: Mapping[str, Any]) -> int:
    """Return the limit, in bytes, on stored conversation text per project."""
    return int(values["import.text_mib"]) * _MIB


def transcripts(env: Mapping[str, str]) -> list[Transcript]:
    """Return all of Claude Code's transcripts."""
    return find(source_of("", env, ""))


def losses(
    env: Mapping[str, str],
    home: str,
    project: Project,
    now: int,
    found: list[Transcript] | None = None,
) -> ExpectedLosses:
    """Return what Claude Code will soon delete of a project that the journal has not stored.

    now: ms. found: all transcripts, if the caller has already listed them.
    """
    days = cleanup_days(env)
    every = transcripts(env) if found is None else found
    soon = [item for item in expiring(every, now, days) if not item.agent]
    if not soon:
        return ExpectedLosses(0, days, "")
    state = load_state(home)
    owners = ProjectFinder(env, home, soon)
    own = owners.owned(soon, project, state.files)
    lost = [item for item in own if not _is_stored(item, state)]
    first = min((item.mtime // 1_000_000 + days * 86_400_000 for item in lost), default=0)
    return ExpectedLosses(len(lost), days, iso(first) if lost else "")


def note_losses(
    env: Mapping[str, str],
    home: str,
    now: str,
    project: Project,
    values: Mapping[str, Any],
    every: list[Transcript] | None = None,
) -> None:
    """Append the expected losses as an event if they differ from the last recorded ones.

    every: all transcripts, if the caller has already listed them. Raise Busy or JournalOffError if
    the journal cannot be written.
    """
    directory = os.path.join(home, project.name)
    noted = Current(directory).views.past.losses
    found = losses(env, home, project, millis(now) or 0, every)
    if found.sessions == noted.sessions and (not found.sessions or found.first == noted.first):
        return
    event = {
        "type": "transcripts.checked",
        "v": 1,
        "sid": "",
        "key": digest(f"{now[:10]} {found.sessions} {found.first}"),
        "expiring": found.sessions,
        "days": found.days,
        "first": found.first,
    }
    append_events(
        directory,
        now,
        [{name: value for name, value in event.items() if value or name == "sid"}],
        sync=values["append.sync"],
    )


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
