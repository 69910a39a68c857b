"""Decode the members of a transcript line that facts are built from, and nothing else.

The format is the client's own and may change. Invariant: a member of another type than expected
counts as absent and takes no other member with it.
"""

from contextlib import suppress
from typing import Any, get_args, get_origin

import msgspec
from msgspec import Raw, Struct

from journal.codec import dumps, loads
from journal.codec import text as sound
from journal.redaction.private import may_be_private, without_spread_private
from journal.transcript.usage import count

NOTHING = Raw(b"")
SIDECHAIN = "sidechain"  # name of a subagent that a line of an older client does not name
STEERING = "queued_command"
"""Kind of the attachment that has a prompt which Claude got in the middle of a turn."""
_PROMPTS = ("prompt", "task-notification")  # modes of such attachments for which hooks are called
BLOCKED = b"operation blocked by hook"
"""Part of a line about a prompt that a hook blocked."""
COMMAND_ERROR = "local-command-stderr"
"""Tag of the error of a command of Claude Code itself."""
_ORIGINAL = "Original prompt: "  # Claude Code writes it before that prompt
_WORD = 40  # characters of a keyword that Claude Code writes
_NO_LINE = "00000000-0000-0000-0000-000000000000"
_COMMAND = "<local-command-caveat>"
_SYNTHETIC = "<synthetic>"
REWOUND = f'"{_NO_LINE}"'.encode()
"""Part of the line after the first prompt that follows a rewind."""


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
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation: CacheWrites | None = None
    speed: str | None = None


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not the expected value, or nested too deeply."""


def _parsed(data: bytes) -> object:
    """Parse bytes that msgspec refuses, such as half a surrogate; None if they are not JSON."""
    try:
        return loads(data.decode("utf-8-sig", "replace"))
    except ValueError:
        return None


_CONTENT = str | list[Block] | None


class _Content:
    """The content of a message, decoded on first access; `cached_property` is slower."""

    def __get__(self, message: "Message", _owner: object) -> str | list[Block] | None:
        data = bytes(message.raw)
        try:
            found = _decode_content(data) if data else None
        except UNREADABLE:
            found = None
            with suppress(msgspec.ValidationError, ValueError):
                found = _converted(_CONTENT, _parsed(data))
        message.content = found
        return found


class Message(Struct, omit_defaults=True, dict=True):
    """What was sent or received."""

    id: str | None = None
    model: str | None = None
    raw: Raw = msgspec.field(default=NOTHING, name="content")
    stop_reason: str | None = None
    usage: ReplyUsage | None = None

    content = _Content()


class Boundary(Struct, gc=False, omit_defaults=True):
    """Metadata of a compaction."""

    trigger: str | None = None
    preTokens: int | None = None  # noqa: N815 (the client's name)
    postTokens: int | None = None  # noqa: N815
    preservedMessages: Raw = NOTHING  # noqa: N815

    @property
    def kept(self) -> list[str]:
        """Return the IDs of the lines before it that stay in the context."""
        ids = object_of(bytes(self.preservedMessages)).get("uuids")
        return [each for each in ids if isinstance(each, str)] if isinstance(ids, list) else []

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


class TranscriptLine(Struct, gc=False, omit_defaults=True):
    """One line, with members in the client's order, in which msgspec finds them fastest."""

    parentUuid: str | None = None  # noqa: N815
    isSidechain: bool | None = None  # noqa: N815
    agentId: str | None = None  # noqa: N815
    promptId: str | None = None  # noqa: N815
    message: Message | None = None
    requestId: str | None = None  # noqa: N815
    requestRef: str | None = None  # noqa: N815
    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    toolUseResult: Raw = NOTHING  # noqa: N815
    promptSource: str | None = None  # noqa: N815
    isMeta: bool | None = None  # noqa: N815
    isCompactSummary: bool | None = None  # noqa: N815
    isApiErrorMessage: bool | None = None  # noqa: N815
    cwd: str | None = None
    sessionId: str | None = None  # noqa: N815
    gitBranch: str | None = None  # noqa: N815
    leafUuid: str | None = None  # noqa: N815
    customTitle: str | None = None  # noqa: N815
    aiTitle: str | None = None  # noqa: N815
    summary: str | None = None
    compactMetadata: Boundary | None = None  # noqa: N815
    attachment: Raw = NOTHING
    error: Raw = NOTHING
    notice: Raw = msgspec.field(default=NOTHING, name="content")

    @property
    def is_rewound(self) -> bool:
        """Return whether the line says that the prompt before it is the first after a rewind."""
        return self.type == "last-prompt" and self.leafUuid == _NO_LINE

    @property
    def begins_command(self) -> bool:
        """Return whether a command of Claude Code follows, unless the user stopped it at once."""
        content = self.content if self.isMeta else None
        return isinstance(content, str) and content.startswith(_COMMAND)

    @property
    def failure(self) -> str:
        """Return the kind of API error that ended a turn, as hooks get it."""
        kind = _parsed(bytes(self.error))
        return kind if isinstance(kind, str) and kind else "unknown"

    @property
    def subagent(self) -> str:
        """Return the subagent that a line belongs to, "" for the main thread."""
        return self.agentId or SIDECHAIN if self.isSidechain else ""

    @property
    def blocked(self) -> str:
        """Return the prompt that another plugin's hook blocked; "" if the line reports none."""
        return self.notice_text.partition(_ORIGINAL)[2] if BLOCKED in bytes(self.notice) else ""

    @property
    def notice_text(self) -> str:
        """Return the text of a line that is no message; "" without one."""
        text = _parsed(bytes(self.notice))
        return text if isinstance(text, str) else ""

    @property
    def boundary(self) -> Boundary:
        """Return the metadata of a compaction, all unknown if the line has none."""
        return self.compactMetadata or Boundary()

    @property
    def is_reply(self) -> bool:
        """Return whether a line of the assistant came from the API: the client makes up others."""
        message = self.message
        return not (message is None or self.isApiErrorMessage or message.model == _SYNTHETIC)

    @property
    def reply(self) -> tuple[str, str]:
        """Return the IDs of message and request, which all lines of a reply share; "" if unknown.

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
        content = self.message.content if self.message is not None else None
        return content if isinstance(content, list) else []

    @property
    def results(self) -> list[Block]:
        """Return the results of tools."""
        return [block for block in self.blocks if block.type == "tool_result"]


_decode = msgspec.json.Decoder(TranscriptLine).decode
_decode_content = msgspec.json.Decoder(_CONTENT).decode
_decode_lines = msgspec.json.Decoder(TranscriptLine).decode_lines


def line_of(data: bytes) -> TranscriptLine | None:
    """Decode one line, without the NULs that a crash leaves; None if it is not one JSON object."""
    try:
        line: TranscriptLine = _decode(data)
    except UNREADABLE:
        value = _parsed(data.strip(b"\0 \t\r\n"))
        if not isinstance(value, dict):
            return None
        line = line_from(value)
    if line.type == "attachment":
        _read_prompt(line)
    return line


def whole_lines(data: bytes) -> list[TranscriptLine] | None:
    """Decode whole lines at once.

    Return None if they must be read one by one: one of them is not a JSON object of the expected
    form, or is a reply that only its position identifies.
    """
    try:
        lines = _decode_lines(data)
    except UNREADABLE:
        return None
    for line in lines:
        kind = line.type
        if kind == "assistant":
            if not line.uuid:
                return None
        elif kind == "attachment":
            _read_prompt(line)
    return lines


def _read_prompt(line: TranscriptLine) -> None:
    """Turn an attachment with a prompt into the line of that prompt; drop other attachments."""
    given = object_of(bytes(line.attachment))
    line.attachment = NOTHING
    content = given.get("prompt")  # a text, or blocks where it has an image
    if given.get("type") == STEERING and given.get("commandMode") in _PROMPTS and content:
        line.type, line.promptSource = "user", STEERING
        line.message = Message(raw=Raw(dumps(content)))


def line_from(value: dict[str, Any]) -> TranscriptLine:
    """Build a line from a parsed object, member by member; a lone surrogate becomes U+FFFD."""
    line: TranscriptLine = _built(TranscriptLine, value)
    return line


def text_of(content: str | list[ContentPart] | None) -> str:
    """Return the text of a tool result: the string, or its text blocks one after another."""
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content or () if part.text is not None)


def _built(struct: Any, value: dict[str, Any]) -> Any:
    """Build a struct from the members of a parsed object that have the expected type."""
    built = struct()
    for field in msgspec.structs.fields(struct):
        if field.encode_name in value:
            with suppress(msgspec.ValidationError, ValueError, TypeError):
                setattr(built, field.name, _converted(field.type, value[field.encode_name]))
    return built


def _converted(kind: Any, value: object) -> Any:
    """Convert a parsed value to a type of a member. Raise an error if it has another type."""
    value = sound(value) if isinstance(value, str) else value
    if kind is Raw:
        return Raw(dumps(value))
    for option in get_args(kind):
        if isinstance(value, list) and get_origin(option) is list:
            (struct,) = get_args(option)
            return [_built(struct, item) for item in value if isinstance(item, dict)]
        if isinstance(value, dict) and isinstance(option, type) and issubclass(option, Struct):
            return _built(option, value)
    return msgspec.convert(value, kind)


def object_of(raw: bytes) -> dict[str, Any]:
    """Parse a JSON object, without passages over several texts; {} for anything else."""
    try:
        value = msgspec.json.decode(raw) if raw else {}
    except (ValueError, RecursionError):
        value = _parsed(raw)
    if may_be_private(raw):
        value = without_spread_private(value)
    return value if isinstance(value, dict) else {}
