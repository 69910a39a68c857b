"""Events of a dev cycle. remaining: percent of the context left, None when unknown."""

from journal.events.base import Event


class StageStarted(Event, frozen=True, kw_only=True, tag="stage.started"):
    """A stage of a dev cycle started.

    cycle: the dev cycle; stage: the stage; remaining: percent of the context left, null if
    unknown; metrics: numbers recorded with it.
    """

    cycle: str = ""
    stage: str = ""
    remaining: float | None = None
    metrics: dict[str, float] = {}


class StageFinished(Event, frozen=True, kw_only=True, tag="stage.finished"):
    """A stage was finished. This does not start the next one.

    cycle: the dev cycle; stage: the stage; remaining: percent of the context left, null if
    unknown; metrics: numbers recorded with it.
    """

    cycle: str = ""
    stage: str = ""
    remaining: float | None = None
    metrics: dict[str, float] = {}


class StageStopped(Event, frozen=True, kw_only=True, tag="stage.stopped"):
    """A dev cycle was stopped before its end.

    cycle: the dev cycle; stage: where it stopped; reason: context_budget or asked; skipped: the
    remaining stages; remaining: percent of the context left, null if unknown; metrics: numbers
    recorded with it.
    """

    cycle: str = ""
    stage: str = ""
    reason: str = ""
    skipped: list[str] = []
    remaining: float | None = None
    metrics: dict[str, float] = {}


class StageResumed(Event, frozen=True, kw_only=True, tag="stage.resumed"):
    """A stopped dev cycle continues in this session.

    cycle: the dev cycle; stage: where it continues; from_sid: the session in which it had
    stopped; remaining: percent of the context left, null if unknown.
    """

    cycle: str = ""
    stage: str = ""
    from_sid: str = ""
    remaining: float | None = None


class StageAbandoned(Event, frozen=True, kw_only=True, tag="stage.abandoned"):
    """A dev cycle was abandoned.

    cycle: the dev cycle; stage: where it was; reason: asked.
    """

    cycle: str = ""
    stage: str = ""
    reason: str = ""
