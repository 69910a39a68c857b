"""Which learnings were recorded and confirmed, and when.

The learnings files have the current text; this is their history. Invariant: it depends on the order
of events alone, so it does not have learnings that were written without the journal.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from journal.events.compact import CompactStarted
from journal.events.facts import Stock
from journal.events.session import SessionStarted
from journal.events.stock import CompoundRan, LearningConfirmed, LearningRecorded
from projections.projection import Projection


class LearningHistory(Struct, frozen=True, omit_defaults=True):
    """A learning.

    recorded: seq of its recording, 0 if it is older than the journal. confirmed: number of
    confirmations, as of `last` (time of the last one).
    """

    file: str = ""
    title: str = ""
    phases: list[str] = []
    recorded: int = 0
    confirmed: int = 0
    last: str = ""


class Learnings(Struct, frozen=True, omit_defaults=True):
    """entries: file and title, separated by a tab → LearningHistory.

    fresh: number recorded or confirmed since the last compound. stock: the learnings files as last
    counted by a hook, at `stock_seq`; None before that.
    """

    entries: dict[str, LearningHistory] = {}
    recorded: int = 0
    confirmed: int = 0
    fresh: int = 0
    stock: Stock | None = None
    stock_seq: int = 0


def _entry(state: Learnings, file: str, title: str) -> tuple[str, LearningHistory]:
    key = f"{file}\t{title}"
    return key, state.entries.get(key) or LearningHistory(file=file, title=title)


def _with_phase(phases: list[str], phase: str) -> list[str]:
    return phases if not phase or phase in phases else [*phases, phase]


def _with_entry(state: Learnings, key: str, entry: LearningHistory, **counts: int) -> Learnings:
    entries = {**state.entries, key: entry}
    return replace(state, entries=entries, fresh=state.fresh + 1, **counts)


def _recorded(state: Learnings, event: LearningRecorded) -> Learnings:
    key, entry = _entry(state, event.file, event.title)
    entry = replace(entry, recorded=event.seq, phases=_with_phase(entry.phases, event.phase))
    return _with_entry(state, key, entry, recorded=state.recorded + 1)


def _confirmed(state: Learnings, event: LearningConfirmed) -> Learnings:
    key, entry = _entry(state, event.file, event.title)
    entry = replace(
        entry, confirmed=event.count, last=event.ts, phases=_with_phase(entry.phases, event.phase)
    )
    return _with_entry(state, key, entry, confirmed=state.confirmed + 1)


def _compounded(state: Learnings, _event: CompoundRan) -> Learnings:
    return replace(state, fresh=0) if state.fresh else state


def _stock_counted(state: Learnings, event: SessionStarted | CompactStarted) -> Learnings:
    if event.stock is None or event.stock == state.stock:
        return state
    return replace(state, stock=event.stock, stock_seq=event.seq)


_HANDLERS: dict[str, Callable[..., Learnings]] = {
    "learning.recorded": _recorded,
    "learning.confirmed": _confirmed,
    "compound.ran": _compounded,
    "session.started": _stock_counted,
    "compact.started": _stock_counted,
}
PROJECTION = Projection("learnings", 1, Learnings(), _HANDLERS, any_agent=_HANDLERS)
