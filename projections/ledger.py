"""What hooks have cost each session, by their own account: the processor time each fact carries.

Invariant: only what a hook measured counts; an imported event cost no hook anything.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Parts, Projection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.base import Event
    from journal.events.pressure import AdviceGiven

__all__ = ["OVER", "PROJECTION", "Ledger", "Spent", "hints"]

OVER = "budget"
"""What the `advice.given` event is about that says a session is over its budget."""

# Types of the facts that come through a hook and carry its time.
_FACTS = (
    "session.started", "session.ended", "prompt.submitted", "command.expanded", "tool.finished",
    "tool.failed", "turn.ended", "turn.failed", "compact.started", "compact.summarized",
    "compact.finished", "subagent.started", "subagent.ended", "model.switched",
    "notification.received",
)  # fmt: skip


class Spent(Struct, frozen=True, omit_defaults=True):
    """Hook calls of one session, subagents' too: how many, microseconds of processor time.

    short: tool calls recorded in short form. said: the person knows that it is over its budget.
    """

    calls: int = 0
    us: int = 0
    short: int = 0
    said: bool = False

    @property
    def seconds(self) -> int:
        """Whole seconds, rounded down."""
        return self.us // 1_000_000


_BLANK = Spent()


class Ledger(Struct, frozen=True, omit_defaults=True):
    """sessions: sid → Spent."""

    sessions: dict[str, Spent] = {}


def hints(state: Ledger) -> dict[str, list[int]]:
    """Return [whole seconds, 1 where the person knows] of each session that has spent a second."""
    return {
        sid: [spent.seconds, int(spent.said)]
        for sid, spent in state.sessions.items()
        if spent.us >= 1_000_000
    }


def _counted(spent: Spent | None, events: "Sequence[Event]", _state: Ledger) -> Spent | None:
    own = [event for event in events if event.us]
    if not own:
        return spent
    spent = spent or _BLANK
    return replace(
        spent,
        calls=spent.calls + len(own),
        us=spent.us + sum(event.us for event in own),
        short=spent.short + sum(getattr(event, "short", False) for event in own),
    )


def _said(spent: Spent | None, event: "AdviceGiven", _state: Ledger) -> Spent | None:
    return replace(spent or _BLANK, said=True) if event.what == OVER else spent


PROJECTION = Projection(
    "ledger",
    1,
    Ledger(),
    {},
    Parts({}, {"advice.given": _said}, runs=dict.fromkeys(_FACTS, _counted)),
)
