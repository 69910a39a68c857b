"""Append what a command records: under the writer's lock, decided from views as of that lock.

Invariant: a command decides and appends under one lock, so two commands at once cannot both begin,
adopt or resume the same thing; what it reports as recorded is in the log.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cli.error import FINDINGS, OK, warn
from cli.read import chosen, sessions_in
from cli.render.text import emit, emit_json
from journal.errors import JournalError, UsageError
from journal.history.current import HOOK_BYTES, PATIENCE, Current, catch_up
from journal.log.append import Writer
from journal.log.record import prepare
from journal.text import one_line, shorten
from projections.views import Views

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cli.scope import Scope

__all__ = [
    "RefusedError",
    "Transaction",
    "bounded",
    "needed_session",
    "report_event",
    "stored",
    "transaction",
    "writing_session",
]


class RefusedError(JournalError):
    """The command does not fit the current state."""

    code = FINDINGS

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__("", what, remedy)


class Transaction:
    """A journal under its lock.

    scope; sid: the session as its events name it; seqs: of the events appended so far.
    """

    def __init__(self, scope: Scope, sid: str, writer: Writer | None = None) -> None:
        self.scope = scope
        self.sid = scope.sid_of(sid)
        self.seqs: list[int] = []
        self._writer = writer
        self._current: Current | None = None

    @property
    def views(self) -> Views:
        """Views of the hooks, up to the last record; empty ones without a journal."""
        return self._folded().views if self._writer is not None else Views()

    @property
    def next_seq(self) -> int:
        """Seq of the next record."""
        return self._writer.last_seq + 1 if self._writer is not None else 1

    def append(self, *events: dict[str, Any]) -> list[int]:
        """Append events and return their seqs."""
        assert self._writer is not None
        seqs = self._writer.append(*events)
        self.seqs += seqs
        return seqs

    def event(self, kind: str, sid: str | None = None, /, **body: Any) -> dict[str, Any]:
        """Build an event of this command's session (or of `sid`)."""
        return self.scope.event(kind, self.sid if sid is None else sid, **body)

    def record(self, kind: str, sid: str | None = None, /, **body: Any) -> int:
        """Build and append one event and return its seq."""
        return self.append(self.event(kind, sid, **body))[0]

    def report(
        self, done: str | list[str], shown: dict[str, Any], *details: str, seq: int | None = None
    ) -> int:
        """Print what was done, and return the exit code.

        As JSON: the seqs, the text, and `shown`. As text: `done` after the first seq (or `seq`),
        then the details.
        """
        if self.scope.json:
            emit_json({"appended": self.seqs, "said": done, **shown})
            return OK
        first, *more = [done] if isinstance(done, str) else done
        lead = f"#{seq or self.seqs[0]} " if self.seqs else ""
        emit([lead + one_line(first), *(f"  {one_line(line)}" for line in (*more, *details))])
        return OK

    def close(self) -> None:
        """Store the views for the next hook."""
        if self._writer is not None and self.seqs:
            current = self._current or Current(self.scope.directory)
            current.advance(self._writer, HOOK_BYTES)
            current.store()

    def _folded(self) -> Current:
        assert self._writer is not None
        if self._current is None:
            self._current = Current(self.scope.directory)
        self._current.advance(self._writer)
        return self._current


@contextmanager
def transaction(scope: Scope, sid: str, *, create: bool = True) -> Iterator[Transaction]:
    """Hold the journal's lock, for a command of session `sid`.

    create: start a journal if there is none; without it the transaction is empty and cannot append.

    Raises:
        Busy: another process held the lock for too long.
        JournalOffError: the journal cannot be written.

    """
    if not create and not scope.exists():
        yield Transaction(scope, sid)
        return
    # Before the lock, so that no hook waits for a long fold.
    catch_up(scope.directory, scope.iso, HOOK_BYTES)
    sync = scope.settings["append.sync"]
    with Writer(scope.directory, scope.iso, sync=sync, deadline=PATIENCE) as writer:
        found = Transaction(scope, sid, writer)
        yield found
        found.close()


def stored(event: dict[str, Any]) -> dict[str, Any]:
    """Return the members of an event as the log holds them: redacted, and cut to fit a record."""
    fields = prepare(event, "").fields
    return {name: fields[name] for name in event}


def report_event(scope: Scope, seq: int, shown: dict[str, Any], lines: Iterable[str]) -> int:
    """Print an appended event: its members (see `stored`) as JSON, or lines. Returns OK."""
    scope.show({"seq": seq, **{name: value for name, value in shown.items() if name != "v"}}, lines)
    return OK


def bounded(text: str, most: int, name: str) -> str:
    """Cut a text to `most` characters, with a warning. name: of the text, as in "the note"."""
    if len(text) > most:
        warn(f"recorded only the first {most:,} of {len(text):,} characters of {name}")
    return shorten(text, most)


def writing_session(scope: Scope) -> str:
    """Return the session a writing command belongs to; warn if it is "", none.

    It is the one asked for: one of the journal by the beginning of its ID too, or a new one.
    """
    sid = scope.asked or scope.current
    if not sid:
        warn("no session: the event belongs to the project alone (--session ID names one)")
    elif scope.asked and scope.exists():
        sids = sessions_in(scope.directory)
        if any(one.startswith(sid) for one in sids):
            return chosen(sid, sids)
    return sid


def needed_session(scope: Scope, what: str) -> str:
    """Return the session of the command; UsageError without one, because `what` needs it."""
    if not scope.asked and not scope.current:
        raise UsageError(
            f"no session: {what} belongs to one",
            "name it: --session ID (journal sessions lists them); Claude Code sets it for Claude",
        )
    return writing_session(scope)
