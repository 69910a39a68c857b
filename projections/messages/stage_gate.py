"""The stage gate: at the end of a turn, whether the next stage of a dev cycle may begin.

It asks, it does not verify. Invariant: only the session that owns an open cycle is ever asked, a
stage that is still open once, a transition at most `stage.max_continuations` times. Where nobody
knows how much context remains, the text says so and asks nothing of Claude.
"""

from __future__ import annotations

from projections.messages.message import Answer, Reason, advice
from projections.messages.pressure_warning import is_fresh
from projections.stage import STAGES, after, skipped_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from projections.messages.message import Input, Response
    from projections.pressure import Gauge
    from projections.stage import Cycle
    from projections.views import Views

__all__ = ["enough", "remaining", "respond", "threshold"]


def respond(given: Input) -> Response:
    """Answer a Stop of a session that has a dev cycle."""
    event, settings = given.event, given.settings
    cycle = given.views.stage.sessions[event.sid]
    text = f"{cycle.cycle} is {cycle.status}"
    yield Reason("dev cycle", text, passed=cycle.status == "open", seqs=(cycle.seq,))
    mode = settings["stage.gate"]
    yield Reason("setting", mode, passed=mode != "off", keys=("stage.gate",))
    state = "still open" if cycle.open else "finished"
    yield Reason("stage", f"{cycle.stage} is {state}")
    if cycle.stage == STAGES[-1]:
        return _close(cycle)
    context = _Context(given.views, event, settings, cycle)
    yield context.reason()
    question = (
        _ask_open(cycle, context, settings) if cycle.open else _next(cycle, context, settings)
    )
    text = ", ".join(cycle.asked) or "nothing"
    new = cycle.asked.count(question.reason) < question.times
    yield Reason("asked before", text, passed=new, keys=("stage.max_continuations",))
    return question.answer(context.left)


class _Context:
    """How much context remains, and how much the stage that follows needs.

    left: percent, None unknown; needed: percent up to 100, else tokens.
    """

    def __init__(self, views: Views, event: Any, settings: Mapping[str, Any], cycle: Cycle) -> None:
        self.gauge: Gauge | None = views.pressure.sessions.get(event.sid)
        self.limit = (self.gauge.limit or self.gauge.window) if self.gauge is not None else 0
        self.left = remaining(views, event, settings)
        self.needed = threshold(cycle.stage, self.limit, settings)
        self.stage = cycle.stage

    @property
    def short(self) -> bool:
        """Return whether it is certain that the next stage has too little."""
        return self.left is not None and not enough(self.left, self.needed, self.limit)

    @property
    def needed_text(self) -> str:
        """What the next stage needs, as text."""
        return f"{self.needed}%" if self.needed <= 100 else f"{self.needed:,} tokens"

    def reason(self) -> Reason:
        """Return the computation, for information: an unknown context is asked about, too."""
        keys = (f"stage.thresholds.{self.stage}", f"stage.thresholds_long.{self.stage}")
        needed = f"{after(self.stage)} needs {self.needed_text}"
        if self.left is None or self.gauge is None:
            return Reason("context left", f"unknown; {needed}", keys=keys)
        text = (
            f"({self.limit:,} - {self.gauge.tokens or 0:,}) / {self.limit:,} = {self.left}%; "
            f"{needed}: {'too little' if self.short else 'enough'}"
        )
        return Reason("context left", text, keys=keys, seqs=(self.gauge.seq,))


class _Question:
    """What the gate puts, to whom (channel: context, block or message), and how often at most."""

    def __init__(
        self, reason: str, text: str, channel: str, times: int = 1, *events: dict[str, Any]
    ) -> None:
        self.reason = reason
        self.text = text
        self.channel = channel
        self.times = times
        self.events = events

    def answer(self, left: float | None) -> Answer:
        """Return the answer with its record."""
        level = "" if left is None else f"{left}%"
        record = advice("stage", self.text, channel=self.channel, reason=self.reason, level=level)
        texts = {self.channel: self.text}
        return Answer(
            context=texts.get("context", ""),
            block=texts.get("block", ""),
            message=texts.get("message", ""),
            events=[*self.events, record],
        )


