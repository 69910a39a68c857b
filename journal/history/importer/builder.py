"""Build the events of one transcript, in the form in which hooks record them.

Invariant: pure except for the keys it records; an event whose key is recorded is not built again.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from journal.clock import iso
from journal.events.hook_input import Call
from journal.history.importer.find import Transcript
from journal.history.importer.owners import Destination, ProjectFinder
from journal.history.importer.records import TranscriptLine
from journal.history.importer.state import RecordedKeys
from journal.history.importer.text import time_of
from journal.redaction.batch import redact_texts


class _Call(Call):
    """A call as a hook would have it, but with a given envelope and key.

    A test compares its events with the events of a real hook call.
    """

    __slots__ = ("envelope", "key")

    def __init__(
        self, data: dict[str, Any], destination: Destination, envelope: dict[str, Any], key: str
    ) -> None:
        self.data = data
        self.raw = ""
        self.root = destination.root
        self.facts = {}
        self.full, self.prompts = destination.full, destination.prompts
        self.short = False
        self.envelope = envelope
        self.key = key

    def once(self, *_parts: object, **_text: object) -> str:
        return self.key

    def again(self, *_parts: object) -> str:
        return self.key

    def redacted(self, text: str) -> str:
        return redact_texts([text]).get(text, text)  # its words are known, or searched once

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


class Builder(Struct, eq=False):
    """The events of one transcript so far.

    destination_of: returns the project of a session that was seen in a directory. sid, agent, path:
    of the file. cwd, ts, branch: of the lines so far. events: (destination, event) in order; an
    emptied event is skipped. repeated: facts recorded before.
    """

    destination_of: Callable[[str, str], Destination]
    recorded: RecordedKeys
    sid: str
    agent: str = ""
    cwd: str = ""
    path: str = ""
    ts: str = ""
    since: str = ""
    branch: str = ""
    events: list[tuple[Destination, dict[str, Any]]] = []
    repeated: int = 0
    _envelope_of: tuple[object, ...] = ()
    _envelope: dict[str, Any] = {}

    def follow(self, line: TranscriptLine) -> None:
        """Take time, directory and branch from a line that has them."""
        if line.timestamp and (ts := time_of(line.timestamp)):
            self.ts = ts
        if line.cwd:
            self.cwd = line.cwd
        if line.gitBranch:
            self.branch = line.gitBranch

    def is_new(self, key: str) -> bool:
        """Record a key; return False if its fact is too old or already recorded."""
        if self.since and self.ts < self.since:
            return False
        if self.recorded.add(key):
            return True
        self.repeated += 1
        return False

    def destination(self, sid: str) -> Destination:
        """Return the project that gets a session's events."""
        return self.destination_of(sid, self.cwd)

    def call(self, line: TranscriptLine, sid: str, data: dict[str, Any], key: str = "") -> Call:
        """Build the call that a hook would have had."""
        destination = self.destination(sid)
        return _Call(data, destination, self.envelope(line, sid, destination), key)

    def envelope(self, line: TranscriptLine, sid: str, destination: Destination) -> dict[str, Any]:
        """Build the envelope of a record, or reuse the last one if nothing in it changed."""
        about = (sid, line.isSidechain, line.agentId, line.promptId, self.cwd, self.branch)
        if about != self._envelope_of:
            self._envelope_of = about
            data = {"session_id": sid, "cwd": self.cwd, "prompt_id": line.promptId}
            if agent := self.agent or line.subagent:
                data["agent_id"] = agent
            call = Call(data, "", destination.root, destination.settings, {"branch": self.branch})
            self._envelope = call.event("", "-")
        return self._envelope

    def build(self, line: TranscriptLine, sid: str, type_: str, key: str, **body: Any) -> None:
        """Build an event of a type and append it."""
        self.append(sid, self.call(line, sid, {}).event(type_, key, **body))

    def append(self, sid: str, event: dict[str, Any]) -> None:
        """Append an event of a session, with the time of its line."""
        event["ts"] = self.ts
        event["imported"] = True
        self.events.append((self.destination(sid), event))


def builder_of(
    owners: ProjectFinder, item: Transcript, recorded: RecordedKeys, start: int, since: str = ""
) -> Builder:
    """Return the builder of the events of a file that is read from the byte `start`.

    A line without a time, such as a title, gets the start of the session if it is at the beginning
    of the file, else the time of the file.
    """
    return Builder(
        owners.of_session,
        recorded,
        item.sid,
        item.agent,
        cwd=owners.cwd_of(item),
        path=item.path,
        ts=(owners.began(item) if not start else "") or iso(item.mtime // 1_000_000),
        since=since,
    )
