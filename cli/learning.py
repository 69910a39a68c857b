"""`journal learning add | confirm | list`: the entries of the learnings files.

Invariant: the file is written first and the event appended after it, so the journal never names a
learning that no file holds; a command changes one entry of one file.
"""

import os
import select
import stat
import sys
from typing import Any

from cli.error import warn
from cli.render.text import members, table
from cli.scope import Scope
from cli.write import warn_of_session, writing_session
from journal.errors import JournalError, UsageError
from journal.history.write import stored
from journal.redaction import redact
from journal.text import one_line
from journal.workfiles import files
from journal.workfiles.learnings import Learning, read_learnings, topic_path
from journal.workfiles.learnings_edit import add as with_entry
from journal.workfiles.learnings_edit import confirm as with_confirmation
from journal.workfiles.learnings_edit import pick

_ADD = "journal learning add --topic TOPIC --title TITLE"
_LIST = "journal learning list shows all"
_PHASE = "manual"
_WAIT = 0.5  # seconds for a body that is piped in without --body


def add(scope: Scope, *, topic: str, title: str, phase: str, body: str) -> int:
    """Write a new entry, unverified, to the file of its topic."""
    root, phase = _root(scope), phase or _PHASE
    text = redact(scope.typed(body or ("-" if _piped() else "")))
    title = redact(title)
    relative = _file_of(topic)
    path = os.path.join(root, *relative.split("/"))
    found = files.read_inside(root, relative)
    if found is None and os.path.lexists(path):
        raise JournalError(path, "cannot be read as a learnings file", "check it: ls -l")
    old, state = found or ("", None)
    try:
        new = with_entry(old, title, text, phase, scope.iso)
    except ValueError as error:
        raise UsageError(str(error), _LIST) from None
    _replace(root, path, new, state)
    text = f"recorded in {relative}: {title}"
    return _record(scope, "recorded", text, file=relative, title=title, phase=phase)


def confirm(scope: Scope, *, name: str, phase: str, topic: str) -> int:
    """Confirm one entry once more. name: its title, the beginning of the title, or its digest."""
    root, phase = _root(scope), phase or _PHASE
    learnings = read_learnings(root)
    if not learnings:
        raise JournalError(files.work_dir(root), "there is no learning", f"add one: {_ADD}")
    file = _file_of(topic) if topic else ""
    try:
        entry = pick([each for each in learnings if file in ("", each.file)], name)
        file = entry.file
        text, state = files.read_inside(root, file) or ("", None)
        text, entry = with_confirmation(text, entry.digest, phase, scope.iso)
    except (LookupError, ValueError) as error:
        raise UsageError(str(error), _LIST if isinstance(error, LookupError) else "") from None
    _replace(root, os.path.join(root, *file.split("/")), text, state)
    times = "once" if entry.confirmed == 1 else f"{entry.confirmed} times"
    text = f"confirmed {times}: {entry.title} ({file})"
    facts = {"file": file, "title": entry.title[:200], "phase": phase}
    return _record(scope, "confirmed", text, **facts, count=entry.confirmed)


def listing(scope: Scope, *, topic: str) -> int:
    """Show the entries of all topics, or of one."""
    root = _root(scope)
    found = read_learnings(root) or []
    if topic:
        path = _file_of(topic)
        found = [entry for entry in found if entry.file == path]
    where = f".claude/context/learnings-{topic or '*'}.md"
    none = f"No learnings in {where}. Add one: {_ADD}"
    rows = [
        ("obsolete" if e.obsolete else e.confirmed or "-", e.last or "-", _topic(e.file), e.title)
        for e in found
    ]
    lines = table(rows, scope.columns, heads=("CONFIRMED", "LAST", "TOPIC", "TITLE"))
    return scope.show([_data(entry) for entry in found], lines or [none])


def _replace(root: str, path: str, text: str, state: os.stat_result | None) -> None:
    if not files.replace_text(path, text, state, root=root):
        what = "was not written: it cannot be, or it was changed just now"
        raise JournalError(path, what, "try again")


def _file_of(topic: str) -> str:
    """Return the path of a topic's file below the root. Raise UsageError for an invalid topic."""
    try:
        return topic_path(topic)
    except ValueError as error:
        raise UsageError(str(error), "journal learning list shows the topics") from None


def _record(scope: Scope, what: str, text: str, **body: Any) -> int:
    """Append the event that a learning was `what`, and report it. text: the line to print."""
    event = scope.event(f"learning.{what}", writing_session(scope), **body)
    try:
        seq = scope.append(event)[0]
    except JournalError:
        warn(f"{body['file']} is changed, but the journal has no event of it.")
        raise
    warn_of_session(scope, event)
    return scope.show({"seq": seq, **stored(event)}, [one_line(f"#{seq} {text}")])


def _data(entry: Learning) -> dict[str, Any]:
    return {
        "title": entry.title,
        "topic": _topic(entry.file),
        **members(entry, "file", "line", "digest", "confirmed", "last", "obsolete"),
        "phases": list(entry.phases),
    }


def _topic(path: str) -> str:
    return os.path.basename(path).removeprefix("learnings-").removesuffix(".md")


def _root(scope: Scope) -> str:
    if not scope.project.work or not os.path.isdir(scope.project.work):
        where = scope.asked_project or scope.cwd or "."
        raise JournalError(where, "is not in a project", "name one: --project DIR")
    return scope.project.work


def _piped() -> bool:
    """Return whether stdin holds something; do not wait for an idle pipe."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
        if stat.S_ISREG(mode):
            return True
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            return bool(select.select([sys.stdin], [], [], _WAIT)[0])
    except (OSError, ValueError, AttributeError):
        pass
    return False
