"""Which session continues which: startup → resume, clear, fork, compact.

Invariant: a link comes from an event that names the predecessor, never from the order of sessions.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.session import SessionEnded, SessionStarted
    from journal.events.turn import PromptSubmitted

_SESSIONS = 64
_WAITING = 8  # sessions without a request that the hints list


class Node(Struct, frozen=True, omit_defaults=True):
    """One session.

    root: first session of its chain. parent: the session that it continues after /clear or a fork.
    source: how it last started. pid, pid_start: its process and when that started, 0 if unknown.
    end: seq of its end. asked: seq of the first request in the user's own words.
    """

    root: str = ""
    parent: str = ""
    source: str = ""
    ended: str = ""
    reason: str = ""
    branch: str = ""
    pid: int = 0
    pid_start: int = 0
    end: int = 0
    asked: int = 0


class Lineage(Struct, frozen=True, omit_defaults=True):
    """sessions: session id → Node, the most recently started last."""

    sessions: dict[str, Node] = {}


_BLANK = Node()


def root_of(state: Lineage, sid: str) -> str:
    """Return the first session of a session's chain, or the session itself if it is unknown."""
    node = state.sessions.get(sid)
    return node.root if node else sid


def hints(state: Lineage) -> list[str]:
    """Return the newest sessions without a request so far."""
    fresh = [
        sid
        for sid, node in state.sessions.items()
        if not (node.asked or node.ended) and node.source in ("startup", "clear")
    ]
    return fresh[-_WAITING:]


def _started(state: Lineage, event: "SessionStarted") -> Lineage:
    if not event.sid:
        return state
    node = state.sessions.get(event.sid)
    if node is None:
        parent = state.sessions.get(event.previous)
        root = (parent.root if parent else event.previous) or event.sid
        node = Node(root=root, parent=event.previous)
    node = replace(
        node,
        source=event.source,
        ended="",
        reason="",
        branch=event.branch or node.branch,
        pid=event.pid,
        pid_start=event.pid_start,
    )
    return Lineage(put(state.sessions, event.sid, node, _SESSIONS))


def _ended(node: Node, event: "SessionEnded") -> Node:
    if node is _BLANK or node.ended:
        return node
    reason = "inferred" if event.inferred else event.reason
    return replace(node, ended=event.ts, reason=reason, end=event.seq)


def _asked(node: Node, event: "PromptSubmitted") -> Node:
    if node is _BLANK:
        return node
    if node.reason == "inferred":  # the inferred end was wrong
        node = replace(node, ended="", reason="", end=0)
    if node.asked or event.origin not in ("human", "sdk") or not event.text.strip():
        return node  # commands and notifications are no requests to search for
    return replace(node, asked=event.seq)


PROJECTION = Projection(
    "lineage",
    4,
    Lineage(),
    {"session.started": _started},
    blank=_BLANK,
    passive={"session.ended": _ended, "prompt.submitted": _asked},
    limit=_SESSIONS,
)
