"""The stage gate: whether, at the end of a turn, there is a next stage and room for it.

It asks, it does not verify. Invariant: only the session that owns an open cycle is ever asked, a
stage that is still open once, a transition at most `stage.max_continuations` times; unknown room is
said to be unknown and asks nothing of the model.
"""

from __future__ import annotations

from projections.messages.answer import Answer, advice
from projections.messages.pressure import is_fresh
from projections.stage import STAGES, after, skipped_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.stage import Cycle
    from projections.views import Views

__all__ = ["answer", "enough", "remaining", "threshold"]


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Answer a Stop for the session's own cycle; None: the gate has nothing to do with it."""
    cycle = views.stage.sessions.get(event.sid)
    if cycle is None or cycle.status != "open" or settings["stage.gate"] == "off":
        return None
    if cycle.stage == STAGES[-1]:
        return _close(cycle)
    left = remaining(views, event, settings)
    if cycle.open:
        return _ask_open(views, cycle, left, event, settings)
    return _transition(views, cycle, left, event, settings)


def remaining(views: Views, event: Any, settings: Mapping[str, Any]) -> float | None:
    """Percent of the context that remains for the session of `event`; None is unknown or stale."""
    gauge = views.pressure.sessions.get(event.sid)
    if gauge is None or gauge.tokens is None or not (gauge.limit or gauge.window):
        return None
    if not is_fresh(gauge, event, settings):
        return None
    limit = gauge.limit or gauge.window
    return round(max(0.0, 100 * (limit - gauge.tokens) / limit), 1)


def threshold(stage: str, window: int, settings: Mapping[str, Any]) -> int:
    """What must remain after `stage`: percent up to 100, else tokens; a long window has its own."""
    long = settings.get(f"stage.thresholds_long.{stage}", -1)
    if window > 200_000 and long >= 0:
        return int(long)
    return int(settings[f"stage.thresholds.{stage}"])


def enough(left: float, needed: int, limit: int) -> bool:
    """Whether `left` percent of `limit` tokens is at or above the threshold."""
    return left >= needed if needed <= 100 else left * limit / 100 >= needed


def _close(cycle: Cycle) -> Answer:
    """Nothing follows the last stage: the turn's end is the cycle's."""
    says = [{"type": "stage.finished", "cycle": cycle.cycle, "stage": cycle.stage}]
    text = f"journal: the dev cycle is complete with this turn ({cycle.cycle})."
    return Answer(message=text, says=says)


def _ask_open(
    views: Views, cycle: Cycle, left: float | None, event: Any, settings: Mapping[str, Any]
) -> Answer | None:
    reason = f"open:{cycle.stage}"
    if reason in cycle.asked:
        return None
    following = after(cycle.stage)
    short = _short(views, event.sid, cycle, left, settings)
    if short:
        # No room for the next stage: the person decides, the turn is not kept going for it.
        text = (
            f"journal: stage {cycle.stage} is still open; {short}. When it is finished, "
            f"`journal stage finish {cycle.stage}`; `journal stage stop` ends the cycle here "
            f"(left out then: {', '.join(skipped_from(cycle))}) and "
            "`journal stage resume` takes it up in a new session."
        )
        return Answer(message=text, says=[_asked(text, reason, "message", left)])
    text = (
        f"Dev cycle {cycle.cycle}: stage {cycle.stage} is still open. "
        f"`journal stage finish {cycle.stage}` records that it is done, after which {following} "
        f"comes next; otherwise what is missing for {cycle.stage} is worth a word to the person."
    )
    if left is None:
        text += " How much context remains is unknown."
    return _spoken(text, _asked(text, reason, _channel(settings), left), settings)


def _transition(
    views: Views, cycle: Cycle, left: float | None, event: Any, settings: Mapping[str, Any]
) -> Answer | None:
    following = after(cycle.stage)
    reason = f"next:{following}"
    if left is None:
        reason = f"unknown:{following}"
        if reason in cycle.asked:
            return None
        text = (
            f"journal: {cycle.stage} is finished and {following} is next, but how much context "
            f"remains is unknown, so nothing is asked. `journal stage start {following}` goes "
            "on; `journal status` says why it is unknown."
        )
        return Answer(message=text, says=[_asked(text, reason, "message", None)])
    gauge = views.pressure.sessions[event.sid]
    limit = gauge.limit or gauge.window
    needed = threshold(cycle.stage, limit, settings)
    if not enough(left, needed, limit):
        return _stop(cycle, left, needed)
    if cycle.asked.count(reason) >= settings["stage.max_continuations"]:
        return None
    text = (
        f"Dev cycle {cycle.cycle}: {cycle.stage} is finished and {following} is the next stage; "
        f"{left}% of the context remains ({_needed(needed)} is needed). "
        f"`journal stage start {following}` begins it."
    )
    return _spoken(text, _asked(text, reason, _channel(settings), left), settings)


def _stop(cycle: Cycle, left: float, needed: int) -> Answer:
    skipped = skipped_from(cycle)
    text = (
        f"journal: the dev cycle stops after {cycle.stage}: {left}% of the context remains, "
        f"{_needed(needed)} is needed for {after(cycle.stage)}. Left out: {', '.join(skipped)}. "
        "To go on in a new session: journal stage resume"
    )
    stopped = {
        "type": "stage.stopped",
        "cycle": cycle.cycle,
        "stage": cycle.stage,
        "reason": "context_budget",
        "skipped": skipped,
        "remaining": left,
    }
    return Answer(message=text, says=[stopped, _asked(text, "stopped", "message", left)])


def _short(
    views: Views, sid: str, cycle: Cycle, left: float | None, settings: Mapping[str, Any]
) -> str:
    """Say that there is no room for the stage after this one; "" where there is, or may be."""
    if left is None:
        return ""
    gauge = views.pressure.sessions[sid]
    limit = gauge.limit or gauge.window
    needed = threshold(cycle.stage, limit, settings)
    if enough(left, needed, limit):
        return ""
    return f"{left}% of the context remains, below the {_needed(needed)} for {after(cycle.stage)}"


def _spoken(text: str, event: dict[str, Any], settings: Mapping[str, Any]) -> Answer:
    if settings["stage.gate"] == "block":
        return Answer(block=text, says=[event])
    return Answer(context=text, says=[event])


def _channel(settings: Mapping[str, Any]) -> str:
    return "block" if settings["stage.gate"] == "block" else "context"


def _asked(text: str, reason: str, channel: str, left: float | None) -> dict[str, Any]:
    return advice(
        "stage", text, channel=channel, reason=reason, level="" if left is None else f"{left}%"
    )


def _needed(needed: int) -> str:
    return f"{needed}%" if needed <= 100 else f"{needed:,} tokens"
