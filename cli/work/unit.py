"""`journal unit …`: a unit of work, its checklist, and what of it is done.

Invariant: an item is meant by its text, a beginning only one has, or its number; what is not clear
is refused with what comes close, never guessed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cli.error import OK, warn
from cli.render.text import emit, emit_json
from cli.work import own_session
from cli.work.context import Desk, RefusedError, desk, idle_desk
from cli.work.unitview import row_of, rows, table_lines
from journal.errors import JournalError, UsageError
from journal.redaction.redact import redact
from journal.text import one_line
from journal.workfiles.checklist import MOST, items_of, parse, started, tick
from journal.workfiles.files import read_file, replace_text
from projections.unit import Unit, current

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["check", "finish", "listing", "match", "start"]

_ID = 60
_TITLE = 160


def start(scope: Scope, *, unit: str, title: str, items: str, item: list[str] | None) -> int:
    """Begin a unit."""
    name = " ".join(unit.split())
    if not name or len(name) > _ID or not name.isprintable():
        raise UsageError(f"{unit!r} is no name for a unit", f"one line of at most {_ID} characters")
    if items and item:
        raise UsageError("--items and --item are two sources", "give one of them")
    given = [(" ".join(text.split()), False) for text in item or ()]
    file = ""
    if items:
        file, given = _from_file(scope, items)
    if len(given) > MOST:
        warn(f"the first {MOST} of {len(given)} items are followed")
    known = items_of([(redact(text), done) for text, done in given if text])
    with desk(scope, scope.writing_session()) as at:
        work = at.views.unit.sessions.get(at.sid)
        old = next((one for one in work.units if one.unit == name), None) if work else None
        texts = [one.text for one in old.items] if old else []
        if (
            old
            and not old.finished
            and title in ("", old.title)
            and file in ("", old.file)
            and (not known or [text for text, _ in known] == texts)
        ):
            return _done(at, old, f"unit {name} is under way already")
        more = {"title": " ".join(title.split())[:_TITLE], "file": file}
        at.append(*_events(at, started(name, known, **more)))
        return _done(at, _unit(at, name), f"unit {name} began")


def check(scope: Scope, *, item: str, undo: bool, unit: str) -> int:
    """Check an item off, or open it again."""
    with idle_desk(scope, scope.writing_session()) as at:
        found = _meant(at, unit)
        texts = [one.text for one in found.items]
        place = match(texts, redact(item))
        text, done = texts[place], not undo
        how = "open" if undo else "done"
        if found.items[place].done is done:
            return _done(at, found, f"{text} is {how} already")
        at.append(
            *_events(
                at, [{"type": "unit.item.checked", "unit": found.unit, "item": text, "done": done}]
            )
        )
        if found.file:
            _tick(scope, found.file, text, done=done)
        return _done(at, _unit(at, found.unit), f"{text} is {how}")


def finish(scope: Scope, *, unit: str) -> int:
    """Finish a unit."""
    with idle_desk(scope, scope.writing_session()) as at:
        found = _meant(at, unit)
        left = sum(not one.done for one in found.items)
        at.append(at.event("unit.finished", unit=found.unit, reason="asked"))
        still = f", {left} of {len(found.items)} items still open" if left else ""
        return _done(at, _unit(at, found.unit), f"unit {found.unit} is finished{still}")


def listing(scope: Scope) -> int:
    """List the units of the session, or of all."""
    from cli.read import fold, outcome, session_of

    if not scope.exists():
        if scope.json:
            emit_json([])
        else:
            emit(["no unit of work"])
        return OK
    folded = fold(scope, ("unit",))
    found = rows(folded.states["unit"], own_session(scope, session_of(scope, folded)))
    if scope.json:
        emit_json(found)
    else:
        emit(table_lines(found, scope.columns) or ["no unit of work"])
    return outcome(folded.reader)


def match(texts: list[str], wanted: str) -> int:
    """Index of the item that is meant; RefusedError with what comes close where none or several."""
    asked = " ".join(wanted.split())
    if asked in texts:
        return texts.index(asked)
    number = asked.removeprefix("#")
    if number.isascii() and number.isdigit() and 1 <= int(number[:6]) <= len(texts):
        return int(number) - 1
    low = asked.casefold()
    for fits in (str.startswith, str.__contains__):
        found = [at for at, text in enumerate(texts) if low and fits(text.casefold(), low)]
        if len(found) == 1:
            return found[0]
        if found:
            close = [texts[at] for at in found]
            break
    else:
        from difflib import get_close_matches

        close = get_close_matches(asked, texts, 3, 0.4)
    meant = "; ".join(f"{texts.index(text) + 1}. {text}" for text in close[:5])
    what = "is the beginning or part of several items" if len(close) > 1 else "is no item"
    remedy = f"meant perhaps: {meant}" if meant else "journal unit list"
    raise RefusedError(f"{asked!r} {what}", remedy)


def _from_file(scope: Scope, path: str) -> tuple[str, list[tuple[str, bool]]]:
    """Name of the file as seen from the project, and its items."""
    here = os.path.join(scope.cwd, os.path.expanduser(path))
    if not os.path.exists(here) and scope.project.root:
        here = os.path.join(scope.project.root, path)
    real = os.path.realpath(here)
    found = read_file(real)
    if found is None:
        raise JournalError(path, "is no text file that can be read", "name a Markdown file")
    items = parse(found[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    if not items:
        raise JournalError(path, "holds no task list", "write items as lines: - [ ] what to do")
    root = scope.project.root
    inside = root and real.startswith(root + os.sep)
    return (os.path.relpath(real, root) if inside else real), items


def _tick(scope: Scope, file: str, item: str, *, done: bool) -> None:
    """Set the box in the unit's file, so that the next edit of it does not say otherwise."""
    root = scope.project.root
    path = os.path.join(root or "/", file)
    found = read_file(path)
    if found is None:
        warn(f"{file} cannot be read: its box stays as it is")
        return
    text, facts = found
    changed = tick(text, item, done=done)
    if changed != text and not replace_text(
        path, changed, facts, root=root if not os.path.isabs(file) else os.path.dirname(path)
    ):
        warn(f"{file} cannot be written: its box stays as it is")


