"""Infer the end of sessions that died without a SessionEnd, when another session starts."""

from __future__ import annotations

from journal.clock import millis
from journal.log.record import is_whole, unframe
from journal.process import is_running
from projections.leftover import SILENT_MS
from projections.progress import live
from projections.stage import under_way

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.events.hook_input import Call
    from projections.lineage import Node
    from projections.views import Views


def inferred_ends(
    views: Views, fact: dict[str, Any], call: Call, tail: bytes
) -> list[dict[str, Any]]:
    """Return `session.ended` events for other sessions that are over.

    A session is over when its process is gone or has started another session. If its process is
    unknown, a session with unfinished work is over ten minutes after its last event; one without
    is left open. The starting session gets no inferred end: its start already implies it.
    tail: the log's last bytes.
    """
    now = millis(str(fact.get("ts", ""))) or 0
    ends = []
    for sid, node in views.lineage.sessions.items():
        if node.ended or sid == call.sid:
            continue
        reason = _why_over(node, fact)
        if reason is None and _has_work(views, sid) and _is_silent(sid, tail, now):
            reason = "silent"
        if reason:
            ends.append(
                {"type": "session.ended", "v": 1, "sid": sid, "inferred": True, "reason": reason}
            )
    return ends


def _why_over(node: Node, fact: dict[str, Any]) -> str | None:
    """Return why a session's process no longer runs it; "" if it does, None if unknown."""
    if not node.pid:
        return None
    start = fact.get("pid_start") or 0
    if node.pid == fact.get("pid") and node.pid_start == start:
        # A process has one session: on resume it first announces a new id, then the old one.
        return "same process" if start else ""
    running = is_running(node.pid, node.pid_start)
    return "process gone" if running is False else "" if running else None


def _has_work(views: Views, sid: str) -> bool:
    work = views.unit.sessions.get(sid)
    return (
        under_way(views.stage, sid) is not None
        or live(views.progress, sid) is not None
        or (work is not None and any(not unit.finished for unit in work.units))
    )


def _is_silent(sid: str, tail: bytes, now: int) -> bool:
    """Return whether the session has no record in `tail` that is younger than `SILENT_MS`."""
    member = b'"sid":"' + sid.encode("utf-8", "replace") + b'"'
    lines = tail.split(b"\n")
    own = (line for line in reversed(lines) if member in line[:160] and is_whole(line))
    last = next(own, b"") or next(filter(is_whole, lines), b"")
    at = millis(str(unframe(last).get("ts", ""))) if last else None
    return at is not None and now - at >= SILENT_MS
