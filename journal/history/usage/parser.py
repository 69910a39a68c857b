"""Parse transcript lines into what tokens and cost depend on, and nothing else.

Invariant: the import makes events of the same replies, compactions and uses of files. The result
for one file depends on no other file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, json

from journal.events.hook_input.tool import ABOUT, CHANGING, output_of
from journal.history.importer.figures import NO_FIGURES
from journal.history.importer.records import UNREADABLE, Block, TranscriptLine, object_of, text_of
from journal.history.importer.reply_parser import Reply, ReplyParser
from journal.redaction.private import may_be_private

if TYPE_CHECKING:
    from journal.history.importer.builder import Builder

_FILE_TOOLS = CHANGING | {"Read"}
_PATHS = "file_path", "notebook_path"
_has_result = re.compile(rb'"type":\s*"tool_result"').search
_names_tool = re.compile(rb'"name":\s*"(?:%b)"' % "|".join(sorted(_FILE_TOOLS)).encode()).search
"""Find a call of a tool that uses a file. A text has no such bytes: its quotes are escaped."""


class _Input(Struct, gc=False):
    """The members of an input that name a file."""

    file_path: str | None = None
    notebook_path: str | None = None


class _Call(Struct, gc=False):
    """A block that may be a call of a tool."""

    type: str | None = None
    id: str | None = None
    name: str | None = None
    input: _Input | None = None


class _Result(Struct, gc=False):
    """A block that may be the result of a call."""

    type: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None


_decode_calls = json.Decoder(list[_Call]).decode
_decode_results = json.Decoder(list[_Result]).decode


class FileCall(NamedTuple):
    """A call of a tool that uses a file."""

    id: str
    tool: str
    path: str


class EndedCompaction(Struct, array_like=True, gc=False):
    """The end of a compaction. key: of its fact; counts: whether it is one of the main thread."""

    sid: str
    ts: str
    key: str
    counts: bool


class FileUse(Struct, array_like=True, gc=False):
    """A file that was read or written in the main thread of a session.

    given: the time in its line; size: characters that were read, 0 if no compaction can have
    dropped the file, None if it was written.
    """

    sid: str
    ts: str
    call: str
    given: str
    tool: str
    path: str
    size: int | None


class FileUsage(Struct, array_like=True):
    """The usage in one transcript.

    directories: session → the one that its first line was written in. lacks_uses: whether
    uses of files were not looked for.
    """

    directories: dict[str, str] = {}
    replies: list[Reply] = []
    compactions: list[EndedCompaction] = []
    uses: list[FileUse] = []
    lacks_uses: bool = False


class UsageParser(ReplyParser):
    """A parser that builds replies, ends of compactions and uses of files, and nothing else.

    with_files: whether to build the uses of files, which matter in a compacted session only.
    is_whole: whether this file alone has its session, and from the beginning.
    """

    def __init__(self, builder: Builder, *, is_whole: bool) -> None:
        super().__init__(builder)
        self.with_files = False
        self.found = FileUsage()
        self._is_whole = is_whole
        self._compacted: set[str] = set()
        self._calls: dict[str, FileCall] = {}  # without a result so far

    def finish(self) -> FileUsage:
        """Return the usage in the file, once all lines are parsed."""
        self._close_all()
        return self.found

    def _reply_ended(self, reply: Reply, *, side: bool) -> None:  # noqa: ARG002 (both count)
        if reply.figures is not NO_FIGURES:
            self.found.replies.append(reply)

    def _reply(self, line: TranscriptLine, _reply: Reply, _offset: int) -> None:
        if not self.with_files or self.builder.agent or line.isSidechain or line.message is None:
            return
        if not _names_tool(line.message.raw):
            return
        for call in _calls_of(line):
            if call.name in _FILE_TOOLS and call.type == "tool_use" and call.id and call.input:
                path = getattr(call.input, ABOUT[call.name][0])
                if path is not None:
                    self._calls[call.id] = FileCall(call.id, call.name, path)

    def _tool_results(self, line: TranscriptLine, sid: str) -> bool:
        if not self._calls:
            return line.message is not None and _has_result(line.message.raw) is not None
        results = _results_of(line)
        for result in results:
            call = self._calls.pop(result.tool_use_id or "", None)
            if call is not None and not result.is_error and not line.isSidechain:
                self._use(line, sid, call)
        return bool(results)

    def _begin(self, line: TranscriptLine) -> str:
        sid = super()._begin(line)
        if sid not in self.found.directories:
            self.found.directories[sid] = self.builder.cwd
        return sid

    def _use(self, line: TranscriptLine, sid: str, call: FileCall) -> None:
        size = 0 if call.tool == "Read" else None
        if size is not None and not (
            self._is_whole and sid == self.builder.sid and sid not in self._compacted
        ):
            size = _size(line, call)
        ts = self.builder.ts
        self.found.uses.append(
            FileUse(sid, ts, call.id, line.timestamp or "", call.tool, call.path, size)
        )

    def _compaction_ended(
        self,
        line: TranscriptLine,
        sid: str,
        key: str,
        _boundary: TranscriptLine,
        summary: str | None,
    ) -> None:
        builder = self.builder
        counts = not (builder.agent or line.subagent) and (summary is None or summary.strip() != "")
        self.found.compactions.append(EndedCompaction(sid, builder.ts, key, counts))
        if counts:
            self._compacted.add(sid)


def _calls_of(line: TranscriptLine) -> list[_Call]:
    """Return the blocks of a line, as far as they are calls."""
    raw = bytes(line.message.raw) if line.message is not None else b""
    with suppress(*UNREADABLE):
        if not may_be_private(raw):
            found: list[_Call] = _decode_calls(raw)
            return found
    given = [(block, object_of(bytes(block.input))) for block in line.blocks]
    return [
        _Call(block.type, block.id, block.name, _Input(*map(_text, map(data.get, _PATHS))))
        for block, data in given
    ]


def _results_of(line: TranscriptLine) -> Sequence[_Result | Block]:
    """Return the results of tools in a line, without their contents."""
    with suppress(*UNREADABLE):
        found = _decode_results(line.message.raw if line.message is not None else b"")
        return [block for block in found if block.type == "tool_result"]
    return line.results


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _size(line: TranscriptLine, call: FileCall) -> int:
    """Return the characters of the result of a call."""
    response: object = object_of(bytes(line.toolUseResult))
    if not response:
        texts = [text_of(item.content) for item in line.results if item.tool_use_id == call.id]
        response = texts[-1] if texts else ""
    return len(output_of(response))
