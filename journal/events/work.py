"""Events of skill progress and of units of work."""

from journal.events.base import Event


class ProgressSaved(Event, frozen=True, kw_only=True, tag="progress.saved"):
    """A phase of a skill was completed. summary: of that phase; next: the next action."""

    skill: str = ""
    phase: str = ""
    name: str = ""
    summary: str = ""
    output: str = ""
    next: str = ""
    path: str = ""


class ProgressClosed(Event, frozen=True, kw_only=True, tag="progress.closed"):
    """A skill ended: its artifact exists."""

    skill: str = ""
    output: str = ""


class ProgressAdopted(Event, frozen=True, kw_only=True, tag="progress.adopted"):
    """This session took over the skill progress of from_sid."""

    from_sid: str = ""
    skill: str = ""


class ProgressDiscarded(Event, frozen=True, kw_only=True, tag="progress.discarded"):
    """The user discarded the skill progress of from_sid."""

    from_sid: str = ""
    skill: str = ""


class UnitStarted(Event, frozen=True, kw_only=True, tag="unit.started"):
    """A unit of work started. items: its tasks; file: the checklist they come from.

    from_sid: the session it was taken over from; this ends that session's unit.
    """

    unit: str = ""
    title: str = ""
    items: list[str] = []
    file: str = ""
    from_sid: str = ""


class UnitItemChecked(Event, frozen=True, kw_only=True, tag="unit.item.checked"):
    """An item of a unit was checked off, or reopened (done: false)."""

    unit: str = ""
    item: str = ""
    done: bool = True


class UnitFinished(Event, frozen=True, kw_only=True, tag="unit.finished"):
    """A unit of work was finished."""

    unit: str = ""
    reason: str = ""
