"""What a start of a session does in the background: summaries of sessions that are over.

Started beside the hook that answers, and by others before they search. The client may kill it at
any moment. Invariant: one append under the lock and caches that can be deleted are all it leaves;
run twice, it appends once; it prints nothing and ends no session.
"""

from __future__ import annotations

import os

from hooks import errors
from hooks.capture import Context, parsed, switched_off
from journal.codec import digest, dumps
from journal.errors import JournalOffError
from journal.log.append import Busy, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.digest import Digest
    from projections.summary import Summary

__all__ = ["BYTES", "SESSIONS", "event_of", "later", "summarize_pending"]

SESSIONS = 50  # summarised in one run
BYTES = 64 * 1024 * 1024  # of the log read in one run: a second or two


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
    sid = data.get("session_id")
    try:
        return summarize_pending(
            context.directory,
            context.iso,
            context.settings,
            SESSIONS,
            leaving=sid if isinstance(sid, str) else "",
        )
    except (Busy, JournalOffError) as error:
        errors.note(env, "later", error)
        return 0


def summarize_pending(
    directory: str,
    now: str,
    settings: Mapping[str, Any],
    limit: int = SESSIONS,
    *,
    leaving: str = "",
    most: int = BYTES,
) -> int:
    """Append `session.summarized` for sessions of a journal that are over; give how many.

    now: ISO 8601. limit: sessions at most. leaving: a session that is about to go on. most: bytes
    of the log that are read; where that is not all there is, the rest is for the next run, and so
    are the summaries. Busy or JournalOffError when nothing can be appended.
    """
    if not settings.get("summary.auto", True) or limit <= 0:
        return 0
    from journal.history.summaries.backlog import Pending
    from projections.summary import summarize

    pending = Pending(directory)
    if not pending.read(most):
        return 0
    waiting = [one for one in pending.waiting() if one.sid != leaving][:limit]
    events = [event_of(one, summarize(one)) for one in waiting]
    if not events:
        return 0
    with Writer(directory, now, sync=settings["append.sync"]) as writer:
        # Another run may have been here since the log was read.
        fresh = writer.read(pending.end(writer), writer.size)
        events = [event for event in events if event["key"].encode() not in fresh]
        if events:
            writer.append(*events)
    return len(events)


def event_of(found: Digest, summary: Summary, again: str = "") -> dict[str, Any]:
    """Event of a summary. It belongs to no session: nothing happened in the one it is about.

    again: what tells it from an earlier one of the same state, "" where there is none.
    """
    fields: dict[str, Any] = {
        "type": "session.summarized",
        "v": 1,
        "sid": "",
        "key": digest(dumps(["session.summarized", found.sid, found.seq, again])),
        "branch": found.session.branch,
        "of": found.sid,
        "upto": found.seq,
        "started": found.session.started,
        "ended": found.session.ended,
        "root": found.session.root,
        "title": summary.title,
        "summary": summary.summary,
        "decisions": summary.decisions,
        "files": summary.files,
        "engine": summary.engine,
    }
    return {name: value for name, value in fields.items() if name == "sid" or value not in ("", [])}
