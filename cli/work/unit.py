"""`journal unit …`: a unit of work, its checklist, and which items are done; the view of it.

Invariant: an item is named by its text, by a beginning that only one item has, or by its number;
an unclear name is refused with the closest items, never guessed.
"""

import os
from typing import Any

from cli.error import only_one, warn
from cli.read import fold, session_of
from cli.render.text import members, table
from cli.scope import Scope
from cli.view.context import ViewContext
from cli.work.project_files import find
from cli.write import (
    CommandTransaction,
    RefusedError,
    left_over,
    needed_session,
    transaction,
    writing_session,
)
from journal.errors import JournalError, UsageError
from journal.files import relative_to
from journal.redaction import redact
from journal.workfiles.checklist import MOST, items_of, parse, started, tick
from journal.workfiles.files import read_file, replace_text, without_surrogates
from projections.messages.unfinished import progress_of
from projections.unit import Unit, Units, current, task_list
from projections.views import HOOK_PROJECTIONS

_NOTHING = "No unit of work. Start one: journal unit start ID"
_WHAT = "a unit that continues another session's"
_ID = 60
_TITLE = 160


def start(scope: Scope, *, unit: str, title: str, items: str, item: list[str] | None) -> int:
    """Start a unit."""
    name = " ".join(unit.split())
    if not name or len(name) > _ID or not name.isprintable():
        what = f"{unit!r} is not a valid name of a unit"
        raise UsageError(what, f"one line of at most {_ID} characters")
    only_one({"--items": items, "--item": item})
    entries = [(" ".join(text.split()), False) for text in item or ()]
    file = ""
    if items:
        file, entries = _from_file(scope, items)
    if len(entries) > MOST:
        warn(f"only the first {MOST} of {len(entries)} items are tracked")
    checklist = items_of([(redact(text), done) for text, done in entries if text])
    with transaction(scope, writing_session(scope)) as journal:
        old = _unit(journal, name)
        texts = [text for text, _ in checklist]
        same_items = not texts or texts == [entry.text for entry in old.items]
        same = title in ("", old.title) and file in ("", old.file) and same_items
        if old.unit and not old.finished and same:
            return _report(journal, old, f"unit {name} is open already")
        bodies = started(name, checklist, title=" ".join(title.split())[:_TITLE], file=file)
        journal.append(*(journal.build(body) for body in bodies))
        return _report(journal, _unit(journal, name), f"started unit {name}")


def check(scope: Scope, *, item: str, undo: bool, unit: str) -> int:
    """Check an item off, or open it again."""
    with transaction(scope, writing_session(scope), create=False) as journal:
        found = _open_unit(journal, unit)
        chosen = found.items[match([entry.text for entry in found.items], redact(item))]
        text, done = chosen.text, not undo
        how = "open" if undo else "done"
        if chosen.done is done:
            return _report(journal, found, f"already {how}: {text}")
        body = {"type": "unit.item.checked", "unit": found.unit, "item": text, "done": done}
        journal.append(journal.build(body))
        if found.file:
            _tick(scope, found.file, text, done=done)
        return _report(journal, _unit(journal, found.unit), f"{how}: {text}")


def finish(scope: Scope, *, unit: str) -> int:
    """Finish a unit."""
    with transaction(scope, writing_session(scope), create=False) as journal:
        found = _open_unit(journal, unit)
        left = sum(not item.done for item in found.items)
        journal.record("unit.finished", unit=found.unit, reason="asked")
        still = f", {left} of {len(found.items)} items still open" if left else ""
        return _report(journal, _unit(journal, found.unit), f"finished unit {found.unit}{still}")


def adopt(scope: Scope, *, unit: str) -> int:
    """Continue a unit that an ended session left unfinished."""
    with transaction(scope, needed_session(scope, _WHAT), create=False) as journal:
        origin, found = _left(journal, unit)
        own = _unit(journal, found.unit)
        if own.unit and not own.finished:
            raise RefusedError(
                f"this session has a unit {found.unit} of its own",
                f"finish it first: journal unit finish {found.unit}",
            )
        checklist = [(item.text, item.done) for item in found.items]
        bodies = started(found.unit, checklist, title=found.title, file=found.file, from_sid=origin)
        journal.append(*(journal.build(body) for body in bodies))
        return _report(
            journal, _unit(journal, found.unit), f"continued unit {found.unit} of session {origin}"
        )


def discard(scope: Scope, *, unit: str) -> int:
    """Discard a unit that an ended session left unfinished; its history stays."""
    with transaction(scope, writing_session(scope), create=False) as journal:
        origin, found = _left(journal, unit)
        # The event belongs to the session that owns the unit.
        journal.record("unit.finished", origin, unit=found.unit, reason="discarded")
        return _report(journal, found, f"discarded unit {found.unit} of session {origin}")


def _left(journal: CommandTransaction, name: str) -> tuple[str, Unit]:
    """Return session and unit of the unfinished unit called `name`, or of the only one."""
    left = left_over(journal.views, journal.scope, journal.sid, "unit")
    found = [item for item in left if name in ("", item.work.unit, item.sid)]
    listed = "; ".join(f"{item.work.unit} (session {item.sid})" for item in found)
    if not found:
        what = f"no ended session left a unit {name}".rstrip()
        raise RefusedError(what, "see: journal unit list")
    if len(found) > 1:
        raise UsageError(f"{len(found)} units are unfinished: name the one you mean", listed)
    return found[0].sid, found[0].work


def listing(scope: Scope) -> int:
    """List the units of the session and what ended sessions left, or all units."""
    found: list[dict[str, Any]] = []
    if scope.exists():
        folded = fold(scope, [item.name for item in HOOK_PROJECTIONS])
        own = scope.own_session(session_of(scope, folded))
        views = ViewContext(scope, folded, own).states()
        found = rows(views.unit, own)
        left = left_over(views, scope, own, "unit") if own else []
        found += [{"session": item.sid, "current": False, **row_of(item.work)} for item in left]
    return scope.show(found, _table_lines(found, scope.columns) or [_NOTHING])


