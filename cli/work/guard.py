"""`journal guard NAME`: print whether something that runs once per session is due.

Invariant: a session gets RUN for a name once, also when two processes ask at the same time; without
a session nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.error import OK
from cli.write import transaction, writing_session
from journal.codec import loads
from journal.errors import UsageError
from journal.log.read import Reader
from journal.workfiles.loop import active_loop

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["guard"]

_LONGEST = 64
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-")


def guard(scope: Scope, *, name: str) -> int:
    """Print RUN, SKIP or SUPPRESS."""
    if not 0 < len(name) <= _LONGEST or not _ALLOWED.issuperset(name):
        raise UsageError(f"{name!r} cannot name a guard", "use letters, digits and _ . : -")
    answer, reason, seq = _answer(scope, name)
    scope.show({"guard": name, "answer": answer, "reason": reason, "seq": seq}, [answer])
    return OK


def _answer(scope: Scope, name: str) -> tuple[str, str, int | None]:
    """Return the answer, the reason, and the seq of the record that says it ran."""
    loop = active_loop(scope.project.work) if scope.project.work else []
    if loop:
        return "SUPPRESS", f"a loop of another plugin is active: {loop[0]}", None
    if not scope.asked and not scope.current:
        return "RUN", "no session: nothing is recorded", None
    sid = writing_session(scope)
    ran, last = (0, 0)
    if scope.exists():  # most of the journal is read without the lock
        ran, last = _find(scope, scope.sid_of(sid), name, 0)
    if not ran:
        with transaction(scope, sid) as journal:
            ran, _ = _find(scope, journal.sid, name, last)
            if not ran:
                what = f"guard:{name}"
                seq = journal.record("advice.given", what=what, channel="cli", reason="RUN")
                return "RUN", "the first time in this session", seq
    return "SKIP", f"it ran in this session, #{ran}", ran


def _find(scope: Scope, sid: str, name: str, after: int) -> tuple[int, int]:
    """Return the seq of the record that the guard ran (0 for none), and the last seq read."""
    member = b'"what":"guard:%s"' % name.encode()
    reader = Reader(scope.directory, after)
    for batch in reader.batches():
        for seq, line in batch:
            if member in line:
                fields = loads(line)
                if isinstance(fields, dict) and fields.get("sid") == sid:
                    return seq, reader.last_seq
    return 0, reader.last_seq
