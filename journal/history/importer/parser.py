"""Parse the lines of one transcript into events of the same form as those of hooks.

Invariant: pure except for the keys it records: the same lines give the same events, and an event
whose key is recorded is not built again.
"""

from journal.events.hook_input import tool
from journal.events.hook_input.compact import finished as summary_events
from journal.events.hook_input.turn import failed, prompted
from journal.history.importer import COMPACTION
from journal.history.importer.builder import Builder
from journal.history.importer.records import Block, TranscriptLine, object_of, text_of
from journal.history.importer.replies import Replies, is_reply
from journal.history.importer.state import key_of
from journal.history.importer.text import (
    command_of,
    is_human_text,
    message_text,
    never_ran,
    summary_of,
    time_of,
    title_of,
)
from journal.history.importer.withdrawn import PromptThread
from projections.prose import INTERRUPTED, is_client_command

_TURN_ENDS = ("turn_duration", "stop_hook_summary")  # lines that Claude Code writes after a turn


class Parser:
    """A parser of one file, line by line. titles: source → last title read; thread: its prompts.

    began: when its session began, "" if unknown; what a fork repeats is older.
    """

    def __init__(self, builder: Builder, began: str = "") -> None:
        self.builder = builder
        self.replies = Replies(builder)
        self.titles: dict[str, str] = {}
        self.thread = PromptThread()
        self._sessions: set[str] = set()
        self._previous = ""
        self._began = began
        self._calls: dict[str, tuple[str, bytes, int]] = {}  # tool_use id → name, input, offset
        self._boundary: tuple[TranscriptLine, int] | None = (
            None  # compaction without a summary so far
        )

    def parse(self, line: TranscriptLine, offset: int) -> None:
        """Parse one line that begins at `offset`."""
        kind = line.type
        if kind not in ("assistant", "user", "system"):
            self._aside(line, offset)
            return
        if kind == "system" and line.subtype != "compact_boundary":
            if line.subtype in _TURN_ENDS and line.isSidechain is not True:
                self.replies.close_main(line.sessionId or self.builder.sid, is_over=True)
            if line.blocked:
                self._follow(line)
                self._take_back(line, line.sessionId or self.builder.sid)
            return
        self._follow(line)
        sid = line.sessionId or self.builder.sid
        if sid not in self._sessions:
            self._start_session(sid, line)
        self._take_back(line, sid)
        if kind == "assistant":
            self._assistant(line, sid, offset)
        elif kind == "user":
            self._user(line, sid)
        else:
            # An automatic compaction interrupts a turn.
            self.replies.close_main(sid, is_over=False if line.boundary.kind == "auto" else None)
            self._start_compaction(line, sid, offset)

    def finish(self) -> int | None:
        """Close what is open; return the offset to read again from once the file grows, or None.

        A call without its result, a reply that may go on and a compaction without its summary are
        parsed again from there.
        """
        starts = [offset for _, _, offset in self._calls.values()] + self.replies.unfinished()
        if self._boundary is not None:
            starts.append(self._boundary[1])
        self.replies.close_all()
        return min(starts, default=None)

    def _follow(self, line: TranscriptLine) -> None:
        """Take time, directory and branch from a line that has them."""
        builder = self.builder
        if line.timestamp and (ts := time_of(line.timestamp)):
            builder.ts = ts
        if line.cwd:
            builder.cwd = line.cwd
        if line.gitBranch:
            builder.branch = line.gitBranch

    # -- sessions --------------------------------------------------------------------------------

    def _start_session(self, sid: str, line: TranscriptLine) -> None:
        self._sessions.add(sid)
        builder = self.builder
        if builder.agent:
            key = key_of("agent", sid, builder.agent)
            if not builder.agent.startswith(COMPACTION) and builder.is_new(key):
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
        """Read a line that is no part of the conversation: a title, or the mark of a rewind."""
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

    def _assistant(self, line: TranscriptLine, sid: str, offset: int) -> None:
        if not is_reply(line):
            if line.isApiErrorMessage and not (line.isSidechain or self.builder.agent):
                self._fail_turn(line, sid)
            return
        self._end_compaction(line, sid)
        self.replies.read(line, sid, offset)
        for block in line.blocks:
            if block.type == "tool_use" and block.id:
                self._calls[block.id] = (block.name or "", bytes(block.input), offset)

    def _fail_turn(self, line: TranscriptLine, sid: str) -> None:
        """Build the event of an API error, which Claude Code writes as a reply of its own."""
        self.replies.close_main(sid, is_over=False)
        if self.builder.is_new(key := key_of("turn", line.uuid or f"{sid} {self.builder.ts}")):
            data = {"error": line.failure, "last_assistant_message": message_text(line.content)}
            self.builder.append(sid, failed(self.builder.call(line, sid, data, key)))

    def _user(self, line: TranscriptLine, sid: str) -> None:
        content = line.content
        if line.isCompactSummary:
            self.replies.close_main(sid)
            self._end_compaction(line, sid, summary_of(message_text(content)))
            return
        results = line.results
        for block in results:
            self._tool_result(line, sid, block)
        if results or line.isMeta or not content:
            return
        text = message_text(content)
        if line.isSidechain is not True:
            self.replies.close_main(sid, is_over=False if text.startswith(INTERRUPTED) else None)
        self._end_compaction(line, sid)
        self._prompt(line, sid, text)

    def _prompt(self, line: TranscriptLine, sid: str, text: str) -> None:
        said = command_of(text)
        is_image = not text.strip() and any(block.type == "image" for block in line.blocks)
        if not (is_human_text(text) or is_image) or is_client_command(said):
            return
        builder = self.builder
        key = key_of("prompt", line.uuid) if line.uuid else key_of("prompt", sid, builder.ts, text)
        if not builder.is_new(key):
            return
        event = prompted(builder.call(line, sid, {"prompt": said}, key))
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

    def _start_compaction(self, line: TranscriptLine, sid: str, offset: int) -> None:
        self._end_compaction(line, sid)
        self._boundary = (line, offset)
        if self.builder.is_new(key := key_of("compact", line.uuid or f"{sid} {self.builder.ts}")):
            self.builder.build(
                line,
                sid,
                "compact.started",
                key,
                trigger=line.boundary.kind,
                tokens=line.boundary.before,
            )

    def _end_compaction(self, line: TranscriptLine, sid: str, summary: str | None = None) -> None:
        """End the open compaction. summary: None if the session continues without one."""
        if self._boundary is None and summary is None:
            return
        boundary = self._boundary[0] if self._boundary is not None else line
        self._boundary = None
        builder = self.builder
        key = key_of("compacted", boundary.uuid or f"{sid} {builder.ts}")
        if not builder.is_new(key):
            return
        trigger, tokens = boundary.boundary.kind, boundary.boundary.after
        if summary is None:
            builder.build(line, sid, "compact.finished", key, trigger=trigger, tokens=tokens)
            return
        data = {"compact_summary": summary, "trigger": trigger}
        for number, event in enumerate(summary_events(builder.call(line, sid, data, key))):
            if number == 0 and tokens:
                event["tokens"] = tokens
            builder.append(sid, event)
