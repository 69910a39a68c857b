"""`journal progress …`: what a skill that works in phases has done, and who goes on with it.

Invariant: the event comes first and the Markdown file follows it; a save overwrites nothing that
was written into the file by hand.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from cli.error import OK, warn
from cli.render.text import emit, emit_json
from cli.work import own_session
from cli.work.context import Desk, RefusedError, desk, idle_desk, needed_session
from cli.work.progressview import own_lines, row_of, rows, table_lines
from cli.work.project_files import can_put, exclude, put, remove
from journal.errors import UsageError
from journal.text import clip, one_line
from journal.workfiles.files import read_inside
from journal.workfiles.progress_file import (
    BOUNDS,
    FOLDER,
    PREFIX,
    bounded,
    changes,
    facts_of,
    file_name,
    parse,
    render,
    word,
)
from projections.progress import refusal

if TYPE_CHECKING:
    from cli.scope import Scope
    from projections.progress import State

__all__ = ["adopt", "close", "discard", "listing", "save", "show"]

_WHAT = "a skill's progress"
_SHORTEST = 4  # characters of an id that may stand for it


def save(
    scope: Scope,
    *,
    skill: str,
    phase: str,
    name: str,
    summary: str,
    output: str,
    next_action: str,
) -> int:
    """Save a phase."""
    sid = needed_session(scope, _WHAT)
    if summary == "-":
        summary = sys.stdin.read()
    number = word(phase)
    if not number:
        raise UsageError(f"--phase {phase!r}: is no phase", "a number or a word: --phase 3")
    body = {
        "skill": " ".join(skill.split()),
        "phase": number,
        "name": " ".join(name.split()),
        "summary": summary.strip(),
        "output": _relative(scope, output),
        "next": " ".join(next_action.split()),
    }
    for part, limit in BOUNDS.items():
        if len(body.get(part, "")) > limit:
            warn(f"only the first {limit:,} of {len(body[part]):,} characters of --{part} are kept")
            body[part] = body[part][: limit - 1] + "…"
    with desk(scope, sid) as at:
        state = _live(at)
        if not body["skill"] and state is None:
            raise UsageError("which skill is it?", "the first time: --skill NAME")
        if state is not None and state.skill and body["skill"] not in ("", state.skill):
            raise RefusedError(
                f"{state.skill}, phase {state.phase or '?'}, is under way in this session",
                "end that one first: journal progress close, or journal progress discard",
            )
        at.append(*_unsaved(at), at.event("progress.saved", **body, path=_path(at)))
        return _written(at, f"saved: phase {number}")


def close(scope: Scope, *, output: str) -> int:
    """Close the skill whose output exists."""
    with idle_desk(scope, needed_session(scope, _WHAT)) as at:
        state = _live(at)
        if state is None:
            raise RefusedError("no skill is under way in this session", "journal progress list")
        target = _relative(scope, output) or state.output
        if not target:
            raise RefusedError("its output is not known", "name it: --output PATH")
        if not os.path.exists(_absolute(scope, target)):
            raise RefusedError(
                f"{target} does not exist: the skill is not done",
                "name what was written: --output PATH; to give up: journal progress discard",
            )
        at.append(*_unsaved(at), at.event("progress.closed", skill=state.skill, output=target))
        _remove(at, at.sid)
        return _said(at, f"closed: {state.skill or 'the skill'}, {target}")


def show(scope: Scope) -> int:
    """Show the session's progress."""
    from cli.read import outcome
    from cli.view.request import made

    if not scope.exists() and not scope.json:
        emit(["no skill is under way: there is no journal of this project yet"])
        return OK
    shown, folded = made(scope, "progress")
    if scope.json:
        emit_json(shown)
    else:
        emit(clip(line, scope.columns) for line in own_lines(shown))
    return outcome(folded.reader)


def listing(scope: Scope) -> int:
    """List unfinished skills of all sessions."""
    from cli.read import fold, outcome, session_of

    if not scope.exists():
        if scope.json:
            emit_json([])
        else:
            emit(["no skill is under way"])
        return OK
    folded = fold(scope, ("progress",))
    own = own_session(scope, session_of(scope, folded))
    found = rows(folded.states["progress"], own, scope.now)
    if scope.json:
        emit_json(found)
    else:
        emit(table_lines(found, scope.columns) or ["no skill is under way"])
    return outcome(folded.reader)


def adopt(scope: Scope, *, sid: str) -> int:
    """Take over another session's progress."""
    with idle_desk(scope, needed_session(scope, _WHAT)) as at:
        origin = _meant(at, sid)
        why = refusal(at.views.progress, origin, at.sid)
        if why:
            raise RefusedError(f"not adopted: {why}", "journal progress list shows what there is")
        state = at.views.progress.sessions[origin]
        at.append(
            at.event("progress.adopted", from_sid=origin, skill=state.skill),
            at.event(
                "progress.saved",
                skill=state.skill,
                phase=state.phase,
                name=state.name,
                path=_path(at),
            ),
        )
        if not _differs(scope, origin, state):
            _remove(at, origin)
        return _written(at, f"adopted from session {origin}")


