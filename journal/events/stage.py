"""Events of a dev cycle. remaining: percent of the context left, None when unknown."""

from journal.events.base import Event


class StageStarted(Event, frozen=True, kw_only=True, tag="stage.started"):
    """A stage started. cycle: the dev cycle it belongs to."""

    cycle: str = ""
    stage: str = ""
    remaining: float | None = None
    metrics: dict[str, float] = {}


class StageFinished(Event, frozen=True, kw_only=True, tag="stage.finished"):
    """A stage was finished. This does not start the next one."""

    cycle: str = ""
    stage: str = ""
    remaining: float | None = None
    metrics: dict[str, float] = {}


class StageStopped(Event, frozen=True, kw_only=True, tag="stage.stopped"):
    """A cycle was stopped before its end. reason: context_budget or asked."""

    cycle: str = ""
    stage: str = ""
    reason: str = ""
    skipped: list[str] = []
    remaining: float | None = None
    metrics: dict[str, float] = {}


class StageResumed(Event, frozen=True, kw_only=True, tag="stage.resumed"):
    """A stopped cycle continued in this session. from_sid: the session in which it had stopped."""

    cycle: str = ""
    stage: str = ""
    from_sid: str = ""
    remaining: float | None = None


class StageAbandoned(Event, frozen=True, kw_only=True, tag="stage.abandoned"):
    """A cycle was discarded."""

    cycle: str = ""
    stage: str = ""
    reason: str = ""
