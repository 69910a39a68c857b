"""Texts that a person sent to a session and that no hook has injected yet.

Invariant: a text waits until a `context.injected` event with `what` "pack" names its seq. If too
many wait, the oldest is dropped. Sessions that continue its session receive it, too.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.lineage import Lineage, root_of
from projections.projection import Projection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.pack import ContextQueued
    from journal.events.pressure import ContextInjected
    from journal.events.session import SessionStarted

MOST = 16  # texts that wait in a project
PER_LINEAGE = 4  # texts that wait for one session chain; commands refuse a fifth
TEXT = 9_000  # characters of a text
_SIDS = 16
_SOURCES = 12


class Waiting(Struct, frozen=True, omit_defaults=True):
    """One waiting text.

    seq, at: of the event with its first part. sids: the session to which it was sent, then those
    that continue it. sources: events from which it was made. missing: number of parts still to
    come; it is injected when there are none.
    """

    seq: int = 0
    at: str = ""
    sids: list[str] = []
    pack: str = ""
    title: str = ""
    text: str = ""
    sources: list[str] = []
    missing: int = 0


class Queue(Struct, frozen=True, omit_defaults=True):
    """The texts that wait, oldest first."""

    waiting: list[Waiting] = []


def waiting(state: Queue, lineage: Lineage, sid: str) -> list[Waiting]:
    """Return the complete texts that wait for session `sid` or its chain, oldest first."""
    return [
        item for item in state.waiting if not item.missing and sid in _recipients(item, lineage)
    ]


def hints(state: Queue, lineage: Lineage) -> list[str]:
    """Return the sessions for which a text waits."""
    return sorted({sid for item in state.waiting for sid in _recipients(item, lineage)})


def _recipients(item: Waiting, lineage: Lineage) -> set[str]:
    """Return the sessions that may receive a text: its recorded ones and all of its chain."""
    root = root_of(lineage, item.sids[0])
    return {*item.sids, *(sid for sid, other in lineage.sessions.items() if other.root == root)}


def _queued(state: Queue, event: "ContextQueued") -> Queue:
    if event.part > 1:
        return _added_part(state, event)
    if not event.to:
        return state
    item = Waiting(
        seq=event.seq,
        at=event.ts,
        sids=[event.to],
        pack=event.pack,
        title=event.title[:200],
        text=event.text[:TEXT],
        sources=event.sources[:_SOURCES],
        missing=max(0, event.parts - 1),
    )
    return Queue([*state.waiting, item][-MOST:])


def _added_part(state: Queue, event: "ContextQueued") -> Queue:
    """Add a further part to the text that was queued last."""
    last = state.waiting[-1] if state.waiting else None
    if last is None or not last.missing or event.parts - event.part + 1 != last.missing:
        return state
    text = (last.text + event.text)[:TEXT]
    sources = [*last.sources, *event.sources][:_SOURCES]
    whole = replace(last, text=text, sources=sources, missing=last.missing - 1)
    return Queue([*state.waiting[:-1], whole])


def _injected(state: Queue, event: "ContextInjected") -> Queue:
    if event.what != "pack":
        return state
    left = [item for item in state.waiting if str(item.seq) != event.reason]
    return Queue(left) if len(left) < len(state.waiting) else state


def _started(state: Queue, event: "SessionStarted") -> Queue:
    """Add a session to the recipients of the texts that wait for its predecessor."""
    if not event.sid or not event.previous:
        return state
    items = [
        replace(item, sids=[item.sids[0], *item.sids[1:][1 - _SIDS :], event.sid])
        if event.previous in item.sids and event.sid not in item.sids
        else item
        for item in state.waiting
    ]
    return state if items == state.waiting else Queue(items)


PROJECTION = Projection(
    "queue",
    1,
    Queue(),
    {"context.queued": _queued, "context.injected": _injected, "session.started": _started},
    any_agent=["context.queued"],
)
