"""Decode the members of a transcript line that facts are built from, and nothing else.

The format is the client's own and may change. Invariant: a member of another type than expected
counts as absent and takes no other member with it.
"""

from typing import Any

import msgspec
from msgspec import Raw

from journal.codec import dumps, loads
from journal.codec import text as sound
from journal.history.importer.reply_lines import (
    NOTHING,
    Block,
    Boundary,
    ContentPart,
    ReplyLine,
    ReplyMessage,
    ReplyUsage,
)
from journal.redaction.private import may_be_private, without_spread_private

STEERING = "queued_command"
"""Kind of the attachment that has a prompt which Claude got in the middle of a turn."""
_NO_LINE = "00000000-0000-0000-0000-000000000000"
REWOUND = f'"{_NO_LINE}"'.encode()
"""Part of the line after the first prompt that follows a rewind."""


class Message(ReplyMessage, gc=False, omit_defaults=True):
    """What was sent or received."""

    content: str | list[Block] | None = None


class LightMessage(ReplyMessage, gc=False, omit_defaults=True):
    """What was sent or received, its content not decoded before somebody asks for it."""

    raw: Raw = msgspec.field(default=NOTHING, name="content")

    @property
    def content(self) -> str | list[Block] | None:
        """Return the decoded content."""
        data = bytes(self.raw)
        try:
            return _decode_content(data) if data else None
        except (msgspec.DecodeError, UnicodeDecodeError):
            return line_from({"message": {"content": loads(data)}}).content


class LightLine(ReplyLine, gc=False, omit_defaults=True):
    """A line of which only the members of a reply are decoded."""

    message: LightMessage | None = None


class TranscriptLine(ReplyLine, gc=False, omit_defaults=True):
    """One line; the names are the client's."""

    message: Message | None = None
    parentUuid: str | None = None  # noqa: N815
    error: Raw = NOTHING
    customTitle: str | None = None  # noqa: N815
    aiTitle: str | None = None  # noqa: N815
    leafUuid: str | None = None  # noqa: N815
    summary: str | None = None

    @property
    def is_rewound(self) -> bool:
        """Return whether the line says that the prompt before it is the first after a rewind."""
        return self.type == "last-prompt" and self.leafUuid == _NO_LINE

    @property
    def failure(self) -> str:
        """Return the kind of API error that ended a turn, as hooks get it."""
        kind = loads(bytes(self.error) or b'""')
        return kind if isinstance(kind, str) and kind else "unknown"


_decode = msgspec.json.Decoder(TranscriptLine).decode
_decode_content = msgspec.json.Decoder(str | list[Block] | None).decode
_decode_light = msgspec.json.Decoder(LightLine).decode_lines


def line_of(data: bytes) -> TranscriptLine | None:
    """Decode one line; return None if it is not one JSON object. A crash leaves NULs around it."""
    try:
        line: TranscriptLine = _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        try:
            value = loads(data.strip(b"\0 \t\r\n").decode("utf-8-sig", "replace"))
        except ValueError:
            return None
        if not isinstance(value, dict):
            return None
        line = line_from(value)
    if line.type == "attachment":
        _read_prompt(line)
    return line


def light_lines(data: bytes) -> list[LightLine] | None:
    """Decode whole lines at once.

    Return None if they have to be read one by one: one of them is no JSON object as expected, or a
    reply that only its position identifies.
    """
    try:
        lines = _decode_light(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    for line in lines:
        kind = line.type
        if kind == "assistant":
            if not line.uuid:
                return None
        elif kind == "attachment":
            _read_prompt(line)
    return lines


def _read_prompt(line: ReplyLine) -> None:
    """Turn the attachment that has a prompt into the line of that prompt; drop any other's data."""
    given = object_of(bytes(line.attachment))
    line.attachment = NOTHING
    text, mode = given.get("prompt"), given.get("commandMode")
    if given.get("type") == STEERING and mode == "prompt" and isinstance(text, str):
        line.type, line.promptSource = "user", STEERING
        line.message = Message(content=sound(text))


def line_from(value: dict[str, Any]) -> TranscriptLine:
    """Build a line from a parsed object, member by member; a lone surrogate becomes U+FFFD."""
    line: TranscriptLine = _converted(TranscriptLine, value)
    message = value.get("message")
    if isinstance(message, dict):
        line.message = _converted(Message, message)
        usage, content = message.get("usage"), message.get("content")
        if isinstance(usage, dict):
            line.message.usage = _converted(ReplyUsage, usage)
        if isinstance(content, list):
            line.message.content = [_block(item) for item in content if isinstance(item, dict)]
    boundary = value.get("compactMetadata")
    if isinstance(boundary, dict):
        line.compactMetadata = _converted(Boundary, boundary)
    return line


def text_of(content: str | list[ContentPart] | None) -> str:
    """Return the text of a tool result: the string, or its text blocks one after another."""
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content or () if part.text is not None)


def _block(value: dict[str, Any]) -> Block:
    block: Block = _converted(Block, value)
    content = value.get("content")
    if isinstance(content, list):
        block.content = [
            _converted(ContentPart, item) for item in content if isinstance(item, dict)
        ]
    return block


def _converted(type_: Any, value: dict[str, Any]) -> Any:
    decoded = type_()
    for field in msgspec.structs.fields(type_):
        if field.name not in value:
            continue
        given = value[field.name]
        given = sound(given) if isinstance(given, str) else given
        try:
            found = Raw(dumps(given)) if field.type is Raw else msgspec.convert(given, field.type)
        except (msgspec.ValidationError, ValueError, TypeError):
            continue
        setattr(decoded, field.name, found)
    return decoded


def object_of(raw: bytes) -> dict[str, Any]:
    """Parse a JSON object, without passages over several texts; {} for anything else."""
    try:
        value = msgspec.json.decode(raw) if raw else {}
    except (ValueError, RecursionError):  # half a surrogate, say
        try:
            value = loads(raw)
        except (ValueError, RecursionError):
            return {}
    if may_be_private(raw):
        value = without_spread_private(value)
    return value if isinstance(value, dict) else {}
