"""What the lines of one transcript tell, as events in the form hooks give theirs.

Invariant: pure but for the keys it notes: the same lines give the same events, and an event whose
key is known is not made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from journal.codec import loads
from journal.events.hook_input import tool
from journal.events.hook_input.compact import finished as summary_events
from journal.events.hook_input.turn import prompted
from journal.history.importer.seen import key_of
from journal.history.importer.transcript.records import text_of
from journal.history.importer.transcript.replies import SYNTHETIC, Replies
from journal.history.importer.transcript.text import command, joined, moment, not_said, title
from journal.transcript.numbers import count

if TYPE_CHECKING:
    from journal.history.importer.transcript.records import Block, Line

__all__ = ["Teller"]

_RESPONSES = ("TaskCreate", "TaskUpdate", "TaskList")


class Teller(Replies):
    """One file being told, line by line. titles: source → last title seen."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.titles: dict[str, str] = {}
        self._previous = ""
        self._told: set[str] = set()
        self._boundary: tuple[Line, int] | None = None

    def tell(self, line: Line, offset: int) -> None:
        """Take one line that begins at `offset`."""
        kind = line.type
        if kind not in ("assistant", "user", "system"):
            if text := title(line):
                self._titled(line, text, offset)
            return
        if kind == "system" and line.subtype != "compact_boundary":
            return
        self._where(line)
        sid = line.sessionId or self.sid
        if sid not in self._told:
            self._begun(sid, line)
        if kind == "assistant":
            if self._boundary is not None and _is_reply(line):
                self._lost_summary(line, sid)
            self._assistant(line, sid, offset)
        elif kind == "user":
            self._user(line, sid)
        else:
            self._close(sid)
            self._compacting(line, sid, offset)

    def _where(self, line: Line) -> None:
        if line.timestamp and (now := moment(line.timestamp)):
            self.ts = now
        if line.cwd:
            self.cwd = line.cwd
        if line.gitBranch:
            self.branch = line.gitBranch

    def end(self) -> int | None:
        """End of the file; give where it has to be read from again, None for nowhere.

        A call without its result, a reply that may go on and a compaction without its summary
        are told again from there when the file has grown.
        """
        starts = [offset for _, _, offset in self._uses.values()]
        starts += [reply.offset for reply in self._replies.values() if not reply.stop]
        if self._boundary is not None:
            starts.append(self._boundary[1])
        for side in list(self._replies):
            self._flush(side, "")
        return min(starts, default=None)

    # -- sessions --------------------------------------------------------------------------------

    def _begun(self, sid: str, line: Line) -> None:
        self._told.add(sid)
        if self.agent:
            if self.new(key := key_of("agent", sid, self.agent)):
                self.put(line, sid, "subagent.started", key)
            return
        if self.new(key := key_of("session", sid)):
            previous = self._previous if self._previous != sid else ""
            self.put(
                line,
                sid,
                "session.started",
                key,
                previous=previous,
                source="resume" if previous else "startup",
                transcript=self.path if sid == self.sid else "",
            )
        self._previous = sid

    def _titled(self, line: Line, text: str, offset: int) -> None:
        source = "custom" if line.customTitle else "ai"
        if self.titles.get(source) == text or self.agent:
            return
        self.titles[source] = text
        sid = line.sessionId or self.sid
        if self.new(key := key_of("title", sid, source, text, str(offset))):
            place = self.places.of(sid, self.cwd)
            call = self.call(line, sid, {"title": text}, place)
            self.keep(
                place,
                call.event("session.titled", key, source=source, title=call.text("title", 200)),
            )

    # -- prompts and tools -----------------------------------------------------------------------

    def _user(self, line: Line, sid: str) -> None:
        message = line.message
        content = message.content if message is not None else None
        if line.isCompactSummary:
            self._close(sid)
            self._compacted(line, sid, joined(content))
            return
        results = (
            [block for block in content if block.type == "tool_result"]
            if isinstance(content, list)
            else []
        )
        for block in results:
            self._result(line, sid, block)
        if results or line.isMeta or not content:
            return
        if line.isSidechain is not True:
            self._close(sid)
        self._lost_summary(line, sid)
        self._prompt(line, sid, joined(content))

    def _prompt(self, line: Line, sid: str, text: str) -> None:
        if not_said(text):
            return
        key = key_of("prompt", line.uuid) if line.uuid else key_of("prompt", sid, self.ts, text)
        if not self.new(key):
            return
        place = self.places.of(sid, self.cwd)
        event = prompted(self.call(line, sid, {"prompt": command(text)}, place, key))[0]
        if event.get("agent"):
            event["origin"] = "agent"
        elif line.promptSource == "sdk" and event["origin"] == "human":
            event["origin"] = "sdk"
        self.keep(place, event)

    def _result(self, line: Line, sid: str, block: Block) -> None:
        use = block.tool_use_id or ""
        name, given, _ = self._uses.pop(use, ("", b"", 0))
        if not self.new(key := key_of("tool", use, line.timestamp or "")):
            return
        text = text_of(block.content)
        failed = block.is_error is True
        data = {
            "tool_name": name,
            "tool_use_id": use,
            "tool_input": _object(given),
            "tool_response": _object(bytes(line.toolUseResult)) if name in _RESPONSES else text,
            "error": text if failed else None,
        }
        place = self.places.of(sid, self.cwd)
        call = self.call(line, sid, data, place, key)
        self.keep(place, (tool.failed if failed else tool.finished)(call)[0])

    # -- compactions -----------------------------------------------------------------------------

    def _compacting(self, line: Line, sid: str, offset: int) -> None:
        self._lost_summary(line, sid)
        self._boundary = (line, offset)
        meta = line.compactMetadata
        if self.new(key := key_of("compact", line.uuid or f"{sid} {self.ts}")):
            self.put(
                line,
                sid,
                "compact.started",
                key,
                trigger=(meta.trigger or "")[:40] if meta else "",
                tokens=count(meta.preTokens) if meta else None,
            )

    def _compacted(self, line: Line, sid: str, summary: str) -> None:
        boundary = self._boundary[0] if self._boundary is not None else line
        self._boundary = None
        meta = boundary.compactMetadata
        if not self.new(key := key_of("compacted", boundary.uuid or f"{sid} {self.ts}")):
            return
        place = self.places.of(sid, self.cwd)
        data = {"compact_summary": summary, "trigger": meta.trigger if meta else ""}
        made = summary_events(self.call(line, sid, data, place, key))
        for number, event in enumerate(made):
            if number == 0 and meta and count(meta.postTokens):
                event["tokens"] = meta.postTokens
            self.keep(place, event)

    def _lost_summary(self, line: Line, sid: str) -> None:
        """A compaction whose summary is not in the file is over once the session goes on."""
        if self._boundary is None:
            return
        boundary, _ = self._boundary
        self._boundary = None
        meta = boundary.compactMetadata
        if self.new(key := key_of("compacted", boundary.uuid or f"{sid} {self.ts}")):
            self.put(
                line,
                sid,
                "compact.finished",
                key,
                trigger=(meta.trigger or "")[:40] if meta else "",
                tokens=count(meta.postTokens) if meta else None,
            )


def _is_reply(line: Line) -> bool:
    message = line.message
    return not (message is None or line.isApiErrorMessage or message.model == SYNTHETIC)


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(raw) if raw else {}
    except (ValueError, RecursionError):  # half a surrogate, say
        try:
            value = loads(raw)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}
