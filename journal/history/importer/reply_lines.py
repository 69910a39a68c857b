"""The members of a transcript line that its cost is read from: replies, and what lies between them.

The format is the client's own and may change.
"""

import msgspec
from msgspec import Raw, Struct

from journal.codec import loads
from journal.transcript.usage import count

NOTHING = Raw(b"")
BLOCKED = b"operation blocked by hook"
"""Part of a line about a prompt that a hook blocked."""
_ORIGINAL = "Original prompt: "  # Claude Code writes it before that prompt
_WORD = 40  # characters of a keyword that Claude Code writes


class ContentPart(Struct, gc=False, omit_defaults=True):
    """A text in the content of a tool result."""

    text: str | None = None


class Block(Struct, gc=False, omit_defaults=True):
    """One content block; the input stays undecoded."""

    type: str | None = None
    id: str | None = None
    name: str | None = None
    text: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    input: Raw = NOTHING
    content: str | list[ContentPart] | None = None


class CacheWrites(Struct, gc=False, omit_defaults=True):
    """Tokens written to the cache, by how long it holds them."""

    ephemeral_1h_input_tokens: int | None = None


class ReplyUsage(Struct, gc=False, omit_defaults=True):
    """Tokens of one API response."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation: CacheWrites | None = None
    speed: str | None = None


class ReplyMessage(Struct, gc=False, omit_defaults=True):
    """What was sent or received. A class below it decides when the content is decoded."""

    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    usage: ReplyUsage | None = None

    @property
    def content(self) -> str | list[Block] | None:
        """Return the decoded content."""
        raise NotImplementedError


class Boundary(Struct, gc=False, omit_defaults=True):
    """Metadata of a compaction."""

    trigger: str | None = None
    preTokens: int | None = None  # noqa: N815 (the client's name)
    postTokens: int | None = None  # noqa: N815

    @property
    def kind(self) -> str:
        """Return what triggered it, in one word; "" if that is unknown."""
        return (self.trigger or "")[:_WORD]

    @property
    def before(self) -> int | None:
        """Return the context tokens before it, None if unknown."""
        return count(self.preTokens)

    @property
    def after(self) -> int | None:
        """Return the context tokens after it, None if unknown."""
        return count(self.postTokens)


class ReplyLine(Struct, gc=False, omit_defaults=True):
    """One line; the names are the client's."""

    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    sessionId: str | None = None  # noqa: N815
    timestamp: str | None = None
    cwd: str | None = None
    gitBranch: str | None = None  # noqa: N815
    isSidechain: bool | None = None  # noqa: N815
    agentId: str | None = None  # noqa: N815
    promptId: str | None = None  # noqa: N815
    promptSource: str | None = None  # noqa: N815
    isMeta: bool | None = None  # noqa: N815
    isCompactSummary: bool | None = None  # noqa: N815
    isApiErrorMessage: bool | None = None  # noqa: N815
    requestId: str | None = None  # noqa: N815
    requestRef: str | None = None  # noqa: N815
    message: ReplyMessage | None = None
    compactMetadata: Boundary | None = None  # noqa: N815
    toolUseResult: Raw = NOTHING  # noqa: N815
    attachment: Raw = NOTHING
    notice: Raw = msgspec.field(default=NOTHING, name="content")

    @property
    def subagent(self) -> str:
        """Return the subagent that a line is of, "" for the main thread."""
        return self.agentId or "sidechain" if self.isSidechain else ""

    @property
    def blocked(self) -> str:
        """Return the prompt that another plugin's hook blocked; "" if the line reports none."""
        raw = bytes(self.notice)
        if BLOCKED not in raw:
            return ""
        text = loads(raw)
        return text.partition(_ORIGINAL)[2] if isinstance(text, str) else ""

    @property
    def boundary(self) -> Boundary:
        """Return the metadata of a compaction, all unknown if the line has none."""
        return self.compactMetadata or Boundary()

    @property
    def reply(self) -> tuple[str, str]:
        """Return what the lines of one reply share: the IDs of message and request, "" if unknown.

        A line without a message ID is a reply of its own.
        """
        message = self.message.id if self.message is not None else None
        return message or self.uuid or "", self.requestId or self.requestRef or ""

    @property
    def content(self) -> str | list[Block] | None:
        """Return the content of the message, None without one."""
        return self.message.content if self.message is not None else None

    @property
    def blocks(self) -> list[Block]:
        """Return the blocks of the content; [] if it is a plain text."""
        content = self.content
        return content if isinstance(content, list) else []

    @property
    def results(self) -> list[Block]:
        """Return the results of tools."""
        return [block for block in self.blocks if block.type == "tool_result"]
