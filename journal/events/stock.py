"""Events of the work log and the learnings: notes, compounds, learnings, decisions."""

from journal.events.base import Event


class FlowNoted(Event, frozen=True, kw_only=True, tag="flow.noted"):
    """`journal note`: a work-log entry that only the journal has."""

    text: str = ""


class CompoundRan(Event, frozen=True, kw_only=True, tag="compound.ran"):
    """`journal compound`. covered: digests of the work log's headings at that time."""

    promoted: int = 0
    covered: list[str] = []
    headings: list[str] = []


class LearningRecorded(Event, frozen=True, kw_only=True, tag="learning.recorded"):
    """A learning was saved."""

    file: str = ""
    title: str = ""
    phase: str = ""


class LearningConfirmed(Event, frozen=True, kw_only=True, tag="learning.confirmed"):
    """A learning was confirmed. count: its confirmations so far."""

    file: str = ""
    title: str = ""
    phase: str = ""
    count: int = 0


class DecisionRecorded(Event, frozen=True, kw_only=True, tag="decision.recorded"):
    """`journal decide`: a decision, in the words it was given."""

    text: str = ""
    unit: str = ""
