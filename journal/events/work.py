"""Events of skill progress and of units of work."""

from journal.events.base import Event


class ProgressSaved(Event, frozen=True, kw_only=True, tag="progress.saved"):
    """A phase of a skill was completed.

    skill: the skill; phase: number of the phase; name: of the phase; summary: results of the
    phase; output: file that the skill will write; next: the next action; path: of the Markdown
    file with the progress.
    """

    skill: str = ""
    phase: str = ""
    name: str = ""
    summary: str = ""
    output: str = ""
    next: str = ""
    path: str = ""


class ProgressClosed(Event, frozen=True, kw_only=True, tag="progress.closed"):
    """A skill is done: its output exists.

    skill: the skill; output: the file it wrote.
    """

    skill: str = ""
    output: str = ""


class ProgressAdopted(Event, frozen=True, kw_only=True, tag="progress.adopted"):
    """This session took over the skill progress of another one.

    from_sid: the other session; skill: the skill.
    """

    from_sid: str = ""
    skill: str = ""


class ProgressDiscarded(Event, frozen=True, kw_only=True, tag="progress.discarded"):
    """The user discarded the skill progress of a session.

    from_sid: the session; skill: the skill.
    """

    from_sid: str = ""
    skill: str = ""


class UnitStarted(Event, frozen=True, kw_only=True, tag="unit.started"):
    """A unit of work started.

    unit: its name; title: what it is about; items: its tasks; file: the checklist that they
    come from; from_sid: the session it was taken over from, whose unit this ends.
    """

    unit: str = ""
    title: str = ""
    items: list[str] = []
    file: str = ""
    from_sid: str = ""


class UnitItemChecked(Event, frozen=True, kw_only=True, tag="unit.item.checked"):
    """An item of a unit was checked off, or opened again.

    unit: the unit; item: text of the item; done: false if it was opened again.
    """

    unit: str = ""
    item: str = ""
    done: bool = True


class UnitFinished(Event, frozen=True, kw_only=True, tag="unit.finished"):
    """A unit of work was finished or discarded.

    unit: the unit; reason: asked or discarded.
    """

    unit: str = ""
    reason: str = ""
