"""The hold of a writing command on a journal: lock, views folded to the last record, append.

Invariant: nothing is decided from views that are older than the lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.error import FINDINGS
from hooks.answer import load_fold, save_fold, views_of
from journal.errors import JournalError, UsageError
from journal.log.append import Writer
from projections.views import Views

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from cli.scope import Scope
    from projections.fold import Fold

__all__ = ["Desk", "RefusedError", "desk", "idle_desk", "needed_session"]

_PATIENCE = 5.0  # seconds a person's command waits for the lock


class RefusedError(JournalError):
    """What was asked for does not fit what is there."""

    code = FINDINGS

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__("", what, remedy)


class Desk:
    """scope; sid: session as its events carry it; views: as of now; seqs: of what was appended."""

    def __init__(self, scope: Scope, sid: str, writer: Writer | None, fold: Fold | None) -> None:
        self.scope = scope
        self.sid = scope.event("", sid)["sid"]
        self.views = views_of(fold) if fold is not None else Views()
        self.seqs: list[int] = []
        self._writer = writer
        self._fold = fold

    @property
    def next_seq(self) -> int:
        """Seq the next record gets."""
        return self._writer.last_seq + 1 if self._writer is not None else 1

    def append(self, *events: dict[str, Any]) -> list[int]:
        """Append events made by `event`, and fold them in; give their seqs."""
        assert self._writer is not None
        seqs = self._writer.append(*events)
        self.seqs += seqs
        self._fold = load_fold(self._writer)
        self.views = views_of(self._fold)
        return seqs

    def event(self, kind: str, sid: str | None = None, /, **body: Any) -> dict[str, Any]:
        """Event of this command's session (or `sid`)."""
        return self.scope.event(kind, self.sid if sid is None else sid, **body)

    def close(self) -> None:
        """Keep the folded state for the next hook."""
        if self._writer is not None and self._fold is not None and self.seqs:
            save_fold(self._writer, self._fold)


def desk(scope: Scope, sid: str) -> AbstractContextManager[Desk]:
    """Take the lock; the journal begins here where there is none. Busy, JournalOffError."""
    from contextlib import contextmanager

    @contextmanager
    def held() -> Iterator[Desk]:
        sync = scope.settings["append.sync"]
        with Writer(scope.directory, scope.iso, sync=sync, deadline=_PATIENCE) as writer:
            found = Desk(scope, sid, writer, load_fold(writer))
            yield found
            found.close()

    return held()


def idle_desk(scope: Scope, sid: str) -> AbstractContextManager[Desk]:
    """Give a desk as `desk` does; where there is no journal an empty one that begins none."""
    from contextlib import nullcontext

    return desk(scope, sid) if scope.exists() else nullcontext(Desk(scope, sid, None, None))


def needed_session(scope: Scope, what: str) -> str:
    """Session of the command; UsageError where there is none and `what` belongs to one."""
    if not scope.asked and not scope.current:
        raise UsageError(
            f"no session: {what} belongs to one",
            "name it: --session ID (journal view sessions lists them); within the client it is set",
        )
    return scope.writing_session()
