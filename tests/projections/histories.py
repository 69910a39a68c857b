"""Random histories of a cycle, added event by event as a hook or a command would append them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from journal.config.schema import DEFAULTS
from journal.events.registry import decode
from journal.log.record import frame, type_of
from projections.fold import Fold
from projections.stage import STAGES
from projections.views import HOOK_PROJECTIONS, Views

if TYPE_CHECKING:
    Event = dict[str, Any]

SIDS = ("a", "b", "c", "d")
PROJECTIONS = HOOK_PROJECTIONS
SETTINGS = {**DEFAULTS, "config.problems": 0}


class Past:
    """A growing history: events are added as a hook or a command would append them."""

    def __init__(self) -> None:
        self.fold = Fold(PROJECTIONS)

    @property
    def views(self) -> Views:
        """Return the current views."""
        return Views(**self.fold.states)

    def put(self, event: Event) -> Any:
        """Append one event (type, sid, body); return it as the typed event."""
        seq = self.fold.seq + 1
        ts = f"2026-11-21T{9 + seq // 3600:02}:{seq // 60 % 60:02}:{seq % 60:02}.000Z"
        fields = {"ts": ts, "type": event["type"], "v": 1, **event}
        line = frame(seq, fields)[:-1]
        self.fold.feed([(seq, line)])
        return decode(line, type_of(line))


STEPS = st.tuples(
    st.sampled_from(["start", "start", "finish", "stop", "resume", "abandon", "clear", "fork",
                     "compact", "read", "asked"]),
    st.sampled_from(SIDS), st.sampled_from(SIDS), st.booleans(), st.sampled_from(STAGES),
)  # fmt: skip


def step(past: Past, number: int, what: str, sid: str, other: str, flag: bool, stage: str) -> Event:
    """Build the event of a step, as if no command refused anything."""
    cycles = past.views.stage.sessions
    mine = cycles[sid].cycle if sid in cycles else ""
    metrics = {f"m{number}": float(number)}
    body: Event = {"type": f"stage.{what}ed", "sid": sid, "cycle": mine, "stage": stage}
    if what == "start":
        return {**body, "cycle": mine if mine and flag else f"cycle-{number}", "metrics": metrics}
    if what == "finish":
        at = cycles[sid].stage if sid in cycles else stage
        return {**body, "stage": at if flag else stage, "metrics": metrics}
    if what == "stop":
        return {**body, "type": "stage.stopped", "skipped": ["ship"], "reason": "asked",
                "metrics": metrics}  # fmt: skip
    if what == "resume":
        origin = "" if flag else other
        name = cycles[origin or sid].cycle if (origin or sid) in cycles else f"cycle-{number}"
        return {**body, "type": "stage.resumed", "from_sid": origin, "cycle": name}
    if what == "abandon":
        return {**body, "type": "stage.abandoned"}
    if what in ("clear", "fork"):
        return {"type": "session.started", "sid": sid, "source": what, "previous": other}
    if what == "read":
        return {"type": "pressure.sampled", "sid": sid, "tokens": number * 1000, "window": 200_000,
                "point": 167_000}  # fmt: skip
    if what == "asked":
        return {"type": "advice.given", "sid": sid, "what": "stage", "reason": "open:sprint"}
    return {"type": "session.started", "sid": sid, "source": "compact"}