def match(texts: list[str], wanted: str) -> int:
    """Return the index of the named item; raise RefusedError with the closest ones if unclear."""
    asked = " ".join(wanted.split())
    if asked in texts:
        return texts.index(asked)
    number = asked.removeprefix("#")
    if number.isascii() and number.isdigit() and 1 <= int(number[:6]) <= len(texts):
        return int(number) - 1
    low = asked.casefold()
    for contains in (str.startswith, str.__contains__):
        found = [at for at, text in enumerate(texts) if low and contains(text.casefold(), low)]
        if len(found) == 1:
            return found[0]
        if found:
            close = [texts[at] for at in found]
            break
    else:
        from difflib import get_close_matches

        close = get_close_matches(asked, texts, 3, 0.4)
    what = "is the beginning or part of several items" if len(close) > 1 else "is not an item"
    meant = "; ".join(f"{texts.index(text) + 1}. {text}" for text in (close or texts)[:5])
    lead = "did you mean" if close else "its items"
    raise RefusedError(f"{asked!r} {what}", f"{lead}: {meant or 'none'}")


def _from_file(scope: Scope, path: str) -> tuple[str, list[tuple[str, bool]]]:
    """Return a file's name relative to the project, and its items."""
    real = os.path.realpath(find(scope, path))
    found = read_file(real)
    if found is None:
        raise JournalError(path, "is not a text file that can be read", "name a Markdown file")
    items = parse(without_surrogates(found[0]))
    if not items:
        raise JournalError(path, "holds no task list", "write items as lines: - [ ] what to do")
    return relative_to(scope.project.root, real), items


def _tick(scope: Scope, file: str, item: str, *, done: bool) -> None:
    """Set the box in the unit's file, so that the next edit of the file does not undo the check."""
    root = scope.project.root
    path = os.path.join(root or "/", file)
    found = read_file(path)
    if found is None:
        warn(f"{file} cannot be read: the item's box in it stays as it is")
        return
    text, state = found
    changed = tick(text, item, done=done)
    folder = os.path.dirname(path) if os.path.isabs(file) else root
    if changed != text and not replace_text(path, changed, state, root=folder):
        warn(f"{file} cannot be written: the item's box in it stays as it is")


def _open_unit(journal: CommandTransaction, name: str) -> Unit:
    """Return the open unit called `name`, or the newest open one."""
    work = journal.views.unit.sessions.get(journal.sid)
    units = [each for each in work.units if not each.finished] if work is not None else []
    if name:
        found = [each for each in units if each.unit == name]
        if found:
            return found[0]
        listed = ", ".join(each.unit for each in units) or "none"
        raise RefusedError(f"this session has no open unit {name}", f"open units: {listed}")
    if units:
        return units[-1]
    if current(work) is not None:
        raise RefusedError(
            "no unit is open; the journal follows Claude Code's own task list by itself",
            "start one: journal unit start ID",
        )
    raise RefusedError("no unit is open in this session", "start one: journal unit start ID")


def _unit(journal: CommandTransaction, name: str) -> Unit:
    """Return a unit of the session by its name; an empty one if there is none."""
    work = journal.views.unit.sessions.get(journal.sid)
    units = work.units if work is not None else []
    return next((each for each in units if each.unit == name), Unit())


def _report(journal: CommandTransaction, unit: Unit, done: str) -> int:
    row = row_of(unit)
    return journal.report(done, {"session": journal.sid or None, **row}, row["progress"])


# -- the view -------------------------------------------------------------------------------------


def view(context: ViewContext) -> dict[str, Any]:
    """Return `current` and `units` of one session, or `units` of all."""
    state: Units = context.holding("unit").state("unit")
    sid = context.scope.own_session(context.session)
    if not sid:
        return {"session": None, "units": rows(state, "")}
    found = rows(state, sid)
    return {
        "session": sid,
        "current": next((row for row in found if row["current"]), None),
        "units": found,
    }


def rows(state: Units, sid: str) -> list[dict[str, Any]]:
    """Return the units of a session ("" is all), newest first; Claude Code's task list is last."""
    found = []
    for owner, work in state.sessions.items():
        if sid and owner != sid:
            continue
        under_way = current(work)
        for each in [*reversed(work.units), *([task_list(work)] if work.tasks else [])]:
            is_current = under_way is not None and each.unit == under_way.unit
            found.append({"session": owner or None, "current": is_current, **row_of(each)})
    return found


def row_of(unit: Unit) -> dict[str, Any]:
    """Return a unit as data. progress: `3/5 done (60%)`; percent is null without items."""
    done = sum(task.done for task in unit.items)
    total = len(unit.items)
    return {
        "unit": unit.unit,
        **members(unit, "title", "file", "finished"),
        "done": done,
        "total": total,
        "percent": round(100 * done / total) if total else None,
        "progress": progress_of(unit),
        "items": [
            {"number": at, "text": task.text, "done": task.done}
            for at, task in enumerate(unit.items, 1)
        ],
        "at": unit.at or None,
        "seq": unit.seq or None,
    }


def _table_lines(found: list[dict[str, Any]], columns: int) -> list[str]:
    """Return the table of `rows`."""
    cells = [
        [
            "*" if row["current"] else "",
            row["unit"],
            "finished" if row["finished"] else "open",
            row["progress"],
            row["title"] or "",
            row["file"] or "",
        ]
        for row in found
    ]
    return table(cells, columns, heads=("", "UNIT", "", "PROGRESS", "TITLE", "FILE"))
