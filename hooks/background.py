"""What a start of a session does in the background: summaries of sessions that are over.

Started beside the hook that answers, and by others before they search. The client may kill it at
any moment. Invariant: one append under the lock and caches that can be deleted are all it leaves;
run twice, it appends once; it prints nothing and ends no session.
"""

from __future__ import annotations

import os

from hooks import errors
from hooks.capture import Context, parsed, switched_off
from journal.errors import JournalOffError
from journal.log.append import Busy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["later"]


def later(raw: bytes, env: Mapping[str, str]) -> int:
    """Summarise what waits in the project of a SessionStart's input; how many that were."""
    data, trouble = parsed(raw)
    cwd = data.get("cwd")
    if (
        switched_off(env)
        or trouble
        or data.get("hook_event_name") != "SessionStart"
        or "agent_id" in data
    ):
        return 0
    context = Context(env, cwd if isinstance(cwd, str) else "")
    if context.settings["capture.level"] == "off" or not os.path.isdir(context.directory):
        return 0
    from hooks.packages import ready

    if not ready():
        return 0
    from journal.history.summaries.backlog import SESSIONS, summarize_waiting

    sid = data.get("session_id")
    try:
        return summarize_waiting(
            context.directory,
            context.iso,
            context.settings,
            SESSIONS,
            leaving=sid if isinstance(sid, str) else "",
        )
    except (Busy, JournalOffError) as error:
        errors.note(env, "later", error)
        return 0
