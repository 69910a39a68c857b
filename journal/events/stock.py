"""Events of the work log and the learnings: notes, compounds, learnings, decisions."""

from journal.events.base import Event


class FlowNoted(Event, frozen=True, kw_only=True, tag="flow.noted"):
    """`journal note`: a work-log entry that only the journal has.

    text: the entry.
    """

    text: str = ""


class CompoundRan(Event, frozen=True, kw_only=True, tag="compound.ran"):
    """`journal compound`: the work log was reviewed.

    promoted: number of learnings saved; covered: digests of the work log's headings at that
    time; headings: the newest of them.
    """

    promoted: int = 0
    covered: list[str] = []
    headings: list[str] = []


class LearningRecorded(Event, frozen=True, kw_only=True, tag="learning.recorded"):
    """A learning was saved.

    file: its learnings file; title: of the learning; phase: that taught it.
    """

    file: str = ""
    title: str = ""
    phase: str = ""


class LearningConfirmed(Event, frozen=True, kw_only=True, tag="learning.confirmed"):
    """A learning was confirmed.

    file: its learnings file; title: of the learning; phase: in which it was confirmed; count:
    its confirmations so far.
    """

    file: str = ""
    title: str = ""
    phase: str = ""
    count: int = 0


class DecisionRecorded(Event, frozen=True, kw_only=True, tag="decision.recorded"):
    """`journal decide`: a decision, word for word.

    text: the decision; unit: the current unit of work.
    """

    text: str = ""
    unit: str = ""
