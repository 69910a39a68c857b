"""`journal guard NAME`: print whether something that runs once per session is due.

Invariant: a session gets RUN for a name once, also when two processes ask at the same time; without
a session nothing is written.
"""

import re

from cli.read import advised
from cli.scope import Scope
from cli.write import transaction, writing_session
from journal.errors import UsageError
from journal.workfiles.loop import active_loop

_NAME = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


def guard(scope: Scope, *, name: str) -> int:
    """Print RUN, SKIP or SUPPRESS."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot name a guard", "use letters, digits and _ . : -")
    answer, reason, seq = _answer(scope, name)
    return scope.show({"guard": name, "answer": answer, "reason": reason, "seq": seq}, [answer])


def _answer(scope: Scope, name: str) -> tuple[str, str, int | None]:
    """Return the answer, the reason, and the seq of the record that says it ran."""
    loop = active_loop(scope.project.work) if scope.project.work else []
    if loop:
        return "SUPPRESS", f"a loop of another plugin is active: {loop[0]}", None
    if not scope.asked and not scope.current:
        return "RUN", "no session: nothing is recorded", None
    sid, what = writing_session(scope), f"guard:{name}"
    ran, last = (0, 0)
    if scope.exists():  # most of the journal is read without the lock
        ran, last = advised(scope.directory, what, scope.sid_of(sid))
    if not ran:
        with transaction(scope, sid) as journal:
            ran, _ = advised(scope.directory, what, journal.sid, last)
            if not ran:
                seq = journal.record("advice.given", what=what, channel="cli", reason="RUN")
                return "RUN", "the first time in this session", seq
    return "SKIP", f"it ran in this session, #{ran}", ran
