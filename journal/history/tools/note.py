"""The tool `note`: a decision, an open item or an entry of the work log, of this session.

Invariant: what is reported as recorded is in the log, in the caller's session.
"""

from journal.errors import UsageError
from journal.history import write
from journal.history.scope import ProjectScope
from journal.redaction import redact
from journal.text import quoted
from journal.workfiles.checklist import MOST, items_of, started
from projections.unit import Unit

ITEMS = "open-items"
"""Unit for open items if no unit of work is under way."""
_SHOWN = 200


def note(scope: ProjectScope, kind: str, text: str) -> str:
    """Record a text; return a message with its seq."""
    is_off = scope.env.get("JOURNAL_OFF", "") not in ("", "0")
    if is_off or scope.settings["capture.level"] == "off":
        raise UsageError("nothing is recorded here", "the user can set capture.level")
    sid, text = scope.current, text.strip()
    if kind == "item":
        return _item(scope, sid, " ".join(text.split()))
    record = write.decide if kind == "decision" else write.note
    seq, event = record(scope, sid, text)
    what = "decision" if kind == "decision" else "work-log entry"
    whose = f"of session {event['sid']}" if event["sid"] else "of the project: no session is known"
    shown = quoted(write.stored(event)["text"], _SHOWN)
    return f"Recorded as event {seq}, a {what} {whose}: {shown}"


def _item(scope: ProjectScope, sid: str, text: str) -> str:
    if not sid:
        raise UsageError("an open item belongs to a session, and none is known", "note an entry")
    [(name, _)] = items_of([(redact(text), False)])
    with write.Transaction.locked(scope, sid) as journal:
        unit = _unit(journal)
        items = [] if unit is None else unit.items
        if len(items) >= MOST:
            raise UsageError(f"the unit has {MOST} items already", "journal unit list shows them")
        if any(item.text == name and not item.done for item in items):
            return f"Open already: {quoted(name, _SHOWN)}"
        if unit is None:
            [body] = started(ITEMS, [(name, False)], title="Open items")
        else:
            body = {"type": "unit.item.checked", "unit": unit.unit, "item": name, "done": False}
        (seq,) = journal.append(journal.build(body))
    of = unit.unit if unit is not None else ITEMS
    done = f"journal unit check {quoted(name, _SHOWN)} checks it off"
    return f"Recorded as event {seq}, an open item of {of} in session {journal.sid}; {done}."


def _unit(journal: write.Transaction) -> Unit | None:
    """Return the current unit without a file; a unit with a file has only the file's items."""
    work = journal.views.unit.sessions.get(journal.sid)
    units = [unit for unit in work.units if not unit.finished and not unit.file] if work else []
    return units[-1] if units else None
