"""`journal guard NAME`: whether something that is said once a session is due.

Invariant: what was answered with RUN in a session is never answered with RUN there again, also
when two ask at once; without a session nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.error import OK
from cli.render.text import emit, emit_json
from cli.work.context import Desk, desk
from journal.codec import loads
from journal.errors import UsageError
from journal.log.read import Reader
from journal.workfiles.loop import active_loop

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["guard"]

_LONGEST = 64
_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-")


def guard(scope: Scope, *, name: str) -> int:
    """Print RUN, SKIP or SUPPRESS."""
    if not 0 < len(name) <= _LONGEST or not _SIGNS.issuperset(name):
        raise UsageError(f"{name!r} is no name for a guard", "letters, digits and _ . : -")
    word, why, seq = _word(scope, name)
    if scope.json:
        emit_json({"guard": name, "answer": word, "reason": why, "seq": seq})
    else:
        emit([word])
    return OK


def _word(scope: Scope, name: str) -> tuple[str, str, int | None]:
    loop = active_loop(scope.project.root) if scope.project.root else []
    if loop:
        return "SUPPRESS", f"a loop of another plugin is active: {loop[0]}", None
    if not scope.asked and not scope.current:
        return "RUN", "no session: nothing is remembered", None
    sid = scope.writing_session()
    before, upto = (0, 0)
    if scope.exists():  # most of the journal is read without the lock
        before, upto = _ran(scope, _sid(scope, sid), name, 0)
    if before:
        return "SKIP", f"it ran in this session, #{before}", before
    with desk(scope, sid) as at:
        before, _ = _ran(scope, at.sid, name, upto)
        if before:
            return "SKIP", f"it ran in this session, #{before}", before
        return "RUN", "the first time in this session", _record(at, name)


def _record(at: Desk, name: str) -> int:
    event = at.event("advice.given", what=f"guard:{name}", channel="cli", reason="RUN")
    return at.append(event)[0]


def _ran(scope: Scope, sid: str, name: str, after: int) -> tuple[int, int]:
    """Seq of the record that it ran (0 for none), and the last seq that was looked at."""
    mark = b'"what":"guard:%s"' % name.encode()
    reader = Reader(scope.directory, after)
    for batch in reader.batches():
        for seq, line in batch:
            if mark in line:
                fields = loads(line)
                if isinstance(fields, dict) and fields.get("sid") == sid:
                    return seq, reader.last_seq
    return 0, reader.last_seq


def _sid(scope: Scope, sid: str) -> str:
    return str(scope.event("", sid)["sid"])
