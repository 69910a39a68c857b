"""The stage view: a session's dev cycle, its cost, and whether enough context is left.

Invariant: another session's open cycle is never in a session's view; stopped cycles are, because
any session can resume them.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from cli.render.local_time import zoned_time
from cli.render.text import members
from cli.view.context import ViewContext
from journal.clock import iso
from projections.headroom import headroom_text
from projections.messages import stage_gate
from projections.pressure import Gauge, current_headroom, limit_of
from projections.stage import REVIEW_ROUNDS, STAGES, Cycle, Span, Stage, after
from projections.views import Views

_STOPPED = ("cycle", "stage", "reason", "skipped", "remaining", "at", "seq")
NONE = "No dev cycle in this project. Start one: journal stage start"


class ContextLeft(NamedTuple):
    """percent: None if unknown; unknown: why, or "". limit: tokens at which it ends, 0 if unknown.

    thresholds: stage → what must be left after it: up to 100 in percent, above that in tokens.
    compacts: Claude Code compacts at the limit; otherwise the limit is the end of the window.
    """

    percent: float | None
    unknown: str
    limit: int
    thresholds: dict[str, int]
    compacts: bool = True

    @property
    def text(self) -> str:
        """Return `65.3% left until compaction`, or `context left: unknown` and why."""
        if self.percent is None:
            return f"context left: unknown ({self.unknown})"
        return headroom_text(self.percent, compacts=self.compacts)

    def is_enough(self, stage: str) -> bool | None:
        """Return whether it is enough to go on after a stage; None if unknown or not required."""
        needed = self.thresholds.get(stage)
        if needed is None or self.percent is None:
            return None
        return stage_gate.enough(self.percent, needed, self.limit)


def context_left(views: Views, sid: str, now: int, settings: Mapping[str, Any]) -> ContextLeft:
    """Return what remains for a session at `now` (ms)."""
    gauge = views.pressure.sessions.get(sid) or Gauge()
    window = gauge.limit or gauge.window
    stages = ("sprint", "audit", "ship")
    thresholds = {stage: stage_gate.threshold(stage, window, settings) for stage in stages}
    limit = limit_of(views.pressure, gauge)[0]
    headroom = current_headroom(views.pressure, sid, iso(now), settings["pressure.stale_after"])
    unknown = ""
    if headroom is None:
        unknown = f"the reading of {zoned_time(gauge.at)} is too old"
        if gauge.tokens is None:
            unknown = gauge.unknown
        elif not limit:
            unknown = "the compaction threshold is not known"
    percent = headroom.left if headroom is not None else None
    return ContextLeft(percent, unknown, limit, thresholds, gauge.enabled)


def needed_text(needed: int) -> str:
    """Return what a stage needs as text: `50% is needed`, above 100 in tokens."""
    return f"{needed}% is needed" if needed <= 100 else f"{needed:,} tokens are needed"


def stage(context: ViewContext) -> dict[str, Any]:
    """Return the members of one session, or `sessions` by ID; then the project's stopped cycles."""
    views, now, settings = context.states(), context.scope.now, context.scope.settings
    sid = context.scope.own_session(context.session)
    if sid:
        cycle = context.own("stage") if context.session else None
        if cycle is not None:
            views = replace(views, stage=Stage({**views.stage.sessions, sid: cycle}))
        return of_session(views, sid, now, settings)
    sessions = {
        sid: of_cycle(views, sid, cycle, now, settings)
        for sid, cycle in views.stage.sessions.items()
    }
    return {"session": None, "sessions": sessions, "stopped": _stopped(views)}


