"""Parse the lines of one transcript into events in the form in which hooks record them.

Invariant: pure except for the keys it records: the same lines give the same events, and an event
whose key is recorded is not built again.
"""

from typing import Any

from journal.events.hook_input import safe_id, tool
from journal.events.hook_input.compact import finished as summary_events
from journal.events.hook_input.turn import ended, failed, prompted
from journal.history.importer import SUMMARIZER
from journal.history.importer.builder import Builder
from journal.history.importer.figures import NO_FIGURES, token_members
from journal.history.importer.owners import Destination
from journal.history.importer.records import Block, TranscriptLine, object_of, text_of
from journal.history.importer.reply_parser import Reply, ReplyParser
from journal.history.importer.state import key_of
from journal.history.importer.text import (
    command_of,
    is_human_text,
    message_text,
    never_ran,
    time_of,
    title_of,
)
from journal.history.importer.withdrawn import PromptThread
from projections.prose import is_client_command


class Parser(ReplyParser):
    """A parser of one file, line by line. titles: source → last title read; thread: its prompts.

    began: start of its session, "" if unknown; lines that a fork repeats are older.
    """

    def __init__(self, builder: Builder, began: str = "") -> None:
        super().__init__(builder)
        self.titles: dict[str, str] = {}
        self.thread = PromptThread()
        self._sessions: set[str] = set()
        self._previous = ""
        self._began = began
        self._calls: dict[str, tuple[str, bytes, int]] = {}  # tool_use id → name, input, offset

    def finish(self) -> int | None:
        """Close all that is open; return the offset from which to read again once the file grows.

        From there on, a call without its result, a reply that may go on or a compaction without its
        summary is parsed again. None if there are none.
        """
        starts = [offset for _, _, offset in self._calls.values()]
        for side, reply in self._open.items():
            if not (reply.stop if side else reply.ends_turn):
                starts.append(reply.offset)
        if self._boundary is not None:
            starts.append(self._boundary[1])
        self._close_all()
        return min(starts, default=None)

    def settled(self) -> list[tuple[Destination, dict[str, Any]]]:
        """Remove and return the events before the first reply that is still open."""
        events = self.builder.events
        waiting = [id(reply.event) for reply in self._open.values() if reply.event]
        end = next((at for at, item in enumerate(events) if id(item[1]) in waiting), len(events))
        settled, self.builder.events = events[:end], events[end:]
        return settled

    def has_begun(self) -> bool:
        """Return whether the lines are about a session, and not titles alone."""
        events = self.builder.events
        return bool(self._sessions) or any(
            event.get("type") != "session.titled" for _, event in events
        )

    # -- sessions --------------------------------------------------------------------------------

    def _begin(self, line: TranscriptLine) -> str:
        sid = super()._begin(line)
        if sid not in self._sessions and (line.message is not None or line.type == "system"):
            self._start_session(sid, line)
        self._take_back(line, sid)
        return sid

    def _start_session(self, sid: str, line: TranscriptLine) -> None:
        self._sessions.add(sid)
        builder = self.builder
        if builder.agent:
            key = key_of("agent", sid, builder.agent)
            if not builder.agent.startswith(SUMMARIZER) and builder.is_new(key):
                builder.build(line, sid, "subagent.started", key)
            return
        if builder.is_new(key := key_of("session", sid)):
            previous = self._previous
            event = builder.call(line, sid, {}).event(
                "session.started",
                key,
                previous=previous,
                source="resume" if previous else "startup",
                transcript=builder.path if sid == builder.sid else "",
            )
            builder.append(sid, event)
            event["ts"] = max(event["ts"], self._began)
        self._previous = sid

    def _aside(self, line: TranscriptLine, offset: int) -> None:
        """Read a line that is not part of the conversation: a title, or the mark of a rewind."""
        if title := title_of(line):
            self._title(line, title, offset)
        elif line.is_rewound:
            self._take_back(line, line.sessionId or self.builder.sid)

    def _title(self, line: TranscriptLine, title: str, offset: int) -> None:
        source = "custom" if line.customTitle else "ai"
        if self.titles.get(source) == title or self.builder.agent:
            return
        self.titles[source] = title
        sid = line.sessionId or self.builder.sid
        if self.builder.is_new(key := key_of("title", sid, source, title, str(offset))):
            call = self.builder.call(line, sid, {"title": title})
            event = call.event("session.titled", key, source=source, title=call.text("title", 200))
            self.builder.append(sid, event)

    # -- replies, prompts and tools --------------------------------------------------------------

    def _reply(self, line: TranscriptLine, reply: Reply, offset: int) -> None:
        reply.ended = self.builder.ts
        for block in line.blocks:
            if block.type == "text" and block.text:
                reply.text.append(block.text)
            elif block.type == "tool_use":
                reply.calls = True
                if block.id:
                    self._calls[block.id] = (block.name or "", bytes(block.input), offset)

    def _usage_begun(self, line: TranscriptLine, reply: Reply) -> None:
        """Append the event of a reply's usage; its figures follow when the reply ends."""
        builder = self.builder
        assert line.message is not None
        reply.event = {
            **builder.envelope(line, reply.sid, builder.destination(reply.sid)),
            "type": "usage.recorded",
            "key": key_of("usage", reply.name, reply.request),
            "message": safe_id(line.message.id),
            "request": safe_id(line.requestId),
            "model": safe_id(line.message.model),
        }
        builder.append(reply.sid, reply.event)

    def _reply_ended(self, reply: Reply, *, side: bool) -> None:
        """Complete the event of a reply's usage, or empty it if it is recorded already."""
        builder, event = self.builder, reply.event
        if reply.figures is not NO_FIGURES:
            event.update(token_members(reply.figures), source="transcript", ts=reply.ts)
            if event["ts"] < builder.since:
                event.clear()
            elif not builder.recorded.add(event["key"], event["output_tokens"]):
                builder.repeated += 1
                event.clear()
        is_end = reply.ends_turn and not side and not builder.agent
        if is_end and builder.is_new(key := key_of("turn", reply.name, reply.request)):
            data = {"last_assistant_message": "\n".join(reply.text)}
            end = ended(builder.call(TranscriptLine(), reply.sid, data, key))
            builder.append(reply.sid, end)
            end["ts"] = reply.ended

    def _turn_failed(self, line: TranscriptLine, sid: str) -> None:
        if self.builder.is_new(key := key_of("turn", line.uuid or f"{sid} {self.builder.ts}")):
            data = {"error": line.failure, "last_assistant_message": message_text(line.content)}
            self.builder.append(sid, failed(self.builder.call(line, sid, data, key)))

    def _tool_results(self, line: TranscriptLine, sid: str) -> bool:
        results = line.results
        for block in results:
            self._tool_result(line, sid, block)
        return bool(results)

    def _prompt(self, line: TranscriptLine, sid: str, text: str) -> None:
        typed = command_of(text)
        is_image = not text.strip() and any(block.type == "image" for block in line.blocks)
        if not (is_human_text(text) or is_image) or is_client_command(typed):
            return
        builder = self.builder
        key = key_of("prompt", line.uuid) if line.uuid else key_of("prompt", sid, builder.ts, text)
        if not builder.is_new(key):
            return
        event = prompted(builder.call(line, sid, {"prompt": typed}, key))
        if event.get("agent"):
            event["origin"] = "agent"
        elif line.promptSource == "sdk" and event["origin"] == "human":
            event["origin"] = "sdk"
        builder.append(sid, event)

    def _take_back(self, line: TranscriptLine, sid: str) -> None:
        withdrawn = self.thread.add(line)
        what = (line.uuid,) if line.uuid else (sid, *withdrawn)
        if not withdrawn or not self.builder.is_new(key := key_of("withdrawn", *what)):
            return
        call = self.builder.call(line, sid, {}, key)
        if call.full and call.prompts:
            self.builder.append(sid, call.event("prompts.withdrawn", key, withdrawn=withdrawn))

    def _tool_result(self, line: TranscriptLine, sid: str, block: Block) -> None:
        use = block.tool_use_id or ""
        name, given, _ = self._calls.pop(use, ("", b"", 0))
        text = text_of(block.content)
        failed = block.is_error is True
        if failed and never_ran(text):
            return
        if not self.builder.is_new(key := key_of("tool", use, line.timestamp or "")):
            return
        data = {
            "tool_name": name,
            "tool_use_id": use,
            "tool_input": object_of(given),
            "tool_response": object_of(bytes(line.toolUseResult)) or text,
            "error": text if failed else None,
        }
        build = tool.failed if failed else tool.finished
        self.builder.append(sid, build(self.builder.call(line, sid, data, key))[0])

    # -- compactions -----------------------------------------------------------------------------

    def _compaction_started(self, line: TranscriptLine, sid: str) -> None:
        builder, found = self.builder, line.boundary
        if builder.is_new(key := key_of("compact", line.uuid or f"{sid} {builder.ts}")):
            about = {"trigger": found.kind, "tokens": found.before}
            builder.build(line, sid, "compact.started", key, **about)

    def _compaction_ended(
        self,
        line: TranscriptLine,
        sid: str,
        key: str,
        boundary: TranscriptLine,
        summary: str | None,
    ) -> None:
        builder = self.builder
        # Claude Code gives the summary an earlier time than the boundary that precedes it.
        builder.ts = max(builder.ts, time_of(boundary.timestamp or ""))
        trigger, tokens = boundary.boundary.kind, boundary.boundary.after
        if summary is None:
            builder.build(line, sid, "compact.finished", key, trigger=trigger, tokens=tokens)
            return
        data = {"compact_summary": summary, "trigger": trigger}
        for number, event in enumerate(summary_events(builder.call(line, sid, data, key))):
            if number == 0 and tokens:
                event["tokens"] = tokens
            builder.append(sid, event)
