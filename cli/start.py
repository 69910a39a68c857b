"""`journal` without a command: last sessions, cost, open work, and the next useful command."""

import shutil
from typing import Any

from cli.error import OK
from cli.import_.automatic import need_past
from cli.past.get import newest
from cli.render.text import dollars, emit, short_id
from cli.scope import Scope
from cli.status import collect
from cli.status_text import brief
from cli.unread import open_history, read_unread
from journal.clock import DAY_MS, iso
from journal.errors import JournalError
from journal.history.moved import moved_from, moved_note
from journal.history.usage.parts import Selection
from journal.history.usage.prices import load_prices
from journal.history.usage.report import usage_report
from journal.installation import setup_command
from journal.text import one_line, plural, wrapped

_IMPORT = ("journal import", "it imports past sessions from Claude Code's transcripts")
_SESSIONS = 5


def start(scope: Scope) -> int:
    """Print the last sessions, their cost, open work and what to do next.

    Past sessions are imported first, as by any command that reads. Without a journal and without
    past sessions, only the next command is printed.
    """
    waiting = need_past(scope)
    if not scope.exists():
        emit(wrapped(one_line(f"No journal {scope.purpose} yet."), scope.columns))
        for directory in moved_from(scope):
            emit(wrapped(one_line(moved_note(scope.home, directory)), scope.columns))
        if waiting:
            _print_next(scope, *_IMPORT)
        elif found := sum(bool(item.size and not item.agent) for item in scope.transcripts):
            why = f"Claude Code has {plural(found, 'past session')} of other projects"
            _print_next(scope, "journal sessions --all", why)
        else:
            _print_next(scope, *_first_session(scope))
        return OK
    data = collect(scope)  # first, because the list needs what it folds
    newest(scope, _SESSIONS, has_some=bool(data["sessions"]["known"]))
    emit(wrapped(_cost(scope, data["sessions"]["compactions"]), scope.columns))
    emit(["", *now] if (now := brief(data, scope)) else [])
    emit([""])
    _print_next(scope, *_next_command(data, scope, waiting=waiting))
    return OK


def _cost(scope: Scope, recorded: int) -> str:
    """Return the cost of the project's replies, as `journal usage` has it, and of compactions.

    recorded: compactions in the logs; some have no reply yet, and some are in transcripts alone.
    """
    try:
        prices, project = load_prices(scope.home), scope.project.name
    except JournalError as error:  # a list of the user's own
        return f"Cost: unknown. {error}."
    unread = read_unread(scope, every=False)
    with open_history(scope.home, project, unread) as history:
        whole, week = (
            usage_report(history, prices, (), Selection(since, project=project), unread).total
            for since in ("", iso(scope.now - 7 * DAY_MS))
        )
    if not whole.replies:
        return "Cost: no reply is recorded yet."
    recent, ever = dollars(week.cost or 0.0, week.unpriced), dollars(whole.cost, whole.unpriced)
    text = f"Cost: {recent} in the last 7 days, {ever} in all"
    if compactions := max(recorded, whole.compactions):
        caused = dollars(whole.compact_cost, whole.unpriced)
        text += f", {caused} of it for {plural(compactions, 'compaction')}"
    why = ""
    if whole.unpriced:
        why = " explains the ?"
    elif whole.is_too_low:
        why = " says why that is too low"
    return f"{text} (journal usage{why})."


def _first_session(scope: Scope) -> tuple[str, str]:
    """Return the command that gets a session recorded, and why."""
    if not scope.is_set_up():
        return setup_command(scope.env), "it records your next session"
    there = shutil.which("claude", path=scope.env.get("PATH", ""))
    if there:
        return "claude", "the journal records your next session"
    lines = "type the two lines that `journal setup` prints, if you have not yet"
    return "start Claude Code", f"{lines}; claude is not on PATH"


def _next_command(data: dict[str, Any], scope: Scope, *, waiting: int) -> tuple[str, str]:
    """Return the command that helps most now, and why."""
    if data["damage"]:
        return "journal verify", "something in the journal is damaged; it shows where"
    if data["config"]["problems"]:
        return "journal config check", "a setting is wrong"
    known, opened = data["sessions"]["known"], data["sessions"]["open"]
    if not known:
        return _IMPORT if waiting else _first_session(scope)
    if known <= data["imported"]["sessions"] and not scope.is_set_up():  # hooks have recorded none
        return setup_command(scope.env), "Claude then gets back what a compaction drops"
    if any(work.get("stage", {}).get("status") == "stopped" for work in data["work"].values()):
        return "journal stage resume", "a dev cycle was stopped"
    if unsaved := data["compound"]["unpromoted"]:
        count = plural(unsaved, "entry", "entries")
        return "/journal:compound in Claude Code", f"{count} of the work log not saved as learnings"
    name = "last" if known > len(opened) else short_id(opened[-1])
    return f"journal show {name}", "to read the session; journal usage shows its cost"


def _print_next(scope: Scope, command: str, why: str) -> None:
    emit(wrapped(f"Next: {command} ({why})", scope.columns))
    emit(wrapped("All commands: journal help", scope.columns))
