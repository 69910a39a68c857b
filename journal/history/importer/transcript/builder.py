"""Makes the events of one transcript, in the form hooks give theirs.

Invariant: pure but for the keys it notes; an event whose key is known is not made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.events.hook_input.call import Call

if TYPE_CHECKING:
    from journal.history.importer.offsets import Place, Places
    from journal.history.importer.seen import Known
    from journal.history.importer.transcript.records import Line

__all__ = ["Maker"]

_SIDECHAIN = "sidechain"


class _Call(Call):
    """A hook call that never was: its envelope and its key are given, not worked out.

    A test holds its events to those of the hook's own.
    """

    __slots__ = ("envelope", "key")

    def __init__(
        self, data: dict[str, Any], place: Place, envelope: dict[str, Any], key: str
    ) -> None:
        self.data = data
        self.raw = ""
        self.root = place.root
        self.facts = {}
        self.full, self.prompts = place.full, place.prompts
        self.envelope = envelope
        self.key = key

    def once(self, *parts: object) -> str:  # noqa: ARG002
        return self.key

    def again(self, *parts: object) -> str:  # noqa: ARG002
        return self.key

    def event(self, type_: str, key: str, /, **body: Any) -> dict[str, Any]:
        fields = self.envelope.copy()
        fields["type"] = type_
        if key:
            fields["key"] = key
        else:
            del fields["key"]
        for name, value in body.items():
            if value or (value == 0 and value is not False):
                fields[name] = value
        return fields


class Maker:
    """One file being told.

    sid, agent: whose file it is. events: (place, event) made so far, an emptied event being none.
    cwd, ts, branch: as the lines so far have them. repeated: facts that were known.
    """

    def __init__(
        self,
        places: Places,
        known: Known,
        sid: str,
        agent: str = "",
        *,
        cwd: str = "",
        path: str = "",
        ts: str = "",
        since: str = "",
    ) -> None:
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

    def call(self, line: Line, sid: str, data: dict[str, Any], place: Place, key: str = "") -> Call:
        """Give what a hook would have been called with."""
        return _Call(data, place, self.envelope(line, sid, place), key)

    def envelope(self, line: Line, sid: str, place: Place) -> dict[str, Any]:
        """Envelope of a record: the same for many, so made once for each kind of line."""
        about = (sid, line.isSidechain, line.agentId, line.promptId, self.cwd, self.branch)
        if about != self._about:
            self._about = about
            data = {"session_id": sid, "cwd": self.cwd, "prompt_id": line.promptId}
            if agent := self.agent or (line.agentId or _SIDECHAIN if line.isSidechain else ""):
                data["agent_id"] = agent
            call = Call(data, "", place.root, place.settings, {"branch": self.branch})
            self._like = call.event("", "-")
        return self._like

    def put(self, line: Line, sid: str, kind: str, key: str, **body: Any) -> None:
        """Make an event of a type and take it."""
        place = self.places.of(sid, self.cwd)
        self.keep(place, self.call(line, sid, {}, place).event(kind, key, **body))

    def keep(self, place: Place, event: dict[str, Any]) -> None:
        """Take an event."""
        event["ts"] = self.ts
        event["imported"] = True
        self.events.append((place, event))