def of_session(views: Views, sid: str, now: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the view of one session. now: ms."""
    cycle = views.stage.sessions.get(sid)
    return {
        "session": sid or None,
        **of_cycle(views, sid, cycle, now, settings),
        "stopped": _stopped(views),
    }


def of_cycle(
    views: Views, sid: str, cycle: Cycle | None, now: int, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return one session's cycle; without one, status "none". Unknown numbers are null.

    room: whether enough context remains for the next stage, None if unknown or not required.
    """
    left = context_left(views, sid, now, settings)
    gauge = views.pressure.sessions.get(sid)
    found = cycle if cycle is not None else Cycle(status="none")
    under_way = found.status == "open"
    shown: dict[str, Any] = {
        "cycle": found.cycle if cycle is not None else None,
        "status": found.status,
        "stage": found.stage or None,
        "open": under_way and found.open,
        "next": _next(found),
        "remaining": left.percent,
        "unknown": left.unknown or None,
        "needed": left.thresholds.get(found.stage) if under_way else None,
        "room": left.is_enough(found.stage) if under_way else None,
        "read_at": (gauge.at or None) if gauge is not None else None,
        "thresholds": left.thresholds,
        "limit": left.limit or None,
        "auto_compact": left.compacts,
        "gate": settings["stage.gate"],
        "skipped": found.skipped,
        "reason": found.reason or None,
        "remaining_at_stop": found.remaining,
        "spans": [_span(span) for span in found.spans],
        "metrics": found.metrics,
        "review_rounds": REVIEW_ROUNDS[0] if under_way else REVIEW_ROUNDS[1],
    }
    if cycle is not None:
        shown |= members(cycle, "asked", "moved_to", "seq", "at")
    return shown


def _span(span: Span) -> dict[str, Any]:
    return {
        **members(span, "stage", "started", "finished"),
        "cost": None if span.before is span.left is None else span.cost,
        "remaining_before": span.before,
        "remaining_after": span.left,
    }


def _next(cycle: Cycle) -> str | None:
    """Return the stage that comes next: the first skipped one of a stopped cycle."""
    if cycle.status == "stopped":
        return cycle.skipped[0] if cycle.skipped else after(cycle.stage) or None
    return (after(cycle.stage) or None) if cycle.status == "open" else None


def _stopped(views: Views) -> list[dict[str, Any]]:
    found = [
        {
            "session": sid,
            **{name: getattr(cycle, name) for name in _STOPPED},
            "command": f"journal stage resume {cycle.cycle}",
        }
        for sid, cycle in views.stage.sessions.items()
        if cycle.status == "stopped"
    ]
    return sorted(found, key=lambda item: -item["seq"])


def lines(shown: dict[str, Any]) -> list[str]:
    """Return the text of `journal stage status`."""
    out = []
    if "sessions" in shown:
        for sid, item in shown["sessions"].items():
            out.append(f"session {sid or '(none)'}: {_head(item)}")
        out = out or [NONE]
    else:
        out += [_head(shown), *_body(shown)]
    for item in shown["stopped"]:
        rest = ", ".join(item["skipped"]) or "nothing"
        out.append(
            f"stopped: {item['cycle']} of session {item['session'] or '(none)'} "
            f"({item['reason']}), remaining: {rest}: {item['command']}"
        )
    return out


def _head(item: dict[str, Any]) -> str:
    if item["status"] == "none":
        return "No dev cycle in this session. Start one: journal stage start"
    if item["status"] != "open":
        to = f" to session {item['moved_to']}" if item.get("moved_to") else ""
        return f"{item['cycle']} is {item['status']}{to}; last stage: {item['stage']}"
    how = "open" if item["open"] else "finished"
    follows = f"; next: {item['next']}" if item["next"] else ""
    return f"{item['cycle']}: {item['stage']} is {how}{follows}"


def _body(item: dict[str, Any]) -> list[str]:
    if item["status"] == "none":
        return []
    left = ContextLeft(item["remaining"], item["unknown"] or "", 0, {}, item["auto_compact"])
    out = [f"  {left.text}"]
    if item["needed"] is not None and item["next"]:
        verdict = {True: "enough", False: "not enough", None: "unknown whether enough"}
        out[0] += f"; {needed_text(item['needed'])} for {item['next']}: {verdict[item['room']]}"
    done = [
        f"{span['stage']} " + ("unknown" if span["cost"] is None else f"{span['cost']:,} tokens")
        for span in item["spans"]
    ]
    if done:
        out.append(f"  cost: {', '.join(done)}")
    if item["metrics"]:
        out.append(
            "  metrics: "
            + ", ".join(f"{name} {value:g}" for name, value in item["metrics"].items())
        )
    if item["status"] == "open" and set(STAGES) - {span["stage"] for span in item["spans"]}:
        out.append(f"  review rounds: at most {item['review_rounds']}")
    return out
