"""What is said when a session starts: recovery after a compaction, else what there is.

Files are named, never inlined; silence when there is nothing.
"""

from __future__ import annotations

from journal.codec import digest
from projections.compound import Work, unpromoted
from projections.messages.answer import ROOM, Answer, injection
from projections.messages.wording import many, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from journal.events.facts import Flow, Stock
    from projections.compound import Compound
    from projections.views import Views

__all__ = ["answer"]


def answer(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    """Answer a SessionStart: what is most precious first, past sessions last."""
    if event.source == "compact":
        from projections.messages import recovery

        told = recovery.answer(views, event, settings)
        return _with(told, _sent(views, event, told))
    told = _announced(views, event, settings)
    return _with(told, _related(views, event, settings, told))


def _with(first: Answer | None, second: Answer | None) -> Answer | None:
    return first.joined(second) if first is not None else second


def _sent(views: Views, event: Any, told: Answer | None) -> Answer | None:
    if not views.queue.waiting:
        return None
    from projections.messages import pack as sent

    return sent.answer(views, event, told.room if told is not None else ROOM)


def _related(
    views: Views, event: Any, settings: Mapping[str, Any], told: Answer | None
) -> Answer | None:
    if event.source != "startup" or not settings["related.enabled"]:
        return None
    from projections.messages import related

    return related.at_start(views, event, settings, told.room if told is not None else ROOM)


def _announced(views: Views, event: Any, settings: Mapping[str, Any]) -> Answer | None:
    from projections.messages import offer

    if not settings["start.announce"]:
        return None
    problems = settings.get("config.problems", 0)
    lines = [
        *offer.loop(event),
        *offer.own_progress(views, event),
        *_own_work(views, event),
        *offer.stopped_cycles(views, event),
        *_flow(views.compound, event.flow),
        *_stock(event.stock),
        *offer.unowned(event),
        *offer.others(views, event),
    ]
    trouble = ""
    if problems and event.source == "startup":
        trouble = f"journal: {many(problems, 'problem')} in the configuration. Run: journal config"
    if not lines:
        return Answer(message=trouble)
    made_from = digest("\n".join(lines))
    work = views.compound.sessions.get(event.sid) or Work()
    if event.source == "resume" and work.announced == made_from:
        return Answer(message=trouble)  # it stands in the resumed history already
    head = f"Journal of this project (#{event.seq}, {when(event.ts)}):"
    text = "\n".join([head, *lines])
    says = [injection("start", text, reason=made_from)]
    return Answer(context=text, message=trouble, says=says)


def _own_work(views: Views, event: Any) -> list[str]:
    """Give what the session itself had under way: it was resumed, or goes on from another."""
    from projections.messages import offer

    cycle = views.stage.sessions.get(event.sid)
    lines = [offer.cycle_line(cycle)] if cycle is not None and cycle.status == "open" else []
    return [*lines, *offer.unit_lines(views, event.sid)]


def _flow(state: Compound, flow: Flow | None) -> list[str]:
    lines = []
    if flow is not None and flow.entries:
        waiting = unpromoted(state)
        state_of = f"{waiting} not promoted to learnings" if waiting else "all promoted"
        ran = f", last compound {state.ran_at[:10]}" if state.ran else ", no compound so far"
        lines.append(
            f"- Work log {flow.path}: {many(flow.entries, 'entry', 'entries')}, {state_of}{ran}."
        )
    if state.noted:
        lines.append(
            f"- {many(state.noted, 'note')} in the journal since the last compound "
            "(`journal view compound`)."
        )
    return lines


def _stock(stock: Stock | None) -> list[str]:
    if stock is None or not stock.total:
        return []
    average = f", {stock.average} confirmations on average" if stock.average is not None else ""
    last = f", last confirmed {stock.last}" if stock.last else ""
    lines = [
        (
            f"- Learnings: {many(stock.total, 'entry', 'entries')}, {stock.unverified} "
            f"unverified{average}{last}:"
        )
    ]
    for file in stock.files[:5]:
        mean = f", average {file.average}" if file.average is not None else ""
        lines.append(f"  - {file.path}: {file.total}, {file.unverified} unverified{mean}")
    if len(stock.files) > 5:
        lines.append(f"  - 5 of {len(stock.files)} files shown")
    return lines
