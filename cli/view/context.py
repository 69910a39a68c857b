"""What a view is made from, and the members that every view begins with.

The commands, the server and the status page make views here. Invariant: `seq`, `project` and
`complete` are in every view; a session that a bounded state has forgotten is shown as it was at
its own last event.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from cli.read import fold, session_of
from cli.view import VIEWS, function_of
from journal.history.sessions import imported_sessions, merged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cli.scope import Scope
    from journal.history.replay.run import Replay
    from projections.session import Session
    from projections.views import Views

__all__ = ["ViewContext", "made", "recorded_in"]


class ViewContext:
    """The folded journal and the session of a view.

    folded: the journal, up to --until; session: "" for all; recorded: its sessions, without --until
    also the imported ones.
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
        """Return the settings in effect."""
        return self.scope.settings

    def state(self, name: str) -> Any:
        """Return the state of a projection."""
        return self.folded.states[name]

    def states(self) -> Views:
        """Return the views as a hook has them; what was not folded is empty."""
        from projections.views import HOOK_PROJECTIONS, Views

        names = [item.name for item in HOOK_PROJECTIONS if item.name in self.folded.states]
        return Views(**{name: self.state(name) for name in names})

    def at_last(self, names: Iterable[str]) -> ViewContext:
        """Return the context as it was at the session's last event, when bounded states knew it."""
        upto = min(self.folded.sessions.get(self.session, 0), self.folded.seq)
        return ViewContext(self.scope, fold(self.scope, names, upto=upto), self.session)

    @cached_property
    def head(self) -> dict[str, Any]:
        """Return the members that every view begins with."""
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


def made(scope: Scope, name: str, until: str = "") -> dict[str, Any]:
    """Make one view."""
    row = VIEWS[name]
    folded = fold(scope, row.needs, until)
    recorded = recorded_in(scope, folded, whole=not until) if "sessions" in row.needs else {}
    context = ViewContext(scope, folded, session_of(scope, folded, recorded), recorded)
    return {"view": name, **context.head, **function_of(row)(context)}
