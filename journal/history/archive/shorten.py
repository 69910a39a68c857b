"""Shorten the lines of a transcript to the readable conversation, redacted.

Prompts and answers are stored up to `TEXT` characters, inputs and results of tools up to `TOOL`.
Thinking, images and lines of subagents are left out. Invariant: no text is stored unredacted.
"""

from typing import Any

import msgspec

from journal.codec import dumps
from journal.history.archive.files import packed
from journal.history.importer.records import NOTHING, Block, TranscriptLine, object_of, text_of
from journal.history.importer.text import message_text
from journal.redaction import redact_value
from journal.redaction.batch import redact_texts
from journal.redaction.outputs import redact_output
from journal.redaction.private import without_private

TEXT = 64_000  # maximum characters of a prompt or an answer
TOOL = 500  # maximum characters of each text in a tool's input, and of its result
_MARK = "\n[…]"

# Names that do not suggest a secret, so that their value is redacted without the name.
_PLAIN = frozenset(
    "command description file_path path pattern content old_string new_string prompt url query "
    "subagent_type glob notebook_path new_source".split()
)


class Shortened:
    """Lines of one transcript, shortened when added, and redacted together when taken."""

    def __init__(self) -> None:
        self._lines: list[TranscriptLine] = []
        self._texts: list[tuple[Any, str, str]] = []  # owner, name, text
        self._inputs: list[tuple[Block, dict[str, Any]]] = []
        self._commands: dict[str | None, object] = {}  # by the call whose result is not read yet

    def add(self, line: TranscriptLine) -> None:
        """Shorten a line in place and add it, unless it is not part of the main conversation."""
        if line.isSidechain is True or line.agentId:
            return
        line.toolUseResult = line.attachment = line.notice = line.error = NOTHING
        for name in ("cwd", "gitBranch", "customTitle", "aiTitle", "summary"):
            if (value := getattr(line, name)) is not None:
                self._put(line, name, value, TEXT)
        message = line.message
        if message is not None:
            if message.model:
                self._put(message, "model", message.model, TOOL)
            if isinstance(message.content, str):
                self._put(message, "content", message.content, TEXT)
            elif message.content:
                blocks = _without_private(message.content)
                message.content = [item for item in blocks if self._has(item)]
        self._lines.append(line)

    def taken(self) -> bytes:
        """Return the lines so far, redacted and compressed, and clear them; b"" without lines."""
        if not self._lines:
            return b""
        secret = redact_texts(list({text: None for _, _, text in self._texts}))
        for owner, name, text in self._texts if secret else ():
            if text in secret:
                _set(owner, name, secret[text])
        for block, arguments in self._inputs:
            block.input = msgspec.Raw(msgspec.json.encode(arguments))
        for message in filter(None, (line.message for line in self._lines)):
            is_empty = message.content is None
            message.raw = NOTHING if is_empty else msgspec.Raw(msgspec.json.encode(message.content))
        lines = [msgspec.json.encode(line) for line in self._lines]
        self._lines, self._texts, self._inputs = [], [], []
        return packed(lines)

    def _has(self, block: Block) -> bool:
        """Shorten a block; return whether it is stored."""
        if block.type == "text":
            self._put(block, "text", block.text or "", TEXT)
        elif block.type == "tool_use":
            if block.name:
                self._put(block, "name", block.name, TOOL)
            made = self._input(bytes(block.input))
            self._commands[block.id] = made.get("command")
            self._inputs.append((block, made))
        elif block.type == "tool_result":
            command = self._commands.pop(block.tool_use_id, None)
            self._put(block, "content", redact_output(command, text_of(block.content)), TOOL)
        else:
            return False
        return True

    def _input(self, raw: bytes) -> dict[str, Any]:
        made: dict[str, Any] = {}
        given = object_of(raw)
        others = {name: value for name, value in given.items() if not _is_plain(name, value)}
        # Names and neighbors may mark a secret: redact them together, before cutting a value.
        redacted: Any = redact_value(others)
        clean = dict(zip(others, redacted.items(), strict=True))
        for name, value in given.items():
            if name not in clean:
                self._put(made, name, value, TOOL)
                continue
            shown, item = clean[name]
            text = item if isinstance(item, str) else dumps(item).decode("utf-8", "replace")
            made[shown] = item if len(text) <= TOOL else text[:TOOL] + _MARK
        return made

    def _put(self, owner: Any, name: str, text: str, most: int) -> None:
        text = without_private(text)
        if len(text) > most:
            text = _cut(text, most)
        _set(owner, name, text)
        self._texts.append((owner, name, text))


def _is_plain(name: str, value: object) -> bool:
    return isinstance(value, str) and name in _PLAIN


def _without_private(blocks: list[Block]) -> list[Block]:
    """Return the blocks, with their texts joined if a passage in them is private.

    It may begin in one block and end in another: an image pasted into a prompt divides its text.
    """
    texts = [block for block in blocks if block.type == "text" and block.text]
    whole = message_text(texts)
    if len(texts) < 2 or (shown := without_private(whole)) == whole:
        return blocks
    texts[0].text = shown
    joined = {id(block) for block in texts[1:]}
    return [block for block in blocks if id(block) not in joined]


def _set(owner: Any, name: str, text: str) -> None:
    if isinstance(owner, dict):
        owner[name] = text
    else:
        setattr(owner, name, text)


def _cut(text: str, most: int) -> str:
    """Cut a text at the end of a line or word, so that no secret is split and missed."""
    head = text[:most]
    at = max(head.rfind("\n"), head.rfind(" "))
    return (head[:at] if at > most // 2 else "") + _MARK
