"""Makes the events of one transcript, in the form hooks give theirs.

Invariant: pure but for the keys it notes; an event whose key is known is not made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hooks.intake import build
from hooks.intake.call import Call

if TYPE_CHECKING:
    from cli.backfill.known import Known
    from cli.backfill.places import Place, Places
    from cli.backfill.tell.shape import Line

__all__ = ["Maker"]

_SIDECHAIN = "sidechain"


class _Call(Call):
    """A hook call that never was. Its facts get keys of their own, so none is worked out here."""

    __slots__ = ()

    def once(self, *parts: object) -> str:  # noqa: ARG002
        return ""

    def again(self, *parts: object) -> str:  # noqa: ARG002
        return ""


class Maker:
    """One file being told.

    sid, agent: whose file it is. events: (place, event) made so far, an emptied event being none.
    cwd, ts, branch: as the lines so far have them. repeated: facts that were known.
    """

    def __init__(self, places: Places, known: Known, sid: str, agent: str = "", *,
                 cwd: str = "", path: str = "", ts: str = "", since: str = "") -> None:  # fmt: skip
        self.places = places
        self.known = known
        self.sid = sid
        self.agent = agent
        self.cwd = cwd
        self.path = path
        self.ts = ts
        self.since = since
        self.branch = ""
        self.events: list[tuple[Place, dict[str, Any]]] = []
        self.repeated = 0
        self._about: tuple[object, ...] = ()
        self._like: dict[str, Any] = {}

    def new(self, key: str) -> bool:
        """Note a key; whether its fact is to be told."""
        if self.since and self.ts < self.since:
            return False
        if self.known.add(key):
            return True
        self.repeated += 1
        return False

    def call(self, line: Line, sid: str, data: dict[str, Any], place: Place) -> Call:
        """Give what a hook would have been called with."""
        data["session_id"] = sid
        data["cwd"] = self.cwd
        agent = self.agent or (line.agentId or _SIDECHAIN if line.isSidechain else "")
        if agent:
            data["agent_id"] = agent
        if line.promptId:
            data["prompt_id"] = line.promptId
        return _Call(data, "", place.root, place.settings, {"branch": self.branch})

    def envelope(self, line: Line, sid: str, place: Place) -> dict[str, Any]:
        """Envelope of a reply's record: the same for many, so made once for each kind of line."""
        about = (sid, line.isSidechain, line.agentId, line.promptId, self.cwd, self.branch)
        if about != self._about:
            self._about = about
            self._like = self.call(line, sid, {}, place).event("usage.recorded", "")
        return self._like

    def built(self, line: Line, sid: str, data: dict[str, Any]) -> dict[str, Any]:
        """Build the fact of a hook's input."""
        return build(self.call(line, sid, data, self.places.of(sid, self.cwd)))[0]

    def put(self, line: Line, sid: str, kind: str, key: str, **body: Any) -> None:
        """Make an event of a type and take it."""
        place = self.places.of(sid, self.cwd)
        self.keep(place, self.call(line, sid, {}, place).event(kind, key, **body), key)

    def keep(self, place: Place, event: dict[str, Any], key: str) -> None:
        """Take an event."""
        if key:
            event["key"] = key
        event["ts"] = self.ts
        event["imported"] = True
        self.events.append((place, event))
