"""What Claude gets when a session starts: unfinished work, the work log, the learnings.

Files are named, never inlined. Nothing to list is silence.
"""

from __future__ import annotations

from journal.codec import digest
from journal.text import plural, utc_minute
from projections.compound import CompoundWork, unpromoted
from projections.messages import unfinished
from projections.messages.message import Answer, Reason, bounded, injection, switch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.events.facts import Flow, Stock
    from projections.compound import Compound
    from projections.messages.message import Input, Response
    from projections.views import Views

__all__ = ["respond"]


def respond(given: Input) -> Response:
    """Answer a SessionStart that follows no compaction."""
    event, views = given.event, given.views
    yield Reason("start", event.source or "unknown source")
    yield switch(given.settings, "start.announce")
    lines = [
        *unfinished.loop(event),
        *unfinished.own_progress(views, event),
        *_own_work(views, event),
        *unfinished.stopped_cycles(views, event),
        *_work_log(views.compound, event.flow),
        *_learnings(event.stock),
        *unfinished.unowned(event),
        *unfinished.others(views, event),
    ]
    text = plural(len(lines), "line") if lines else "nothing to list"
    yield Reason("content", text, passed=bool(lines))
    made_from = digest("\n".join(lines))
    if event.source == "resume":
        work = views.compound.sessions.get(event.sid) or CompoundWork()
        new = work.announced != made_from
        text = "something new" if new else "the resumed history holds this listing already"
        yield Reason("listed before", text, passed=new, record="context.injected start")
    text = "\n".join([f"Journal of this project (#{event.seq}, {utc_minute(event.ts)}):", *lines])
    record = injection("start", text, reason=made_from)
    return Answer(context=bounded(text, given.space), events=[record])


def _own_work(views: Views, event: Any) -> list[str]:
    """Return what the session itself had under way: it was resumed, or goes on from another."""
    cycle = views.stage.sessions.get(event.sid)
    is_open = cycle is not None and cycle.status == "open"
    lines = [unfinished.cycle_line(cycle)] if cycle is not None and is_open else []
    return [*lines, *unfinished.unit_lines(views, event.sid)]


def _work_log(state: Compound, flow: Flow | None) -> list[str]:
    lines = []
    if flow is not None and flow.entries:
        count = unpromoted(state)
        saved = f"{count} not saved as learnings" if count else "all saved as learnings"
        ran = f"last compound {state.ran_at[:10]}" if state.ran else "no compound so far"
        entries = plural(flow.entries, "entry", "entries")
        lines.append(f"- Work log {flow.path}: {entries}, {saved}, {ran}.")
    if state.noted:
        lines.append(
            f"- {plural(state.noted, 'note')} in the journal since the last compound "
            "(`journal view compound`)."
        )
    return lines


def _learnings(stock: Stock | None) -> list[str]:
    if stock is None or not stock.total:
        return []
    average = f", {stock.average} confirmations on average" if stock.average is not None else ""
    last = f", last confirmed {stock.last}" if stock.last else ""
    entries = plural(stock.total, "entry", "entries")
    lines = [f"- Learnings: {entries}, {stock.unverified} unverified{average}{last}:"]
    for file in stock.files[:5]:
        mean = f", average {file.average}" if file.average is not None else ""
        lines.append(f"  - {file.path}: {file.total}, {file.unverified} unverified{mean}")
    if len(stock.files) > 5:
        lines.append(f"  - 5 of {len(stock.files)} files shown")
    return lines