def _meant(at: Desk, name: str) -> Unit:
    """Give the unit that is named, else the newest that is not finished."""
    work = at.views.unit.sessions.get(at.sid)
    units = [one for one in work.units if not one.finished] if work is not None else []
    if name:
        found = [one for one in units if one.unit == name]
        if found:
            return found[0]
        listed = ", ".join(one.unit for one in units) or "none"
        raise RefusedError(f"no open unit of this session is called {name}", f"there is: {listed}")
    if units:
        return units[-1]
    if current(work) is not None:
        raise RefusedError(
            "no unit is open; the client's own task list is followed by itself",
            "journal unit start begins a unit",
        )
    raise RefusedError("no unit is open in this session", "journal unit start ID --title TEXT")


def _events(at: Desk, bodies: list[dict[str, Any]]) -> list[dict[str, Any]]:
    events = []
    for body in bodies:
        members = {name: value for name, value in body.items() if name not in ("type", "done")}
        event = at.event(body["type"], **members)
        if body.get("done") is False:
            event["done"] = False
        events.append(event)
    return events


def _unit(at: Desk, name: str) -> Unit:
    work = at.views.unit.sessions.get(at.sid)
    return next((one for one in work.units if one.unit == name), Unit()) if work else Unit()


def _done(at: Desk, unit: Unit, said: str) -> int:
    if at.scope.json:
        emit_json({"appended": at.seqs, "said": said, "session": at.sid or None, **row_of(unit)})
        return OK
    row = row_of(unit)
    lead = f"#{at.seqs[0]} " if at.seqs else ""
    emit([lead + one_line(said), f"  {row['progress']}"])
    return OK
