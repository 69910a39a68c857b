"""The processor time that hooks have used in each session, as their events report it.

Invariant: only times that a hook measured count; imported events have none.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.base import Event
    from journal.events.pressure import AdviceGiven

OVER = "budget"
"""Value of `what` in the `advice.given` event that tells the user about an exceeded budget."""

# Types of the events that hooks record with their processor time.
_FACTS = (
    "session.started session.ended prompt.submitted command.expanded tool.finished tool.failed "
    "turn.ended turn.failed compact.started compact.summarized compact.finished subagent.started "
    "subagent.ended model.switched notification.received"
).split()


class HookTime(Struct, frozen=True, omit_defaults=True):
    """Hook calls of one session, including its subagents'.

    us: microseconds of processor time. short: tool calls recorded in short form. said: whether the
    person was told that the session is over its budget.
    """

    calls: int = 0
    us: int = 0
    short: int = 0
    said: bool = False

    @property
    def seconds(self) -> int:
        """Return the whole seconds, rounded down."""
        return self.us // 1_000_000


_BLANK = HookTime()


class Ledger(Struct, frozen=True, omit_defaults=True):
    """sessions: session id → HookTime."""

    sessions: dict[str, HookTime] = {}


def hints(state: Ledger) -> dict[str, dict[str, int]]:
    """Return whole seconds and whether the user was warned, of sessions of at least a second."""
    return {
        sid: {"seconds": spent.seconds, "warned": spent.said}
        for sid, spent in state.sessions.items()
        if spent.us >= 1_000_000
    }


def _counted(spent: HookTime, events: "Sequence[Event]") -> HookTime:
    own = [event for event in events if event.us]
    if not own:
        return spent
    return replace(
        spent,
        calls=spent.calls + len(own),
        us=spent.us + sum(event.us for event in own),
        short=spent.short + sum(getattr(event, "short", False) for event in own),
    )


def _warned(spent: HookTime, event: "AdviceGiven") -> HookTime:
    return replace(spent, said=True) if event.what == OVER else spent


PROJECTION = Projection(
    "ledger",
    1,
    Ledger(),
    blank=_BLANK,
    passive={"advice.given": _warned},
    runs=dict.fromkeys(_FACTS, _counted),
    any_agent=[*_FACTS, "advice.given"],
)
