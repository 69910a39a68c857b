"""Reminder at the end of a turn that the work log holds what is not saved as a learning yet.

At most once per condition and session chain: a phase that ended, or entries since a compound.
"""

from __future__ import annotations

from journal.text import listed, plural, quoted
from projections.compound import CompoundWork, bare, unpromoted
from projections.messages.message import Answer, Reason, advice, switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.compound import Compound
    from projections.messages.message import Input, Response

__all__ = ["respond"]


def respond(given: Input) -> Response:
    """Answer a Stop."""
    settings = given.settings
    yield switch(settings, "compound.suggest")
    state = given.views.compound
    work = state.sessions.get(given.event.sid) or CompoundWork()
    count = unpromoted(state)
    yield _work_log(state, count)
    phases = {bare(phase) for phase in settings["compound.phases"]}
    phase = next((bare(name) for name in work.ended if bare(name) in phases), "")
    text = f"{phase} has ended" if phase else "none has ended"
    yield Reason("phase", text, keys=("compound.phases",))
    # A compound that runs later makes a new condition of the same name.
    reason = f"{f'phase {phase}' if phase else 'unpromoted'}, compound #{state.ran}"
    text = ", ".join(work.suggested) or "nothing"
    yield Reason("reminded before", text, passed=reason not in work.suggested)
    detail = _detail(state, settings["compound.many_unverified"])
    if phase:
        text = (
            f"The {phase} phase has ended. {_unsaved(state, count)}.{detail} /journal:compound "
            "goes through them with the person, who decides."
        )
        event = advice("phase", text, channel="context", reason=reason)
        return Answer(context=text, events=[event])
    text = f"journal: {_unsaved(state, count)}.{detail} /journal:compound goes through them."
    event = advice("compound", text, channel="message", reason=reason)
    return Answer(message=text, events=[event])


def _work_log(state: Compound, count: int) -> Reason:
    entries = state.flow.entries if state.flow is not None else 0
    ran = f"last compound #{state.ran}" if state.ran else "no compound has run"
    text = f"{plural(entries, 'entry', 'entries')}, {plural(state.noted, 'note')}, "
    text += f"{count} not saved as learnings; {ran}"
    return Reason("work log", text, passed=bool(count), seqs=(state.ran,))


def _unsaved(state: Compound, count: int) -> str:
    since = "since the last compound" if state.ran else "and no compound has run so far"
    entries = plural(count, "work-log entry is", "work-log entries are")
    return f"{entries} not saved as learnings {since}"


def _detail(state: Compound, most_unverified: int) -> str:
    """Return the newest headings, and how many learnings nobody verified where those are many."""
    headings = state.flow.headings if state.flow else []
    recent = listed([quoted(heading, 80) for heading in headings], 3)
    detail = f" Most recent: {recent}." if recent else ""
    stock = state.stock
    if stock is not None and stock.unverified >= most_unverified:
        detail += f" Of {stock.total} learnings, {stock.unverified} are not verified yet."
    return detail
