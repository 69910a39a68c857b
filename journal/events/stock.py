"""Events of flow and stock: what was noted, what was promoted."""

from journal.events.base import Event


class FlowNoted(Event, frozen=True, kw_only=True, tag="flow.noted"):
    """`journal note`: an entry of the work log that lives in the journal alone."""

    text: str = ""


class CompoundRan(Event, frozen=True, kw_only=True, tag="compound.ran"):
    """`journal compound`. covered: digests of the headings that were in the work log then."""

    promoted: int = 0
    covered: list[str] = []
    headings: list[str] = []


class LearningRecorded(Event, frozen=True, kw_only=True, tag="learning.recorded"):
    """A learning was written to the stock."""

    file: str = ""
    title: str = ""
    phase: str = ""


class LearningConfirmed(Event, frozen=True, kw_only=True, tag="learning.confirmed"):
    """A learning proved right again; count is its confirmations now."""

    file: str = ""
    title: str = ""
    phase: str = ""
    count: int = 0


class DecisionRecorded(Event, frozen=True, kw_only=True, tag="decision.recorded"):
    """`journal decide`: a decision in its own words."""

    text: str = ""
    unit: str = ""
