"""The stage view: a session's dev cycle, its cost, and whether enough context is left.

Invariant: another session's open cycle is never in a session's view; stopped cycles are, because
any session can resume them.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from cli.render.text import members
from cli.view.context import ViewContext
from cli.work.context_left import ContextLeft, context_left, needed_text
from projections.stage import REVIEW_ROUNDS, STAGES, Cycle, Span, Stage, after
from projections.views import Views

_STOPPED = ("cycle", "stage", "reason", "skipped", "remaining", "at", "seq")
NONE = "No dev cycle in this project. Start one: journal stage start"


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
