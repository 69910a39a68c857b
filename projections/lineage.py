"""Which session goes on from which: startup → resume, clear, fork, compact.

Invariant: a link comes from the event that named the predecessor, never from "the most recent".
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.event.session import SessionEnded, SessionStarted

__all__ = ["PROJECTION", "Lineage", "Node", "root_of"]


class Node(Struct, frozen=True, omit_defaults=True):
    """One session: root of its lineage, parent (clear or fork), how it last started."""

    root: str = ""
    parent: str = ""
    source: str = ""
    started: str = ""
    ended: str = ""
    reason: str = ""
    runs: int = 0
    transcript: str = ""
    model: str = ""
    branch: str = ""
    pid: int = 0


class Lineage(Struct, frozen=True, omit_defaults=True):
    """sessions: sid → Node, the most recently started last."""

    sessions: dict[str, Node] = {}


def root_of(state: Lineage, sid: str) -> str:
    """Root session of a lineage; the session itself when it is not known."""
    node = state.sessions.get(sid)
    return node.root if node else sid


def _started(state: Lineage, event: "SessionStarted") -> Lineage:
    if event.agent or not event.sid:
        return state
    node = state.sessions.get(event.sid)
    if node is None:
        parent = state.sessions.get(event.previous)
        root = (parent.root if parent else event.previous) or event.sid
        node = Node(root=root, parent=event.previous)
    node = replace(
        node,
        source=event.source,
        started=event.ts,
        ended="",
        reason="",
        # A compaction is not a new run of the session.
        runs=node.runs + (event.source != "compact"),
        transcript=event.transcript or node.transcript,
        model=event.model or node.model,
        branch=event.branch or node.branch,
        pid=event.pid,
    )
    return Lineage(put(state.sessions, event.sid, node, 64))


def _ended(state: Lineage, event: "SessionEnded") -> Lineage:
    node = state.sessions.get(event.sid)
    if event.agent or node is None or node.ended:
        return state
    node = replace(node, ended=event.ts, reason="inferred" if event.inferred else event.reason)
    return Lineage({**state.sessions, event.sid: node})


PROJECTION = Projection(
    "lineage", 1, Lineage(), {"session.started": _started, "session.ended": _ended}
)
