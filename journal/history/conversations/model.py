"""The data types of a conversation."""

from collections.abc import Collection

from msgspec import Struct, field

from journal.events.hook_input.tool import CHANGING
from journal.history.importer.figures import BEGUN, lacks_output
from projections.facts.session import KnownFacts

TOKENS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
"""The kinds of tokens that make up a reply's context. One-hour cache writes count as creations."""


def tokens_of(replies: Collection[dict[str, int]]) -> dict[str, int | None]:
    """Return the tokens of replies by kind, {} without any; None for an output that is unknown."""
    if not replies:
        return {}
    found: dict[str, int | None] = {name: sum(one[name] for one in replies) for name in TOKENS}
    if lacks_output(sum(one["output_tokens"] < BEGUN for one in replies), len(replies)):
        found["output_tokens"] = None
    return found


class ToolCall(Struct, omit_defaults=True):
    """A tool call. about: its target in one line; outcome: its result in a few words.

    ok: None while the result is unknown. ran: false if the call was refused or invalid. input,
    output: their texts, "" unless requested.
    """

    name: str = ""
    use: str = ""
    about: str = ""
    ok: bool | None = None
    outcome: str = ""
    ran: bool = True
    input: str = ""
    output: str = ""

    @property
    def changes(self) -> bool:
        """Return whether it changed a file: a refused or failed call changed none."""
        return self.name in CHANGING and self.ok is True

    @property
    def texts(self) -> list[str]:
        """Return input and output, without empty ones."""
        return [text for text in (self.input, self.output) if text]


class Compacted(Struct, omit_defaults=True):
    """A compaction. before, after: context tokens, None if unknown; summary: of what it replaced.

    kept: entries before it that stay. replaced: the others that were in the context. dropped:
    the decisions, files and open items among them that the summary does not mention.
    """

    trigger: str = ""
    before: int | None = None
    after: int | None = None
    kept: int = 0
    replaced: int = 0
    summary: str = ""
    dropped: KnownFacts = KnownFacts()


class Entry(Struct, omit_defaults=True):
    """One prompt, answer, tool call or other entry of a conversation.

    kind: prompt, answer, tool, compaction, decision or note. at: ISO 8601, UTC. agent: the subagent
    it belongs to, "" for the main thread.
    context: tokens in the context with this answer. cut: how many characters of the text are
    missing. seq: its event in the journal, 0 if it is from a transcript. copied: whether it is of
    another session, whose history the transcript of a fork repeats.
    """

    kind: str
    at: str = ""
    text: str = ""
    agent: str = ""
    context: int = 0
    cut: int = 0
    seq: int = 0
    copied: bool = False
    tool: ToolCall | None = None
    compaction: Compacted | None = None


class Skipped(Struct, omit_defaults=True):
    """Counts of unreadable parts: broken, too long and torn lines, damaged parts of the copy."""

    broken: int = 0
    long: int = 0
    torn: int = 0
    damaged: int = 0

    def __bool__(self) -> bool:
        return bool(self.broken or self.long or self.torn or self.damaged)


class Resume(Struct, frozen=True, omit_defaults=True):
    """How to resume a session in Claude Code: a shell command, or why there is none."""

    command: str = ""
    why: str = ""


class Conversation(Struct, omit_defaults=True):
    """A session as read from its best source.

    source: transcript, archive or journal; path: of the transcript. whole: False if texts are only
    their beginnings. directory: where the session was started. files: changed ones, newest first.
    """

    session: str = ""
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
    tokens: dict[str, int | None] = {}
    files: list[str] = []
    decisions: list[str] = []
    entries: list[Entry] = []
    skipped: Skipped = field(default_factory=Skipped)
