"""Build views for the commands, the server and the status page, and print them.

Invariant: each view has `seq`, `project` and `complete`. A session that a bounded state no longer
has is shown as of its last event.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pkgutil import resolve_name
from typing import Any

from cli.error import OK, one_of
from cli.read import fold, session_of
from cli.render.text import emit, emit_json
from cli.scope import Scope
from cli.view import NAMES, VIEWS
from journal.errors import UsageError
from journal.history.replay.run import Replay
from journal.history.sessions import imported_sessions, merged
from projections.session import Session
from projections.views import HOOK_PROJECTIONS, Views


@dataclass
class ViewContext:
    """The folded journal and the session of a view.

    folded: the journal, up to --until if given. session: id, "" for all. recorded: id → session;
    with imported sessions, unless --until is given.
    """

    scope: Scope
    folded: Replay
    session: str
    recorded: dict[str, Session] = field(default_factory=dict)

    def state(self, name: str) -> Any:
        """Return the state of a projection."""
        return self.folded.states[name]

    def states(self) -> Views:
        """Return the views of a hook; views that were not folded are empty."""
        names = [item.name for item in HOOK_PROJECTIONS if item.name in self.folded.states]
        return Views(**{name: self.state(name) for name in names})

    def holding(self, name: str) -> "ViewContext":
        """Return the context in which a projection has the session: as of its last event.

        That is this one, unless the projection's bounded state has dropped the session since.
        """
        if not self.session or self.session in self.state(name).sessions:
            return self
        upto = min(self.folded.sessions.get(self.session, 0), self.folded.seq)
        folded = fold(self.scope, self.folded.states, upto=upto)
        return ViewContext(self.scope, folded, self.session)

    def own(self, name: str) -> Any:
        """Return the session's part of a projection, None if it has none."""
        return self.holding(name).state(name).sessions.get(self.session)

    @cached_property
    def head(self) -> dict[str, Any]:
        """Return the fields that each view begins with."""
        return {
            "project": self.scope.project.root or self.scope.project.name,
            "journal": self.scope.directory,
            "seq": self.folded.seq,
            "at": self.folded.facts.ts or None,
            "complete": self.folded.complete,
        }


def recorded_in(scope: Scope, folded: Replay, *, whole: bool) -> dict[str, Session]:
    """Return the sessions of a folded journal by id. whole: whether to add imported ones."""
    imported = imported_sessions(scope.directory) if whole else {}
    found = merged(folded.states["sessions"], imported)
    return {sid: recorded.session for sid, recorded in found.items()}


def build_view(scope: Scope, name: str, until: str = "") -> dict[str, Any]:
    """Return a view as a dict of JSON values.

    until: seq or time up to which to fold, "" for all.
    """
    row = VIEWS[name]
    folded = fold(scope, row.needs, until)
    recorded = recorded_in(scope, folded, whole=not until) if "sessions" in row.needs else {}
    context = ViewContext(scope, folded, session_of(scope, folded, recorded), recorded)
    return {"view": name, **context.head, **resolve_name(row.function)(context)}


def show_view(
    scope: Scope, name: str, lines: Callable[[dict[str, Any]], Iterable[str]], none: str
) -> int:
    """Print a view as JSON or as lines.

    Args:
        scope: the journal.
        name: of the view.
        lines: returns the lines of the view.
        none: what to print if there is no journal.

    """
    if not scope.exists() and not scope.json:
        emit([none])
        return OK
    shown = build_view(scope, name)
    return scope.show(shown, lines(shown))


def view(scope: Scope, *, name: str, until: str, write: bool) -> int:
    """Print a view as a JSON object, with or without --json. write: also write the stage files."""
    if write and (name != "stage" or until):
        raise UsageError(
            "--write is for the stage view, as it is now", "journal view stage --write"
        )
    shown = build_view(scope, one_of("view", name, NAMES), until)
    emit_json(shown)
    if write:
        from cli.work.stage_files import write as write_files

        write_files(scope, shown)
    return OK
