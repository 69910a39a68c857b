"""Follow the lines of one transcript: whose they are, where replies and compactions begin and end.

Tokens and cost depend on nothing else. The import's parser adds all other facts, and the report of
replies that are not imported yet adds none. Invariant: both count the same.
"""

from journal.history.importer.builder import Builder
from journal.history.importer.records import TranscriptLine
from journal.history.importer.replies import Replies, is_reply
from journal.history.importer.state import key_of
from journal.history.importer.text import message_text, summary_of
from projections.prose import INTERRUPTED

_TURN_ENDS = ("turn_duration", "stop_hook_summary")  # lines that Claude Code writes after a turn


class ReplyParser:
    """A parser of one file, line by line."""

    def __init__(self, builder: Builder, replies: Replies) -> None:
        self.builder = builder
        self.replies = replies
        self._boundary: tuple[TranscriptLine, int] | None = None  # without a summary so far

    def parse(self, line: TranscriptLine, offset: int) -> None:
        """Parse one line that begins at `offset`."""
        kind = line.type
        if kind == "assistant":
            sid = self._begin(line)
            if is_reply(line):
                if self._boundary is not None:
                    self._end_compaction(line, sid)
                self.replies.read(line, sid, offset)
                self._reply(line, offset)
            elif line.isApiErrorMessage and not (line.isSidechain or self.builder.agent):
                self.replies.close_main(sid, is_over=False)
                self._turn_failed(line, sid)
        elif kind == "user":
            self._user(line, self._begin(line))
        elif kind != "system":
            self._aside(line, offset)
        elif line.subtype == "compact_boundary":
            # An automatic compaction interrupts a turn.
            sid = self._begin(line)
            self.replies.close_main(sid, is_over=False if line.boundary.kind == "auto" else None)
            self._end_compaction(line, sid)
            self._boundary = (line, offset)
            self._compaction_started(line, sid)
        else:
            sid = line.sessionId or self.builder.sid
            if line.subtype in _TURN_ENDS and line.isSidechain is not True:
                self.replies.close_main(sid, is_over=True)
            if line.blocked:
                self.builder.follow(line)
                self._take_back(line, sid)

    def _begin(self, line: TranscriptLine) -> str:
        """Follow time, directory and branch of a line of the conversation; return its session."""
        self.builder.follow(line)
        return line.sessionId or self.builder.sid

    def _user(self, line: TranscriptLine, sid: str) -> None:
        if line.isCompactSummary:
            self.replies.close_main(sid)
            self._end_compaction(line, sid, summary_of(message_text(line.content)))
            return
        if self._tool_results(line, sid) or line.isMeta:
            return
        if not (content := line.content):
            return
        text = message_text(content)
        if line.isSidechain is not True:
            self.replies.close_main(sid, is_over=False if text.startswith(INTERRUPTED) else None)
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

    # -- for subclasses --------------------------------------------------------------------------

    def _aside(self, line: TranscriptLine, offset: int) -> None:
        """Read a line that is not part of the conversation."""

    def _take_back(self, line: TranscriptLine, sid: str) -> None:
        """Read from a line which prompts no longer count."""

    def _reply(self, line: TranscriptLine, offset: int) -> None:
        """Read the calls of tools in a line of a reply."""

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
