"""`journal progress …`: the progress of a skill that works in phases, and its session.

Invariant: the event is appended before the Markdown file is written; a save keeps what somebody
wrote into the file by hand.
"""

import os
import sys
from typing import Any

from cli.error import warn
from cli.read import fold, session_of
from cli.scope import Scope
from cli.work.progress_view import NONE, row_of, rows, table_lines
from cli.work.project_files import can_put, exclude, find, put, remove
from cli.write import (
    CommandTransaction,
    RefusedError,
    bounded,
    needed_session,
    transaction,
    writing_session,
)
from journal.errors import UsageError
from journal.files import relative_to
from journal.history.find_session import SeveralSessionsError, matching_sids
from journal.text import clip, one_line
from journal.workfiles import progress_file
from journal.workfiles.files import read_inside, without_surrogates
from projections.progress import live, refusal

_WHAT = "a skill's progress"


def save(
    scope: Scope, *, skill: str, phase: str, name: str, summary: str, output: str, next_action: str
) -> int:
    """Save a phase."""
    sid = needed_session(scope, _WHAT)
    number = progress_file.word(phase)
    if not number or phase.startswith("-"):
        raise UsageError(f"--phase {phase!r}: is not a phase", "a number or a word: --phase 3")
    body = {
        "skill": " ".join(skill.split()),
        "phase": number,
        "name": " ".join(name.split()),
        "summary": scope.typed(summary).strip(),
        "output": _target(scope, output),
        "next": " ".join(next_action.split()),
    }
    for member, limit in progress_file.BOUNDS.items():
        body[member] = bounded(body[member], limit, f"--{member}")
    with transaction(scope, sid) as journal:
        state = live(journal.views.progress, journal.sid)
        if not body["skill"] and state is None:
            raise UsageError("no skill is named yet", "name it: --skill NAME")
        if state is not None and state.skill and body["skill"] not in ("", state.skill):
            raise RefusedError(
                f"{state.skill}, phase {state.phase or '?'}, is open in this session",
                "end that one first: journal progress close, or journal progress discard",
            )
        saved = journal.event("progress.saved", **body, path=_path(journal))
        journal.append(*_edited(journal), saved)
        return _written(journal, f"saved: phase {number}")


def close(scope: Scope, *, output: str) -> int:
    """Close the skill, whose output must exist."""
    with transaction(scope, needed_session(scope, _WHAT), create=False) as journal:
        state = live(journal.views.progress, journal.sid)
        if state is None:
            what = "no skill progress is open in this session"
            raise RefusedError(what, "see: journal progress list")
        target = _target(scope, output) or state.output
        if not target:
            raise RefusedError("no output of the skill is recorded", "name it: --output PATH")
        if not os.path.exists(os.path.join(scope.project.root or scope.cwd or "/", target)):
            raise RefusedError(
                f"{target} does not exist: the skill is not done",
                "name what was written: --output PATH; or discard it: journal progress discard",
            )
        closed = journal.event("progress.closed", skill=state.skill, output=target)
        journal.append(*_edited(journal), closed)
        _remove_file(journal, journal.sid)
        return _report(journal, f"closed: {state.skill or 'the skill'}, {target}")


def listing(scope: Scope) -> int:
    """List the unfinished skills of all sessions."""
    found: list[dict[str, Any]] = []
    if scope.exists():
        folded = fold(scope, ("progress",))
        own = scope.own_session(session_of(scope, folded))
        found = rows(folded.states["progress"], own, scope.now)
    return scope.show(found, table_lines(found, scope.columns) or [NONE])


def adopt(scope: Scope, *, sid: str) -> int:
    """Move another session's progress to this one."""
    with transaction(scope, needed_session(scope, _WHAT), create=False) as journal:
        origin = _session_named(journal, sid)
        why = refusal(journal.views.progress, origin, journal.sid)
        if why:
            raise RefusedError(
                f"not adopted: {why}", "journal progress list shows unfinished skills"
            )
        state = journal.views.progress.sessions[origin]
        skill, phase, name = state.skill, state.phase, state.name
        journal.append(
            journal.event("progress.adopted", from_sid=origin, skill=skill),
            journal.event(
                "progress.saved", skill=skill, phase=phase, name=name, path=_path(journal)
            ),
        )
        found = _file(scope.project.work, origin)
        if found is None or found == progress_file.facts_of(state):
            # The journal has everything in the file.
            _remove_file(journal, origin)
        return _written(journal, f"adopted from session {origin}")