def remaining(views: Views, event: Any, settings: Mapping[str, Any]) -> float | None:
    """Return the percent of the context that remains for a session; None is unknown or stale."""
    gauge = views.pressure.sessions.get(event.sid)
    if gauge is None or gauge.tokens is None or not (gauge.limit or gauge.window):
        return None
    if not is_fresh(gauge, event, settings):
        return None
    limit = gauge.limit or gauge.window
    return round(max(0.0, 100 * (limit - gauge.tokens) / limit), 1)


def threshold(stage: str, window: int, settings: Mapping[str, Any]) -> int:
    """Return what must remain after a stage: percent up to 100, else tokens.

    A long window has a setting of its own.
    """
    long = settings.get(f"stage.thresholds_long.{stage}", -1)
    if window > 200_000 and long >= 0:
        return int(long)
    return int(settings[f"stage.thresholds.{stage}"])


def enough(left: float, needed: int, limit: int) -> bool:
    """Return whether `left` percent of `limit` tokens is at or above the threshold."""
    return left >= needed if needed <= 100 else left * limit / 100 >= needed


def _close(cycle: Cycle) -> Answer:
    """Finish the cycle: nothing follows the last stage, so the turn's end is the cycle's."""
    finished = {"type": "stage.finished", "cycle": cycle.cycle, "stage": cycle.stage}
    text = f"journal: the dev cycle is complete with this turn ({cycle.cycle})."
    return Answer(message=text, events=[finished])


def _ask_open(cycle: Cycle, context: _Context, settings: Mapping[str, Any]) -> _Question:
    """Ask whether the stage under way is finished."""
    reason, stage = f"open:{cycle.stage}", cycle.stage
    if context.short:
        # Too little for the next stage: the person decides, Claude is not asked to go on for it.
        text = (
            f"journal: stage {stage} is still open; {context.left}% of the context remains, below "
            f"the {context.needed_text} for {after(stage)}. When it is finished, run `journal "
            f"stage finish {stage}`. `journal stage stop` ends the cycle here (left out then: "
            f"{', '.join(skipped_from(cycle))}); `journal stage resume` continues it in a new "
            "session."
        )
        return _Question(reason, text, "message")
    text = (
        f"Dev cycle {cycle.cycle}: stage {stage} is still open. `journal stage finish {stage}` "
        f"records that it is done; {after(stage)} comes next. If it is not done, the person needs "
        f"to know what {stage} still lacks."
    )
    if context.left is None:
        text += " How much context remains is unknown."
    return _Question(reason, text, _channel(settings))


def _next(cycle: Cycle, context: _Context, settings: Mapping[str, Any]) -> _Question:
    """Ask for the next stage, or stop the cycle where the context is too short for it."""
    following = after(cycle.stage)
    if context.left is None:
        text = (
            f"journal: {cycle.stage} is finished and {following} is next. How much context remains "
            f"is unknown, so Claude is not asked to go on. To start it: `journal stage start "
            f"{following}`. `journal status` shows why it is unknown."
        )
        return _Question(f"unknown:{following}", text, "message")
    if context.short:
        return _stop(cycle, context)
    text = (
        f"Dev cycle {cycle.cycle}: {cycle.stage} is finished and {following} is the next stage; "
        f"{context.left}% of the context remains ({context.needed_text} is needed). "
        f"`journal stage start {following}` begins it."
    )
    return _Question(
        f"next:{following}", text, _channel(settings), settings["stage.max_continuations"]
    )


def _stop(cycle: Cycle, context: _Context) -> _Question:
    skipped = skipped_from(cycle)
    text = (
        f"journal: the dev cycle stops after {cycle.stage}: {context.left}% of the context "
        f"remains, {context.needed_text} is needed for {after(cycle.stage)}. Left out: "
        f"{', '.join(skipped)}. To go on in a new session: journal stage resume"
    )
    stopped = {
        "type": "stage.stopped",
        "cycle": cycle.cycle,
        "stage": cycle.stage,
        "reason": "context_budget",
        "skipped": skipped,
        "remaining": context.left,
    }
    return _Question("stopped", text, "message", len(cycle.asked) + 1, stopped)


def _channel(settings: Mapping[str, Any]) -> str:
    return "block" if settings["stage.gate"] == "block" else "context"
