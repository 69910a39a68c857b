"""`journal learning add | confirm | list`: the stock, through its files.

Invariant: the file is written first and the event appended after it, so the journal never names a
learning that was not written; only one entry of one file is touched.
"""

from __future__ import annotations

import os
import select
import stat
import sys
from typing import TYPE_CHECKING, Any

from cli.error import OK
from cli.render.text import emit, emit_json, table
from cli.write import append, stored
from journal.errors import JournalError, UsageError
from journal.redaction.redact import redact
from journal.text import one_line
from journal.workfiles import files
from journal.workfiles.learnings import add as with_entry
from journal.workfiles.learnings import confirm as with_confirmation
from journal.workfiles.learnings import read_learnings, topic_path

if TYPE_CHECKING:
    from cli.scope import Scope
    from journal.workfiles.learnings import Learning

__all__ = ["add", "confirm", "listing"]

_PHASE = "manual"
_WAIT = 0.5  # seconds for a body that is piped in without --body


def add(scope: Scope, *, topic: str, title: str, phase: str, body: str) -> int:
    """Write a new entry, unverified, to the file of its topic."""
    root = _root(scope)
    text_body = redact(_body(body))
    title = redact(title)
    try:
        relative = topic_path(topic)
    except ValueError as error:
        raise UsageError(str(error), "journal learning list shows the topics there are") from None
    path = os.path.join(root, *relative.split("/"))
    found = files.read_inside(root, relative)
    if found is None and os.path.lexists(path):
        raise JournalError(path, "cannot be read as a learnings file", "look at it: ls -l")
    before, facts = found or ("", None)
    try:
        after = with_entry(before, title, text_body, phase or _PHASE, scope.iso)
    except ValueError as error:
        raise UsageError(str(error), "journal learning list shows what there is") from None
    if not files.replace_text(path, after, facts, root=root):
        raise JournalError(
            path, "was not written: it cannot be, or it was changed just now", "try again"
        )
    event = scope.event(
        "learning.recorded",
        scope.writing_session(),
        file=relative,
        title=title,
        phase=phase or _PHASE,
    )
    return _told(scope, event, f"recorded in {relative}: {title}")


def confirm(scope: Scope, *, name: str, phase: str, topic: str) -> int:
    """Confirm one entry once more, found by its title, the beginning of it, or its digest."""
    root = _root(scope)
    known = read_learnings(root)
    if not known:
        raise JournalError(files.work_dir(root), "there is no learning", "journal learning add")
    paths = [topic_path(topic)] if topic else list(dict.fromkeys(e.file for e in known))
    relative, after, entry, facts = _confirmed(root, paths, name, phase or _PHASE, scope.iso)
    path = os.path.join(root, *relative.split("/"))
    if not files.replace_text(path, after, facts, root=root):
        raise JournalError(
            path, "was not written: it cannot be, or it was changed just now", "try again"
        )
    event = scope.event(
        "learning.confirmed",
        scope.writing_session(),
        file=relative,
        title=entry.title[:200],
        phase=phase or _PHASE,
        count=entry.confirmed,
    )
    times = "once" if entry.confirmed == 1 else f"{entry.confirmed} times"
    return _told(scope, event, f"confirmed {times}: {entry.title} ({relative})")


def listing(scope: Scope, *, topic: str) -> int:
    """Show all entries, those of one topic with --topic."""
    root = _root(scope)
    found = read_learnings(root) or []
    if topic:
        path = topic_path(topic)
        found = [entry for entry in found if entry.file == path]
    if scope.json:
        emit_json([_data(entry) for entry in found])
        return OK
    if not found:
        emit(["no learnings in .claude/context/learnings-*.md"])
        return OK
    rows = [
        ("obsolete" if e.obsolete else e.confirmed or "-", e.last or "-", _topic(e.file), e.title)
        for e in found
    ]
    emit(table(rows, scope.columns, heads=("CONFIRMED", "LAST", "TOPIC", "TITLE")))
    return OK


def _confirmed(
    root: str, paths: list[str], name: str, phase: str, today: str
) -> tuple[str, str, Learning, os.stat_result]:
    fits: list[tuple[str, str, Learning, os.stat_result]] = []
    misses: list[str] = []
    for relative in paths:
        found = files.read_inside(root, relative)
        if found is None:
            continue
        try:
            after, entry = with_confirmation(found[0], name, phase, today)
        except LookupError as error:
            misses.append(str(error.args[0]))
        except ValueError as error:
            raise UsageError(str(error)) from None
        else:
            fits.append((relative, after, entry, found[1]))
    exact = [fit for fit in fits if name.lower() in (fit[2].title.lower(), fit[2].digest)]
    chosen = exact or fits
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        where = ", ".join(f"{entry.title!r} in {path}" for path, _, entry, _ in chosen[:4])
        raise UsageError(f"{name!r} fits {len(chosen)} learnings: {where}", "name the --topic")
    telling = [miss for miss in misses if not miss.startswith("no learning") or ";" in miss]
    raise UsageError(
        (telling or misses or [f"no learning {name!r}"])[0],
        "journal learning list shows what there is",
    )


def _told(scope: Scope, event: dict[str, Any], text: str) -> int:
    seq = append(scope, event)[0]
    if scope.json:
        body = {name: value for name, value in stored(event).items() if name != "v"}
        emit_json({"seq": seq, **body})
    else:
        emit([one_line(f"#{seq} {text}")])
    return OK


def _data(entry: Learning) -> dict[str, Any]:
    return {
        "title": entry.title,
        "topic": _topic(entry.file),
        "file": entry.file,
        "line": entry.line,
        "digest": entry.digest,
        "confirmed": entry.confirmed,
        "last": entry.last or None,
        "phases": list(entry.phases),
        "obsolete": entry.obsolete,
    }


def _topic(path: str) -> str:
    return os.path.basename(path).removeprefix("learnings-").removesuffix(".md")


def _root(scope: Scope) -> str:
    if not scope.project.root or not os.path.isdir(scope.project.root):
        where = scope.asked_project or scope.cwd or "."
        raise JournalError(where, "is in no project", "name one: --project DIR")
    return scope.project.root


def _body(given: str) -> str:
    """--body TEXT, or stdin: for `-`, and where something is piped in without --body."""
    if given and given != "-":
        return given
    if given == "-" or _piped():
        return sys.stdin.read()
    return ""


def _piped() -> bool:
    """Whether stdin holds something; an idle pipe is not waited for."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
        if stat.S_ISREG(mode):
            return True
        if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
            return bool(select.select([sys.stdin], [], [], _WAIT)[0])
    except (OSError, ValueError, AttributeError):
        pass
    return False
