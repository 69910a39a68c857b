"""Read a conversation from a transcript of Claude Code, with those of its subagents.

Invariant: the file is streamed. A line that is broken, too long or torn is counted and affects no
other line. Only what is shown is held in memory.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from journal.events.hook_input import TEXT
from journal.history.conversations.model import (
    TOKENS,
    Compacted,
    Conversation,
    Entry,
    Skipped,
    ToolCall,
    tokens_of,
)
from journal.history.conversations.subagents import insert, subagents, use_of
from journal.history.conversations.text import (
    bounded,
    call_of,
    clean,
    details_of,
    outcome_of,
    redact_entries,
    rewound,
    without_reminder,
)
from journal.history.importer.figures import figures_of, token_members
from journal.history.importer.lines import TranscriptLines, open_transcript
from journal.history.importer.records import (
    COMMAND_ERROR,
    Block,
    TranscriptLine,
    object_of,
    text_of,
)
from journal.history.importer.text import (
    message_text,
    never_ran,
    tagged,
    time_of,
    title_of,
    written_by,
)
from journal.history.importer.withdrawn import PromptThread
from projections.prose import CONTINUED, IMAGE
from projections.session import Session
from projections.titles import requested, titled

_COMPACT = "/compact"
_NO_ANSWER = "No response requested."  # written by Claude Code when a session is resumed


def read_lines(
    lines: Iterable[TranscriptLine], *, details: bool | Collection[str] = False, began: str = ""
) -> Conversation:
    """Read a conversation from lines of a transcript, or of a stored copy of one.

    It has no session and no project, which lines do not name. details: whether to read inputs and
    outputs of tool calls, or the IDs of the calls to read them for. began: when the session began;
    what is older is a copy of another session's history.
    """
    main = _File(Conversation(), details, began=began)
    main.read(lines)
    return main.finish()


def read_transcript(
    path: str, *, details: bool | Collection[str] = False, began: str = ""
) -> Conversation:
    """Read a transcript and those of its subagents; details, began: see `read_lines`.

    Raise OSError if the file cannot be read.
    """
    found = Conversation()
    main = _File(found, details, began=began)
    main.read(_lines_of(path, found.skipped))
    for agent, file in subagents(path.removesuffix(".jsonl")):
        side = _File(found, details, agent, replies=main.replies)
        try:
            side.read(_lines_of(file, found.skipped))
        except OSError:
            found.skipped.broken += 1
            continue
        insert(main.entries, side.entries, use_of(file))
    return main.finish()


def read_answers(path: str) -> list[Entry]:
    """Read the prompts and answers of a transcript's main thread, without its tool calls.

    They are not redacted, and their times are not exact. Raise OSError if the file cannot be read.
    """
    main = _File(Conversation(), details=False, calls=False)
    main.read(_lines_of(path, main.found.skipped, has_results=False))
    return [
        entry for entry in main.entries if entry.kind in ("prompt", "answer") and not entry.agent
    ]


def read_title(path: str, sid: str) -> str:
    """Return the title that an import of a transcript gives its session; "" if there is none.

    Lines of another session, which the transcript repeats, do not count. Raise OSError if the file
    cannot be read.
    """
    main = _File(Conversation(), details=False, calls=False)
    lines = _lines_of(path, main.found.skipped, has_results=False)
    main.read(line for line in lines if line.sessionId in (sid, None))
    session = Session()
    session = replace(session, **titled(session, "custom", main.chosen_title(), ""))
    for entry in main.entries:
        if session.title_source in ("custom", "request"):
            break
        if entry.kind == "prompt" and not entry.agent:
            session = replace(session, **requested(session, clean(entry.text, TEXT)[0], entry.at))
    return session.title


def _lines_of(path: str, skipped: Skipped, *, has_results: bool = True) -> Iterator[TranscriptLine]:
    """Yield the records of a file; count the lines that are not records."""
    with open_transcript(path) as file:
        lines = TranscriptLines(file, has_results=has_results)
        for _, records in lines:
            yield from records
        skipped.broken += len(lines.bad)
        skipped.torn += lines.is_torn
        skipped.long += lines.long


class _File(Struct, eq=False):
    """Reader of one file of a session into `found`. agent: its subagent, "" for the session's own.

    calls: whether to read tool calls or only to note that there was one.
    """

    found: Conversation
    details: bool | Collection[str]
    agent: str = ""
    calls: bool = True
    began: str = ""
    entries: list[Entry] = []
    titles: dict[str, str] = {}
    replies: dict[tuple[str, str], dict[str, int]] = {}
    _calls: dict[str, tuple[Entry, dict[str, Any]]] = {}
    _thread: PromptThread = field(default_factory=PromptThread)
    _added: dict[str, int] = {}  # line's ID → number of its entries
    _at: str = ""
    _reply: str = ""  # ID of the message that the last entry is an answer from

    def read(self, lines: Iterable[TranscriptLine]) -> None:
        """Read all lines."""
        for line in lines:
            self._line(line)

    def finish(self) -> Conversation:
        """Redact what was read."""
        found = self.found
        before = [entry for entry in self.entries if entry.copied]
        if all(entry.kind == "prompt" for entry in before):
            # No fork: the user typed before the session's hook ran, as `/clear` and `!` commands.
            for entry in before:
                entry.copied = False
        redact_entries(self.entries)
        found.entries = self.entries
        found.tokens = tokens_of(self.replies.values())
        found.title = self.chosen_title()
        found.branch, found.model = clean(found.branch, 120)[0], clean(found.model, 120)[0]
        own = [entry for entry in reversed(self.entries) if not entry.copied]
        changed = (entry.tool.about for entry in own if entry.tool and entry.tool.changes)
        found.files = list(dict.fromkeys(filter(None, changed)))
        return found

    def chosen_title(self) -> str:
        """Return the user's own title, else Claude Code's latest, redacted; "" if there is none."""
        titles = self.titles
        return clean(titles.get("custom-title") or next(reversed(titles.values()), ""), 200)[0]

    def _line(self, line: TranscriptLine) -> None:
        kind = line.type
        if self.calls and not self.agent:
            self._take_back(line)
        if kind not in ("assistant", "user", "system"):
            if kind and (title := title_of(line)):
                self.titles[kind] = " ".join(title.split())
            return
        self._follow(line)
        if kind == "assistant":
            self._assistant(line)
        elif kind == "user":
            self._user(line)
        elif line.subtype == "compact_boundary":
            meta = line.boundary
            kept = sum(self._added.get(each, 0) for each in meta.kept)
            found = Compacted(meta.kind, meta.before, meta.after, kept)
            self._add("compaction", "", line).compaction = found
        elif line.blocked:
            self._add("note", f"a hook stopped the prompt: {line.blocked}", line)
        elif error := tagged(line.notice_text, COMMAND_ERROR):
            self._add("note", error, line)

    def _take_back(self, line: TranscriptLine) -> None:
        """Add a note of a rewind before the prompt that follows it."""
        withdrawn = self._thread.add(line)
        if not withdrawn or line.type == "system":
            return
        self._add("note", rewound(withdrawn), line)
        if line.is_rewound:  # it comes after that prompt
            prompts = (at for at, entry in enumerate(self.entries) if entry.kind == "prompt")
            self.entries.insert(max(prompts, default=0), self.entries.pop())

    def _follow(self, line: TranscriptLine) -> None:
        found = self.found
        if line.timestamp and (at := time_of(line.timestamp)):
            self._at = at
            if not self.agent:
                found.started = found.started or at
                found.last = max(found.last, at)
        if line.cwd and not found.directory:
            found.directory = line.cwd
        if line.gitBranch and not self.agent:
            found.branch = line.gitBranch

    def _add(self, kind: str, text: str, line: TranscriptLine) -> Entry:
        shown, cut = bounded(text)
        agent = self.agent or line.subagent
        entry = Entry(kind, self._at, shown, agent, cut=cut, copied=self._at < self.began)
        self.entries.append(entry)
        self._added[line.uuid or ""] = self._added.get(line.uuid or "", 0) + 1
        self._reply = ""
        return entry

    # -- Claude ----------------------------------------------------------------------------------

    def _assistant(self, line: TranscriptLine) -> None:
        if line.message is None:
            return
        texts = [block.text for block in line.blocks if block.type == "text" and block.text]
        if isinstance(line.content, str) and line.content:
            texts = [line.content]
        if not line.is_reply:
            for text in texts:
                if text != _NO_ANSWER:
                    self._add("note", text, line)
            return
        for text in filter(str.strip, texts):
            self._answer(text, line)
        for block in line.blocks:
            if block.type == "tool_use":
                self._call(block, line)
        self._count(line)

    def _answer(self, text: str, line: TranscriptLine) -> None:
        """Add an answer. Text of one reply that comes in several lines becomes one answer."""
        identity = line.reply[0]
        if identity and identity == self._reply:
            entry = self.entries[-1]
            entry.text, more = bounded(f"{entry.text}\n\n{text}")
            entry.cut += more
            return
        self._add("answer", text, line)
        self._reply = identity

    def _call(self, block: Block, line: TranscriptLine) -> None:
        entry = self._add("tool", "", line)
        if not self.calls:
            return
        arguments = object_of(bytes(block.input))
        entry.tool = call_of(block.name or "tool", block.id or "", arguments)
        if block.id:
            self._calls[block.id] = entry, arguments if self._wants(block.id) else {}

    def _count(self, line: TranscriptLine) -> None:
        counted = figures_of(line.message.usage) if line.message is not None else None
        if counted is None:
            return
        members = token_members(counted)
        figures = {name: int(members[name]) for name in TOKENS}
        if self._at >= self.began:
            self.replies[line.reply] = figures
        if self.entries and not line.isSidechain:
            self.entries[-1].context = sum(figures.values())
        if not self.agent and line.message is not None and line.message.model:
            self.found.model = line.message.model

    # -- the user, and tool results --------------------------------------------------------------

    def _user(self, line: TranscriptLine) -> None:
        content = line.content
        if line.isCompactSummary:
            self._summary(message_text(content, reminders=False), line)
            return
        results = line.results
        for block in results:
            self._result(block)
        if line.isMeta or results:
            return
        kind, text = written_by(message_text(content, reminders=False))
        images = sum(block.type == "image" for block in line.blocks)
        if images and IMAGE not in text:
            kind, text = "prompt", "\n".join(filter(None, (text, "[image]" * images)))
        if kind:
            prompt = self._add(kind, text, line)
            # Claude Code writes a /compact command after the compaction that it requested.
            before = self.entries[-2:-1]
            done = bool(before) and before[0].compaction is not None
            if done and text.startswith(_COMPACT) and prompt.at <= before[0].at:
                self.entries[-2:] = [prompt, *before]

    def _result(self, block: Block) -> None:
        use = block.tool_use_id or ""
        entry, arguments = self._calls.pop(use, (None, {}))
        if entry is None or entry.tool is None:
            return
        output, failed = without_reminder(text_of(block.content)), block.is_error is True
        call: ToolCall = entry.tool
        call.ok = not failed
        call.ran = not (failed and never_ran(output))
        call.outcome = outcome_of(output, failed=failed, tool=call.name)
        if self._wants(use):
            call.input, call.output = details_of(arguments, output)

    def _summary(self, text: str, line: TranscriptLine) -> None:
        last = self.entries[-1] if self.entries else None
        if last is None or last.compaction is None:
            last = self._add("compaction", "", line)
            last.compaction = Compacted()
        assert last.compaction is not None
        if text.startswith(CONTINUED):
            text = text.partition("\n")[2].lstrip() or text  # below Claude Code's own line
        last.compaction.summary, last.cut = bounded(text)

    def _wants(self, use: str) -> bool:
        return self.details if isinstance(self.details, bool) else use in self.details
