"""Follow the lines of one transcript: whose they are, where replies and compactions begin and end.

Tokens and cost depend on nothing else. The import's parser adds all other facts, and the report of
replies that are not imported yet adds none. Invariant: both count the same replies, each once,
however many lines it takes, with the figures of its last line that has any.
"""

from typing import Any

from msgspec import Struct

from journal.history.importer.builder import Builder
from journal.history.importer.figures import NO_FIGURES, Figures, figures_of
from journal.history.importer.records import TranscriptLine
from journal.history.importer.state import key_of
from journal.history.importer.text import message_text, summary_of
from projections.prose import INTERRUPTED

_TURN_ENDS = ("turn_duration", "stop_hook_summary")  # lines that Claude Code writes after a turn


class Reply(Struct, eq=False, gc=False, omit_defaults=True):
    """One API response: the lines that share its id.

    name, request: its id, and that of its request; sid, offset: of its first line; figures, ts:
    those that count so far, NO_FIGURES without any; stop: why it ended ("" if unknown so far).
    agent, branch, model: of the first line with figures. The rest is for the import alone:
    event, in its position among the others; text: of the reply; calls: whether it calls a tool;
    ended: time of its last line; is_last: whether a later line shows that its turn is over.
    """

    name: str
    request: str
    sid: str
    offset: int
    figures: Figures = NO_FIGURES
    ts: str = ""
    stop: str = ""
    agent: str = ""
    branch: str = ""
    model: str | None = None
    event: dict[str, Any] = {}
    text: list[str] = []
    calls: bool = False
    ended: str = ""
    is_last: bool = False

    @property
    def has_text(self) -> bool:
        """Return whether it has a visible text; Claude Code asks again for one without."""
        return any(map(str.strip, self.text))

    @property
    def ends_turn(self) -> bool:
        """Return whether its turn ends with it."""
        return self.is_last or (self.stop == "end_turn" and self.has_text)