def discard(scope: Scope, *, sid: str, yes: bool) -> int:
    """Discard progress, after the user has confirmed it."""
    own = writing_session(scope) if sid else needed_session(scope, _WHAT)
    with transaction(scope, own, create=False) as journal:
        origin = _session_named(journal, sid) if sid else journal.sid
        view = journal.views.progress
        state = live(view, origin)
        if state is None:
            ended = view.sessions.get(origin)
            how = f"it is {ended.status} already" if ended else f"session {origin} has no progress"
            raise RefusedError(f"nothing to discard: {how}", "see: journal progress list")
    what = one_line(f"{state.skill or 'a skill'}, phase {state.phase or '?'}, session {origin}")
    if not yes and not _confirmed(scope, f"discard {what}?"):
        raise RefusedError("not discarded", "")
    with transaction(scope, own) as journal:
        now = live(journal.views.progress, origin)
        if now is None or now.seq != state.seq:
            raise RefusedError("it has changed in the meantime", "see: journal progress list")
        journal.record("progress.discarded", from_sid=origin, skill=state.skill)
        _remove_file(journal, origin)
        return _report(journal, f"discarded: {what}")


def _name(sid: str) -> str:
    return f"{progress_file.FOLDER}/{progress_file.file_name(sid)}"


def _file(root: str, sid: str) -> dict[str, Any] | None:
    """Parse a session's progress file; None if there is none."""
    found = read_inside(root, _name(sid)) if root else None
    if found is None:
        return None
    return progress_file.parse(without_surrogates(found[0]))


def _session_named(journal: CommandTransaction, named: str) -> str:
    """Return the session of an ID or of the beginning of one; unknown ones as they are."""
    sessions = journal.views.progress.sessions
    found = matching_sids(named, sessions)
    if len(found) > 1:
        raise SeveralSessionsError(named, found)
    return found[0] if found else named


def _edited(journal: CommandTransaction) -> list[dict[str, Any]]:
    """Build events for the phases that somebody added to the session's file by hand."""
    state = live(journal.views.progress, journal.sid)
    edited = _file(journal.scope.project.work, journal.sid) if state is not None else None
    if edited is None or state is None:
        return []
    saved = progress_file.facts_of(state)["phases"]
    fresh = [item for item in edited["phases"] if progress_file.bounded(item) not in saved]
    return [
        journal.event("progress.saved", **body)
        for body in progress_file.changes(
            {**edited, "phases": []}, {**edited, "phases": fresh}, _name(journal.sid)
        )
        if body.get("summary")
    ]


def _path(journal: CommandTransaction) -> str:
    """Return the name of the session's file, "" if it cannot be written."""
    root = journal.scope.project.work
    return _name(journal.sid) if root and can_put(root, _name(journal.sid)) else ""


def _written(journal: CommandTransaction, done: str) -> int:
    """Write the Markdown view, hide it from git, and report."""
    state = live(journal.views.progress, journal.sid)
    root = journal.scope.project.work
    if state is not None and state.path and root:
        trouble = put(root, state.path, progress_file.render(state, _file(root, journal.sid)))
        if trouble:
            warn(f"the event is recorded, but its Markdown file was not written: {trouble}")
        exclude(root, [f"{progress_file.FOLDER}/{progress_file.PREFIX}*.md"])
    return _report(journal, done)


def _remove_file(journal: CommandTransaction, sid: str) -> None:
    root = journal.scope.project.work
    trouble = remove(root, _name(sid)) if root and sid else ""
    if trouble:
        warn(f"its Markdown file was not removed: {trouble}")


def _report(journal: CommandTransaction, done: str) -> int:
    state = journal.views.progress.sessions.get(journal.sid)
    row = row_of(state) if state is not None else None
    details = []
    if row is not None and row["status"] == "live":
        named = (("next", row["next"]), ("output", row["output"]), ("file", row["path"]))
        columns = journal.scope.columns - 2
        details = [clip(f"{name}: {one_line(value)}", columns) for name, value in named if value]
    shown = {"session": journal.sid or None, "state": row}
    return journal.report(done, shown, *details, seq=journal.seqs[-1])


def _confirmed(scope: Scope, question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError(f"to {question.removesuffix('?')}, confirm it", "with --yes")
    return scope.ask(f"{question} [y/N]").strip().lower() in ("y", "yes")


def _target(scope: Scope, path: str) -> str:
    """Return a typed path relative to the project's root if it is inside; "" stays ""."""
    if not path:
        return ""
    folder, name = os.path.split(find(scope, path))
    return relative_to(scope.project.root, os.path.join(os.path.realpath(folder), name))
