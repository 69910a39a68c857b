"""List for Claude, when a session starts, unfinished work, unsaved entries and the learnings.

Files are named, never quoted. If there is nothing to list, there is no message. A resumed session
gets the list only if something is new since its last one; time that passed and a trimmed work log
are not new.
"""

from __future__ import annotations

from typing import Any

from journal.codec import digest
from journal.text import plural, quoted, utc_minute
from projections.compound import CompoundWork, unpromoted
from projections.leftover import leftovers
from projections.messages import unfinished
from projections.messages.learnings_summary import confidence
from projections.messages.message import (
    Answer,
    Input,
    Reason,
    Response,
    bounded,
    counted,
    injection,
)
from projections.views import Views

TEXTS = {
    "head": (
        "Journal of this project (#{seq}, {at}):",
        "このプロジェクトのジャーナル（#{seq}、{at}）：",
        "이 프로젝트의 저널(#{seq}, {at}):",
    ),
    "unsaved": (
        "- {entries} not saved as learnings yet{where}; /journal:compound reviews them.",
        "- {entries}がまだ学びとして未保存{where}。/journal:compound で確認できます。",
        "- {entries}가 아직 학습으로 저장되지 않음{where}. /journal:compound로 살펴봅니다.",
    ),
}


def respond(given: Input) -> Response:
    """Answer a SessionStart that follows no compaction."""
    event, views = given.event, given.views
    yield Reason("start", event.source or "unknown source")
    yield given.switch("start.announce")
    lines = [
        *unfinished.loop(given),
        *unfinished.own_progress(given),
        *unfinished.open_cycle(given),
        *unfinished.unit_lines(given),
        *unfinished.stopped_cycle(given),
        *unfinished.unowned(given),
        *unfinished.others(given),
        *_unsaved(given),
        *confidence(given),
    ]
    text = plural(len(lines), "line") if lines else "nothing to list"
    yield Reason("content", text, passed=bool(lines))
    made_from = _made_from(views, event)
    if event.source == "resume":
        work = views.compound.sessions.get(event.sid) or CompoundWork()
        new = work.announced != made_from
        text = "something new" if new else "the resumed conversation contains this listing already"
        yield Reason("listed before", text, passed=new, record="context.injected start")
    head = given.phrase(TEXTS["head"], seq=event.seq, at=utc_minute(event.ts))
    text = "\n".join([head, *lines])
    record = injection("start", text, reason=made_from)
    return Answer(context=bounded(text, given.space), events=[record])


def _unsaved(given: Input) -> list[str]:
    count = unpromoted(given.views.compound)
    if not count:
        return []
    flow = given.event.flow
    where = f" ({quoted(flow.path, 120)})" if flow is not None and flow.path else ""
    entries = counted(given.language, count, "work-log entry")
    return [given.phrase(TEXTS["unsaved"], entries=entries, where=where)]


def _made_from(views: Views, event: Any) -> str:
    """Return a digest of the facts in a listing, without times and wording."""
    own = (
        views.stage.sessions.get(event.sid),
        views.progress.sessions.get(event.sid),
        views.progress.sessions.get(views.progress.parents.get(event.sid, "")),
    )
    units = views.unit.sessions.get(event.sid)
    done = [sum(item.done for item in unit.items) for unit in units.units] if units else []
    stock = event.stock
    facts = [
        getattr(event, "loop", None),
        getattr(event, "unowned", None),
        [item.seq if item is not None else 0 for item in own],
        done,
        [
            [item.sid, item.work.seq]
            for rows in leftovers(views, event.sid, _LATER).values()
            for item in rows
        ],
        unpromoted(views.compound),
        [stock.total, stock.unverified] if stock is not None else [],
    ]
    return digest(repr(facts))


_LATER = 1 << 62  # ms: so late that the digest does not depend on which sessions are over by now