def discard(scope: Scope, *, sid: str, yes: bool) -> int:
    """Give progress up, when the person says so."""
    mine = scope.writing_session() if sid else needed_session(scope, _WHAT)
    with idle_desk(scope, mine) as at:
        origin = _meant(at, sid) if sid else at.sid
        state = at.views.progress.sessions.get(origin)
        if state is None or state.status != "live":
            how = f"it is {state.status} already" if state is not None else "there is none"
            raise RefusedError(f"nothing to give up: {how}", "journal progress list")
    what = one_line(f"{state.skill or 'a skill'}, phase {state.phase or '?'}, session {origin}")
    if not yes and not _confirmed(f"give up {what}?"):
        raise RefusedError("not given up", "")
    with desk(scope, mine) as at:
        now = at.views.progress.sessions.get(origin)
        if now is None or now.status != "live" or now.seq != state.seq:
            raise RefusedError("it has changed meanwhile", "journal progress list")
        at.append(at.event("progress.discarded", from_sid=origin, skill=state.skill))
        _remove(at, origin)
        return _said(at, f"given up: {what}")


def _file(root: str, name: str) -> dict[str, Any] | None:
    """What a progress file of the project says; None without one."""
    found = read_inside(root, name) if root else None
    if found is None:
        return None
    return parse(found[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def _live(at: Desk) -> State | None:
    state = at.views.progress.sessions.get(at.sid)
    return state if state is not None and state.status == "live" else None


def _meant(at: Desk, named: str) -> str:
    """Session whose progress is meant, by its id or a beginning that only one has."""
    known = at.views.progress.sessions
    fits = [sid for sid in known if sid == named]
    if not fits and len(named) >= _SHORTEST:
        fits = [sid for sid in known if sid.startswith(named)]
    if len(fits) > 1:
        raise UsageError(f"{named} is the beginning of {len(fits)} sessions", ", ".join(fits[:5]))
    return fits[0] if fits else named


def _unsaved(at: Desk) -> list[dict[str, Any]]:
    """Events of what stands in the session's file and not in the journal: somebody edited it."""
    root, name = at.scope.project.root, f"{FOLDER}/{file_name(at.sid)}"
    state = _live(at)
    after = _file(root, name) if state is not None else None
    if after is None or state is None:
        return []
    known = facts_of(state)
    fresh = [item for item in after["phases"] if bounded(item) not in known["phases"]]
    return [
        at.event("progress.saved", **body)
        for body in changes({**after, "phases": []}, {**after, "phases": fresh}, name)
        if body.get("summary")
    ]


def _differs(scope: Scope, sid: str, state: State) -> bool:
    """Whether another session's file holds what the journal does not."""
    found = _file(scope.project.root, f"{FOLDER}/{file_name(sid)}")
    return found is not None and found != facts_of(state)


def _path(at: Desk) -> str:
    """Name the session's file, where it can be written."""
    name = f"{FOLDER}/{file_name(at.sid)}"
    root = at.scope.project.root
    return name if root and can_put(root, name) else ""


def _written(at: Desk, said: str) -> int:
    """Write the Markdown view, keep it out of git, and say what was done."""
    state = _live(at)
    root = at.scope.project.root
    if state is not None and state.path and root:
        trouble = put(root, state.path, render(state, _file(root, state.path)))
        if trouble:
            warn(f"the event is recorded, its Markdown view is not written: {trouble}")
        exclude(root, [f"{FOLDER}/{PREFIX}*.md"])
    return _said(at, said)


def _remove(at: Desk, sid: str) -> None:
    root = at.scope.project.root
    trouble = remove(root, f"{FOLDER}/{file_name(sid)}") if root and sid else ""
    if trouble:
        warn(f"its Markdown view stays: {trouble}")


def _said(at: Desk, said: str) -> int:
    state = at.views.progress.sessions.get(at.sid)
    if at.scope.json:
        emit_json(
            {
                "appended": at.seqs,
                "said": said,
                "session": at.sid or None,
                "state": row_of(state) if state is not None else None,
            }
        )
        return OK
    emit([f"#{at.seqs[-1]} {one_line(said)}"])
    if state is not None and state.status == "live":
        emit(
            clip(f"  {name}: {one_line(value)}", at.scope.columns)
            for name, value in (
                ("next", state.next),
                ("output", state.output),
                ("file", state.path),
            )
            if value
        )
    return OK


def _confirmed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError(f"to {question.removesuffix('?')}, confirm it", "with --yes")
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _relative(scope: Scope, path: str) -> str:
    """Path as seen from the project's root, where it lies inside; "" stays "".

    A relative one is of the working directory; of the root, where only there it would make sense.
    """
    if not path:
        return ""
    root = scope.project.root
    here = os.path.join(os.path.realpath(scope.cwd or root or "/"), os.path.expanduser(path))
    there = os.path.join(root or "/", os.path.expanduser(path))
    found = next(
        (one for one in (here, there) if os.path.exists(one)),
        next((one for one in (here, there) if os.path.isdir(os.path.dirname(one))), there),
    )
    found = os.path.normpath(found)
    real = os.path.join(os.path.realpath(os.path.dirname(found)), os.path.basename(found))
    if root and real.startswith(root + os.sep):
        return os.path.relpath(real, root)
    return real


def _absolute(scope: Scope, path: str) -> str:
    return os.path.join(scope.project.root or scope.cwd or "/", path)
