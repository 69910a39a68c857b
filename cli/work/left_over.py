"""Unfinished work of sessions that are over, as a command sees it.

A session start infers which sessions have ended; between two starts a command checks their
processes itself. Invariant: work of a session that may be alive is not among it.
"""

from typing import Any

from msgspec.structs import replace

from cli.scope import Scope
from cli.write import CommandTransaction
from journal.process import is_running
from projections.leftover import Leftover, leftovers
from projections.lineage import Lineage
from projections.views import Views


def left_over(journal: CommandTransaction, kind: str) -> list[Any]:
    """Return the unfinished cycles, units or skills that the command's session may take over."""
    views = with_ends(journal.views, journal.scope)
    found: list[Leftover] = leftovers(views, journal.sid, journal.scope.now)[kind]
    return found


def with_ends(views: Views, scope: Scope) -> Views:
    """Return the views with the sessions ended whose process is gone."""
    gone = {
        sid: replace(node, ended=scope.iso)
        for sid, node in views.lineage.sessions.items()
        if not node.ended and node.pid and is_running(node.pid, node.pid_start) is False
    }
    return replace(views, lineage=Lineage({**views.lineage.sessions, **gone})) if gone else views
