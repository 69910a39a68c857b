"""Append events of a program under the writer's lock, based on views read under that lock.

Invariant: a decision and its append share one lock, so two programs running at the same time cannot
both begin, adopt or resume the same thing. What is reported as recorded is in the log.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from journal.history.current import HOOK_BYTES, Current, catch_up, store_views
from journal.history.scope import ProjectScope
from journal.log.append import PATIENCE, Writer
from journal.log.record import prepare
from projections.unit import current
from projections.views import Views

TEXT = 8_000
"""The maximum length of a note or a decision, in characters."""


class Transaction:
    """A journal under its lock.

    scope; sid: the session ID as events store it; seqs: of the events appended so far.
    """

    def __init__(self, scope: ProjectScope, sid: str, writer: Writer | None = None) -> None:
        self.scope = scope
        self.sid = scope.sid_of(sid)
        self.seqs: list[int] = []
        self._writer = writer
        self._current: Current | None = None

    @classmethod
    @contextmanager
    def locked(cls, scope: ProjectScope, sid: str) -> Iterator[Self]:
        """Hold the journal's lock for a program of session `sid`; create the journal if needed.

        Raises:
            Busy: another process held the lock for too long.
            JournalOffError: the journal cannot be written.

        """
        # Fold before taking the lock, so that no hook waits for a long fold.
        catch_up(scope.directory, scope.iso, HOOK_BYTES)
        sync = scope.settings["append.sync"]
        with Writer(scope.directory, scope.iso, sync=sync, deadline=PATIENCE) as writer:
            found = cls(scope, sid, writer)
            yield found
            found.close()

    @property
    def views(self) -> Views:
        """Return the hooks' views up to the last record; empty views without a journal."""
        return self._folded().views if self._writer is not None else Views()

    @property
    def next_seq(self) -> int:
        """Return the seq of the next record."""
        return self._writer.last_seq + 1 if self._writer is not None else 1

    def append(self, *events: dict[str, Any]) -> list[int]:
        """Append events and return their seqs."""
        assert self._writer is not None
        seqs = self._writer.append(*events)
        self.seqs += seqs
        return seqs

    def event(self, kind: str, sid: str | None = None, /, **body: Any) -> dict[str, Any]:
        """Build an event of this command's session, or of `sid` if given."""
        return self.scope.event(kind, self.sid if sid is None else sid, **body)

    def build(self, body: dict[str, Any]) -> dict[str, Any]:
        """Build an event from a body that includes its type, as the work files return it."""
        members = dict(body)
        return self.event(members.pop("type"), **members)

    def record(self, kind: str, sid: str | None = None, /, **body: Any) -> int:
        """Build and append one event and return its seq."""
        return self.append(self.event(kind, sid, **body))[0]

    @property
    def unit(self) -> str:
        """Return the session's current unit of work, or "" if there is none."""
        unit = current(self.views.unit.sessions.get(self.sid))
        return unit.unit if unit is not None else ""

    def close(self) -> None:
        """Store the views for the next hook."""
        if self._writer is not None and self.seqs:
            store_views(self._writer, self._current)

    def _folded(self) -> Current:
        assert self._writer is not None
        if self._current is None:
            self._current = Current(self.scope.directory)
        self._current.advance(self._writer)
        return self._current


def decide(scope: ProjectScope, sid: str, text: str) -> tuple[int, dict[str, Any]]:
    """Record a decision in the session's current unit of work; return its seq and its event."""
    with Transaction.locked(scope, sid) as journal:
        event = journal.event("decision.recorded", text=text, unit=journal.unit)
        return journal.append(event)[0], event


def note(scope: ProjectScope, sid: str, text: str) -> tuple[int, dict[str, Any]]:
    """Record a work-log entry that only the journal stores; return its seq and its event."""
    event = scope.event("flow.noted", sid, text=text)
    return scope.append(event)[0], event


def stored(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event's members, without `v`, as the log stores them: redacted, cut to fit."""
    fields = prepare(event, "").fields
    return {name: fields[name] for name in event if name != "v"}
