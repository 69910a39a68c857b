"""What a conversation is made of."""

from __future__ import annotations

from msgspec import Struct, field

from projections.facts.presence import Known

__all__ = ["KINDS", "TOKENS", "Compacted", "Conversation", "Entry", "Resume", "Skipped", "ToolCall"]

KINDS = ("prompt", "answer", "tool", "compaction", "decision", "note")
"""Kinds of an entry."""


TOKENS = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)
"""Kinds of tokens that make up the context of a reply. An hour's writes are among the writes."""


class ToolCall(Struct, omit_defaults=True):
    """A tool call. about: its target in one line; outcome: what came back, in a few words.

    ok: None while no result is known. input, output: their texts, "" unless they were asked for.
    """

    name: str = ""
    use: str = ""
    about: str = ""
    ok: bool | None = None
    outcome: str = ""
    input: str = ""
    output: str = ""

    @property
    def texts(self) -> list[str]:
        """Return input and output, those that are there."""
        return [text for text in (self.input, self.output) if text]


class Compacted(Struct, omit_defaults=True):
    """A compaction. before, after: context tokens, None unknown; summary: what replaced the rest.

    replaced: entries since the start or the last compaction, which Claude no longer has. dropped:
    what of the decisions, files and open items before it the summary does not name.
    """

    trigger: str = ""
    before: int | None = None
    after: int | None = None
    replaced: int = 0
    summary: str = ""
    dropped: Known = Known()


class Entry(Struct, omit_defaults=True):
    """One thing that was said or done.

    kind: of `KINDS`. at: ISO 8601, UTC. agent: subagent it belongs to, "" for the main thread.
    context: tokens in the context with this answer. cut: characters of the text that are missing.
    seq: event of the journal, 0 where it is from a transcript.
    """

    kind: str
    at: str = ""
    text: str = ""
    agent: str = ""
    context: int = 0
    cut: int = 0
    seq: int = 0
    tool: ToolCall | None = None
    compaction: Compacted | None = None


class Skipped(Struct, omit_defaults=True):
    """What could not be read: broken lines, lines too long, a torn last line, parts of the copy."""

    broken: int = 0
    long: int = 0
    torn: int = 0
    damaged: int = 0

    def __bool__(self) -> bool:
        return bool(self.broken or self.long or self.torn or self.damaged)


class Resume(Struct, frozen=True, omit_defaults=True):
    """How Claude Code goes on with a session: a line for a shell, or why it cannot."""

    command: str = ""
    why: str = ""


class Conversation(Struct, omit_defaults=True):
    """A session, read.

    source: transcript, archive or journal; path: the transcript's. whole: whether texts are whole,
    not their beginnings alone. directory: where it was started. files: changed, newest first.
    """

    session: str
    project: str = ""
    title: str = ""
    source: str = ""
    path: str = ""
    whole: bool = False
    started: str = ""
    last: str = ""
    branch: str = ""
    model: str = ""
    directory: str = ""
    resume: Resume = Resume()
    tokens: dict[str, int] = {}
    files: list[str] = []
    decisions: list[str] = []
    entries: list[Entry] = []
    skipped: Skipped = field(default_factory=Skipped)
