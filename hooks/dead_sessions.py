"""Sessions that died without an end: a start of another session infers theirs."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.events.hook_input import Call
    from projections.views import Views

__all__ = ["inferred_ends"]


def inferred_ends(views: Views, fact: dict[str, Any], call: Call) -> list[dict[str, Any]]:
    """Return the ends of other sessions whose process is gone.

    A session whose process is not known is left alone, however long it was silent. The session
    that starts needs no end of its own: its start says that an earlier run is over.
    """
    if fact.get("source") == "compact":
        return []
    return [
        {"type": "session.ended", "v": 1, "sid": sid, "inferred": True, "reason": "process gone"}
        for sid, node in views.lineage.sessions.items()
        if not node.ended
        and sid != call.sid
        and node.pid
        and node.pid != fact.get("pid")
        and not _is_alive(node.pid)
    ]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
