"""Shared parts of commands that record: the lock, the session, the report of what was appended.

Invariant: what a command reports as recorded is in the log (see journal.history.write). Work of a
session that may be alive is not offered to another one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from cli.error import FINDINGS, warn
from cli.read import session_option, sessions_in
from cli.scope import Scope
from journal.errors import JournalError, UsageError
from journal.history import write as history
from journal.history.find_session import is_last, matching_sids
from journal.process import is_running
from journal.text import one_line, quoted, shorten
from projections.leftover import Leftover, leftovers
from projections.lineage import Lineage
from projections.views import Views

_SHOWN = 60  # characters of a session's ID that a warning repeats


class RefusedError(JournalError):
    """The command does not fit the current state."""

    code = FINDINGS

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__("", what, remedy)


class CommandTransaction(history.Transaction):
    """A journal under its lock, for a command."""

    scope: Scope

    def append(self, *events: dict[str, Any]) -> list[int]:
        """Append events and return their seqs; warn if their session may not be the one meant."""
        seqs = super().append(*events)
        warn_of_session(self.scope, *events)
        return seqs

    def report(
        self, done: str | list[str], shown: dict[str, Any], *details: str, seq: int | None = None
    ) -> int:
        """Print what was done, and return the exit code.

        As JSON: the seqs, the text, and `shown`. As text: `done` after the first seq (or `seq`),
        then the details.
        """
        first, *more = [done] if isinstance(done, str) else done
        lead = f"#{seq or self.seqs[0]} " if self.seqs else ""
        below = (f"  {one_line(line)}" for line in (*more, *details))
        data = {"appended": self.seqs, "said": done, **shown}
        return self.scope.show(data, [lead + one_line(first), *below])


def left_over(views: Views, scope: Scope, sid: str, kind: str) -> list[Leftover]:
    """Return the unfinished work of ended sessions that session `sid` may take over.

    A session's start infers which sessions have ended; between two starts this checks their
    processes. kind: "cycle", "unit" or "skill".
    """
    gone = {
        name: replace(node, ended=scope.iso)
        for name, node in views.lineage.sessions.items()
        if not node.ended and node.pid and is_running(node.pid, node.pid_start) is False
    }
    views = replace(views, lineage=Lineage({**views.lineage.sessions, **gone}))
    return leftovers(views, sid, scope.now)[kind]


@contextmanager
def transaction(scope: Scope, sid: str, *, create: bool = True) -> Iterator[CommandTransaction]:
    """Hold the journal's lock, for a command of session `sid`.

    create: start a journal if there is none; without it the transaction is empty and cannot append.

    Raises:
        Busy: another process held the lock for too long.
        JournalOffError: the journal cannot be written.

    """
    if not create and not scope.exists():
        yield CommandTransaction(scope, sid)
        return
    with CommandTransaction.locked(scope, sid) as found:
        yield found


def bounded(text: str, most: int, name: str) -> str:
    """Cut a text to `most` characters, with a warning. name: of the text, as in "the note"."""
    if len(text) > most:
        warn(f"recorded only the first {most:,} of {len(text):,} characters of {name}")
    return shorten(text, most)


def warn_of_session(scope: Scope, *events: dict[str, Any]) -> None:
    """Warn if recorded events belong to no session, or are the first found of the one named."""
    if not all(event.get("sid") for event in events):
        warn("no session given: recorded for the project only (--session ID names a session)")
    if scope.begins:
        scope.begins = False
        warn(
            f"found no session {quoted(scope.asked, _SHOWN)} here: recorded as a new session; if "
            "you meant another, run this again with its ID (journal sessions lists them)"
        )


def writing_session(scope: Scope) -> str:
    """Return the session a writing command belongs to, "" for none.

    --session names one of the journal, by its ID or the beginning of one, or a new one: a session
    whose first event is not in the log yet, or cannot be read, can be written to.
    """
    if not scope.asked:
        return scope.current
    sids = sessions_in(scope.directory) if scope.exists() else set()
    if is_last(scope.asked) or matching_sids(scope.asked, sids):
        return session_option(scope, sids)
    scope.begins = True
    return scope.asked


def needed_session(scope: Scope, what: str) -> str:
    """Return the session of the command; raise UsageError without one, because `what` needs it."""
    if not scope.asked and not scope.current:
        raise UsageError(
            f"{what} belongs to a session, and none is given",
            "name one: --session ID (journal sessions lists them); inside Claude Code it is set",
        )
    return writing_session(scope)
