"""Parse transcript lines into what tokens and cost depend on, and nothing else.

Invariant: replies, compactions and uses of files are those of which the import makes events.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from journal.events.hook_input.tool import ABOUT, CHANGING, about_of, output_of
from journal.history.importer.records import TranscriptLine, object_of, text_of
from journal.history.importer.replies import Replies, is_reply
from journal.history.importer.reply_parser import ReplyParser
from journal.history.usage.compactions import COMPACTION, FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from journal.history.importer.builder import Builder
    from journal.history.importer.owners import Destination
    from journal.history.usage.compactions import Event

_RESULT, _USE, _ERROR = b'"type":"tool_result"', b'"tool_use_id":"', b'"is_error"'
_CALL, _ID = b'"tool_use"', b'"id":"'
_is_word = re.compile(rb"[\w-]+").fullmatch
_FILE_TOOLS = CHANGING | {"Read"}
_names_file = re.compile(
    rb'"name":\s*"(%b)"(?:,"input":\{"(?:file|notebook)_path":"([^"\\]*)")?'
    % "|".join(sorted(_FILE_TOOLS)).encode()
).search
"""Find a call of a tool that uses a file: the tool, and the path if it stands as usual."""


class FileCall(NamedTuple):
    """A call of a tool that uses a file."""

    id: str
    tool: str
    path: str


class Thread:
    """What matters for the cost of compactions in the main thread of a session.

    compactions, uses: their ends, and the files read and written; a file that no compaction can
    have dropped has the size 0. is_continued: whether an import has read the beginning.
    """

    def __init__(self) -> None:
        self.compactions: list[Event] = []
        self.uses: list[Event] = []
        self.is_continued = False
        self._targets: set[str] = set()

    def may_read_again(self, target: str) -> bool:
        """Return whether a compaction may have dropped a file that is read; note the file."""
        is_again = self.is_continued or bool(self.compactions and target in self._targets)
        self._targets.add(target)
        return is_again


class UsageParser(ReplyParser):
    """A parser that builds replies, ends of compactions and uses of files, and nothing else.

    thread_of: returns the thread of a session. with_files: whether to build the uses of files,
    which matter in a compacted session only. used: keys of these uses.
    """

    def __init__(
        self,
        builder: Builder,
        thread_of: Callable[[Destination, str], Thread],
        used: set[tuple[str, str]],
    ) -> None:
        super().__init__(builder, Replies(builder))
        self.with_files = False
        self._thread_of = thread_of
        self._used = used
        self._calls: dict[bytes, FileCall] = {}
        self._targets: dict[tuple[str, ...], str] = {}

    def parse_all(self, lines: Iterable[TranscriptLine], offset: int) -> None:
        """Parse lines of which none is a reply that only its position identifies.

        Most lines change nothing: further ones of a reply, and results of tools.
        """
        goes_on, parse, skip = self.replies.goes_on, self.parse, self.builder.skip
        with_files = self.with_files and not self.builder.agent
        for line in lines:
            kind = line.type
            if kind == "assistant":
                if not goes_on(line):
                    parse(line, offset)
                if with_files:
                    self._note_calls(line)
            elif kind == "user" and self._is_of_no_file(line):
                skip(line)
            else:
                parse(line, offset)

    def _note_calls(self, line: TranscriptLine) -> None:
        """Note the calls of a line that use files."""
        message = line.message
        if message is not None:
            raw = bytes(message.raw)
            if not (found := _names_file(raw)):
                return
            name, path = found.groups()
            call = raw[raw.rfind(_ID, 0, found.start()) + len(_ID) : found.start() - 2]
            is_usual = path is not None and _is_word(call) and raw.find(_CALL, found.end()) < 0
            if is_usual and is_reply(line):
                if not line.isSidechain:
                    self._calls[call] = FileCall(call.decode(), name.decode(), path.decode())
                return
        for block in line.blocks if is_reply(line) and not line.isSidechain else ():
            if block.name in _FILE_TOOLS and block.type == "tool_use" and block.id:
                given = object_of(bytes(block.input))
                path = given.get(ABOUT[block.name][0])
                if isinstance(path, str):
                    self._calls[block.id.encode()] = FileCall(block.id, block.name, path)

    def _is_of_no_file(self, line: TranscriptLine) -> bool:
        """Return whether a line has the result of one tool, and that used no file that counts."""
        message = line.message
        if message is None or line.isCompactSummary:
            return False
        raw = bytes(message.raw)
        at = raw.find(_USE) + len(_USE)
        return (
            at >= len(_USE)
            and raw[at : raw.find(b'"', at)] not in self._calls
            and raw.find(_USE, at) < 0
            and _RESULT in raw
        )

    def _tool_results(self, line: TranscriptLine, sid: str) -> bool:
        message = line.message
        if message is not None:
            raw = bytes(message.raw)
            at = raw.find(_USE) + len(_USE)
            if at >= len(_USE) and raw.find(_USE, at) < 0 and _ERROR not in raw:
                call = self._calls.pop(raw[at : raw.find(b'"', at)], None)
                if call is not None and not line.isSidechain:
                    self._use(line, sid, call)
                return _RESULT in raw
        results = line.results
        for block in results:
            call = self._calls.pop((block.tool_use_id or "").encode(), None)
            if call is not None and not block.is_error and not line.isSidechain:
                self._use(line, sid, call)
        return bool(results)

    def _use(self, line: TranscriptLine, sid: str, call: FileCall) -> None:
        key = call.id, line.timestamp or ""
        if key in self._used:
            return
        self._used.add(key)
        builder = self.builder
        destination = builder.destination(sid)
        place = destination.root, call.tool, call.path
        target = self._targets.get(place)
        if target is None:
            data = {"tool_input": {ABOUT[call.tool][0]: call.path}}
            about = about_of(builder.call(line, sid, data), call.tool)
            target = self._targets[place] = about.get("target", "")
        if target:
            thread = self._thread_of(destination, sid)
            size = 0 if call.tool == "Read" else None
            if thread.may_read_again(target) and size is not None:
                size = _size(line, call)
            thread.uses.append((builder.ts, FILE, None, target, size))

    def _compaction_ended(
        self,
        line: TranscriptLine,
        sid: str,
        key: str,
        _boundary: TranscriptLine,
        summary: str | None,
    ) -> None:
        builder = self.builder
        if not (builder.agent or line.subagent) and (summary is None or summary.strip()):
            thread = self._thread_of(builder.destination(sid), sid)
            thread.compactions.append((builder.ts, COMPACTION, None, key))


def _size(line: TranscriptLine, call: FileCall) -> int:
    """Return the characters of the result of a call."""
    response: object = object_of(bytes(line.toolUseResult))
    if not response:
        texts = [text_of(item.content) for item in line.results if item.tool_use_id == call.id]
        response = texts[-1] if texts else ""
    return len(output_of(response))
