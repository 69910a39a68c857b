"""The command `journal view`: what a view is made from, and the object every view begins as.

Invariant: `seq`, `project` and `complete` are in every view; a session that a bounded state has
forgotten is shown as it was at its own last event.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.error import OK
from cli.read import fold, outcome, session_of
from cli.render.text import emit, emit_json
from cli.view import NAMES, VIEWS, function_of
from journal.errors import UsageError
from journal.history.sessions import imported_sessions, merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cli.scope import Scope
    from journal.history.replay.run import Replay
    from projections.session import Session
    from projections.views import Views

__all__ = ["ViewContext", "made", "recorded_in", "show_rows", "show_view", "view"]


class ViewContext:
    """scope; folded: the journal up to where it was asked for; session: "" is all of them.

    recorded: its sessions, with what was imported where all of the journal was asked for.
    """

    def __init__(
        self, scope: Scope, folded: Replay, session: str, recorded: dict[str, Session] | None = None
    ) -> None:
        self.scope = scope
        self.folded = folded
        self.session = session
        self.recorded = recorded or {}

    @property
    def settings(self) -> dict[str, Any]:
        """Settings in effect."""
        return self.scope.settings

    def state(self, name: str) -> Any:
        """State of a projection."""
        return self.folded.states[name]

    def states(self) -> Views:
        """Views as a hook has them; what was not folded is as at the beginning."""
        from projections.views import HOOK_PROJECTIONS, Views

        names = [item.name for item in HOOK_PROJECTIONS if item.name in self.folded.states]
        return Views(**{name: self.state(name) for name in names})

    def at_last(self, names: Iterable[str]) -> ViewContext:
        """Return the context as it was at the session's last event, when bounded states knew it."""
        upto = min(self.folded.sessions.get(self.session, 0), self.folded.seq)
        return ViewContext(self.scope, fold(self.scope, names, upto=upto), self.session)

    @cached_property
    def head(self) -> dict[str, Any]:
        """Members every view begins with."""
        return {
            "project": self.scope.project.root or self.scope.project.name,
            "journal": self.scope.directory,
            "seq": self.folded.seq,
            "at": self.folded.facts.ts or None,
            "complete": self.folded.complete,
        }


def recorded_in(scope: Scope, folded: Replay, *, whole: bool) -> dict[str, Session]:
    """Return the sessions of a folded journal; whole: with those that were imported."""
    imported = imported_sessions(scope.directory) if whole else {}
    found = merged(folded.states["sessions"], imported)
    return {sid: recorded.session for sid, recorded in found.items()}


def made(scope: Scope, name: str, until: str = "") -> tuple[dict[str, Any], Replay]:
    """Make one view; give it and what it was folded from."""
    row = VIEWS[name]
    folded = fold(scope, row.needs, until)
    recorded = recorded_in(scope, folded, whole=not until) if "sessions" in row.needs else {}
    context = ViewContext(scope, folded, session_of(scope, folded, recorded), recorded)
    return {"view": name, **context.head, **function_of(row)(context)}, folded


def show_view(
    scope: Scope, name: str, lines: Callable[[dict[str, Any]], Iterable[str]], none: str
) -> int:
    """Print one view, as JSON or as its lines; `none` is the text without a journal."""
    if not scope.exists() and not scope.json:
        emit([none])
        return OK
    shown, folded = made(scope, name)
    scope.show(shown, lines(shown))
    return outcome(folded.reader)


def show_rows(
    scope: Scope,
    name: str,
    rows: Callable[[Any, str], list[dict[str, Any]]],
    lines: Callable[[list[dict[str, Any]], int], list[str]],
    none: str,
) -> int:
    """Print the rows a projection's state has for this session; `none` is the text without any."""
    found: list[dict[str, Any]] = []
    if not scope.exists():
        scope.show(found, [none])
        return OK
    folded = fold(scope, (name,))
    found = rows(folded.states[name], scope.own_session(session_of(scope, folded)))
    scope.show(found, lines(found, scope.columns) or [none])
    return outcome(folded.reader)


def view(scope: Scope, *, name: str, until: str, write: bool) -> int:
    """Print one view as a JSON object, with or without --json."""
    if write and (name != "stage" or until):
        raise UsageError(
            "--write is for the stage view, as it is now", "journal view stage --write"
        )
    if name not in NAMES:
        raise UsageError(f"there is no view {name}", f"one of: {', '.join(NAMES)}")
    shown, folded = made(scope, name, until)
    emit_json(shown)
    if write:
        from cli.work.stage_files import write as write_files

        write_files(scope, shown)
    return outcome(folded.reader)
