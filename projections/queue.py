"""Texts that a person sent to a session and that were not injected yet.

Invariant: a text waits until `context.injected` of what "pack" names its seq; nothing else takes it
out but the bound, which lets the oldest fall. It follows its session's lineage.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection, main_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.pack import ContextQueued
    from journal.events.pressure import ContextInjected
    from journal.events.session import SessionStarted
    from projections.lineage import Lineage

__all__ = ["MOST", "PER_LINEAGE", "PROJECTION", "TEXT", "Queue", "Waiting", "hints", "waiting"]

MOST = 16  # texts that wait in a project
PER_LINEAGE = 4  # of them for one lineage; a writer refuses a fifth
TEXT = 9_000  # characters of one
_SIDS = 16
_SOURCES = 12


class Waiting(Struct, frozen=True, omit_defaults=True):
    """One text. seq: of the event that queued it (its first part); at: when.

    sids: the session it was sent to, then those that went on from it; sources: events it was made
    from; missing: parts that are still to come, it is injected when there are none.
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
    """waiting: oldest first."""

    waiting: list[Waiting] = []


def waiting(state: Queue, lineage: "Lineage", sid: str) -> list[Waiting]:
    """Texts that wait for the lineage of session `sid` and are whole, oldest first."""
    return [item for item in state.waiting if not item.missing and sid in _all(item, lineage)]


def hints(state: Queue, lineage: "Lineage") -> list[str]:
    """Return the sessions whose next prompt takes a text along."""
    return sorted({sid for item in state.waiting for sid in _all(item, lineage)})


def _all(item: Waiting, lineage: "Lineage") -> set[str]:
    """Sessions of a text's lineage: those seen to go on from it, and those of the same root."""
    node = lineage.sessions.get(item.sids[0])
    root = node.root if node else item.sids[0]
    return {*item.sids, *(sid for sid, other in lineage.sessions.items() if other.root == root)}


def _queued(state: Queue, event: "ContextQueued") -> Queue:
    if event.part > 1:
        return _part(state, event)
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


def _part(state: Queue, event: "ContextQueued") -> Queue:
    """Take a further part of the text that was queued last."""
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
    """Let a session that continues another one take what waits for it."""
    if not event.previous or not state.waiting:
        return state
    if not any(_goes_on(item, event) for item in state.waiting):
        return state
    return Queue(
        [
            replace(item, sids=[item.sids[0], *item.sids[1:][1 - _SIDS :], event.sid])
            if _goes_on(item, event)
            else item
            for item in state.waiting
        ]
    )


def _goes_on(item: Waiting, event: "SessionStarted") -> bool:
    return bool(event.sid) and event.previous in item.sids and event.sid not in item.sids


PROJECTION = Projection(
    "queue",
    1,
    Queue(),
    {
        "context.queued": _queued,
        **main_thread({"context.injected": _injected, "session.started": _started}),
    },
)