class ReplyParser:
    """A parser of one file, line by line."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self._open: dict[bool, Reply] = {}  # the main thread's and that of a sidechain
        self._boundary: tuple[TranscriptLine, int] | None = None  # without a summary so far

    def parse(self, line: TranscriptLine, offset: int) -> None:
        """Parse one line that begins at `offset`."""
        kind = line.type
        if kind == "assistant":
            sid = self._begin(line)
            if line.is_reply:
                if self._boundary is not None:
                    self._end_compaction(line, sid)
                self._reply(line, self._read_reply(line, sid, offset), offset)
            elif line.isApiErrorMessage and not (line.isSidechain or self.builder.agent):
                self._close_main(sid, is_over=False)
                self._turn_failed(line, sid)
        elif kind == "user":
            self._user(line, self._begin(line))
        elif kind != "system":
            self._aside(line, offset)
        elif line.subtype == "compact_boundary":
            # An automatic compaction interrupts a turn.
            sid = self._begin(line)
            self._close_main(sid, is_over=False if line.boundary.kind == "auto" else None)
            self._end_compaction(line, sid)
            self._boundary = (line, offset)
            self._compaction_started(line, sid)
        else:
            sid = line.sessionId or self.builder.sid
            if line.subtype in _TURN_ENDS and line.isSidechain is not True:
                self._close_main(sid, is_over=True)
            if line.blocked:
                self.builder.follow(line)
                self._take_back(line, sid)

    def _begin(self, line: TranscriptLine) -> str:
        """Follow time, directory and branch of a line of the conversation; return its session."""
        self.builder.follow(line)
        return line.sessionId or self.builder.sid

    def _user(self, line: TranscriptLine, sid: str) -> None:
        if line.isCompactSummary:
            self._close_main(sid)
            self._end_compaction(line, sid, summary_of(message_text(line.content)))
            return
        if self._tool_results(line, sid) or line.isMeta:
            return
        if not (content := line.content):
            return
        text = message_text(content)
        if line.isSidechain is not True:
            self._close_main(sid, is_over=False if text.startswith(INTERRUPTED) else None)
        self._end_compaction(line, sid)
        self._prompt(line, sid, text)

    def _end_compaction(self, line: TranscriptLine, sid: str, summary: str | None = None) -> None:
        """End the open compaction. summary: None if the session continues without one."""
        if self._boundary is None and summary is None:
            return
        boundary = self._boundary[0] if self._boundary is not None else line
        self._boundary = None
        key = key_of("compacted", boundary.uuid or f"{sid} {self.builder.ts}")
        if self.builder.is_new(key):
            self._compaction_ended(line, sid, key, boundary, summary)

    # -- replies ---------------------------------------------------------------------------------

    def _read_reply(self, line: TranscriptLine, sid: str, offset: int) -> Reply:
        """Read a line of the open reply or of a new one; return that reply."""
        message = line.message
        assert message is not None
        side = line.isSidechain is True
        name, request = line.reply
        name = name or f"{self.builder.path}:{offset}"
        reply = self._open.get(side)
        if reply is None or reply.name != name or reply.request != request:
            if reply is not None:
                self._close(side=side)
            reply = self._open[side] = Reply(name, request, sid, offset)
        figures = figures_of(message.usage)
        if figures is not None:
            if reply.figures is NO_FIGURES:
                reply.agent = self.builder.agent or line.subagent
                reply.branch, reply.model = self.builder.branch, message.model
                self._usage_begun(line, reply)
            reply.figures, reply.ts = figures, self.builder.ts
        if message.stop_reason:
            reply.stop = message.stop_reason
        return reply

    def _close_main(self, sid: str, *, is_over: bool | None = None) -> None:
        """Close the main thread's reply: the line that follows is not part of it.

        sid: of that line. is_over: whether it shows that the turn is over; None if it shows
        neither. Many versions of Claude Code recorded no reason why a reply ended: then a reply
        with a text and without a tool call ended its turn, unless the line is of another session.
        """
        reply = self._open.get(False)
        if reply is not None:
            if is_over is None and not (reply.stop or reply.calls) and sid == reply.sid:
                is_over = reply.has_text
            reply.is_last = bool(is_over)
            self._close(side=False)

    def _close_all(self) -> None:
        """Close all replies at the end of the file."""
        for side in list(self._open):
            self._close(side=side)

    def _close(self, *, side: bool) -> None:
        self._reply_ended(self._open.pop(side), side=side)

    # -- for subclasses --------------------------------------------------------------------------

    def _aside(self, line: TranscriptLine, offset: int) -> None:
        """Read a line that is not part of the conversation."""

    def _take_back(self, line: TranscriptLine, sid: str) -> None:
        """Read from a line which prompts no longer count."""

    def _reply(self, line: TranscriptLine, reply: Reply, offset: int) -> None:
        """Read the texts and the calls of tools in a line of a reply."""

    def _usage_begun(self, line: TranscriptLine, reply: Reply) -> None:
        """Read the first line of a reply that has figures."""

    def _reply_ended(self, reply: Reply, *, side: bool) -> None:
        """Read a closed reply. side: whether it is of a sidechain."""
        raise NotImplementedError

    def _turn_failed(self, line: TranscriptLine, sid: str) -> None:
        """Read the API error that ended a turn, which Claude Code writes as a reply of its own."""

    def _prompt(self, line: TranscriptLine, sid: str, text: str) -> None:
        """Read a prompt."""

    def _tool_results(self, line: TranscriptLine, sid: str) -> bool:
        """Read the results of tools in a line; return whether it has any."""
        raise NotImplementedError

    def _compaction_started(self, line: TranscriptLine, sid: str) -> None:
        """Read the line that Claude Code writes in place of the dropped conversation."""

    def _compaction_ended(
        self,
        line: TranscriptLine,
        sid: str,
        key: str,
        boundary: TranscriptLine,
        summary: str | None,
    ) -> None:
        """Read the first line after a compaction. key: the new fact's."""
        raise NotImplementedError
