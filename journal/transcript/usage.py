"""Read the end of a transcript: the last usage, and whether the last reply is in the file.

A substring only chooses the lines worth parsing; a line's own top-level fields decide what it is.
Nothing in the file's content can make a function here raise.
"""

from __future__ import annotations

from journal.clock import millis
from journal.codec import loads
from journal.transcript.numbers import count, usage_parts
from journal.transcript.tail import CAP, lines_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CAP", "Usage", "caught_up", "last_usage", "wait_caught_up"]

# Inside a JSON string the quotes would be escaped, so these match keys and whole values only.
_ASSISTANT = (b'"type":"assistant"', b'"type": "assistant"')
_SPEECH = (*_ASSISTANT, b'"type":"user"', b'"type": "user"')
_READINGS = (b'"usage"', b'"compact_boundary"')


class Usage:
    """One reading of the context's size. Source: claude-code-protocol 2(m), client 2.1.330.

    tokens: input + cache_creation + cache_read + output, or the boundary's postTokens.
    source: "transcript" (an assistant line) | "boundary" (no reply since a compaction;
        then only tokens, pre_tokens and the time have values, and the parts are 0).
    model: as the API names it; requested_model: as the person chose it (may end in `[1m]`).
    ts: the line's own timestamp, "" if it has none; epoch_ms: the same in milliseconds, or None.
    pre_tokens: size before the compaction, from a boundary only.
    """

    __slots__ = (
        "cache_creation",
        "cache_read",
        "epoch_ms",
        "input",
        "message_id",
        "model",
        "output",
        "pre_tokens",
        "requested_model",
        "source",
        "tokens",
        "ts",
    )

    def __init__(self, source: str, tokens: int, ts: str) -> None:
        self.source = source
        self.tokens = tokens
        self.ts = ts
        self.epoch_ms = millis(ts) if ts else None
        self.input = self.output = self.cache_read = self.cache_creation = 0
        self.model = self.requested_model = self.message_id = ""
        self.pre_tokens: int | None = None

    def __repr__(self) -> str:
        return f"Usage({self.tokens} from {self.source} at {self.ts or '?'})"


def last_usage(path: str, cap: int = CAP) -> Usage | None:
    """Return the newest usage of the main thread, or of the compaction that came after it.

    None is unknown: no file, nothing within `cap` bytes of the end, or a boundary without a size
    (the usage before it is not current).
    """
    lines = lines_with(path, _READINGS, cap)
    try:
        for line in lines:
            if b'"compact_boundary"' not in line and not _holds(line, _ASSISTANT):
                continue
            record = _record(line)
            if record is None:
                continue
            if record.get("type") == "system" and record.get("subtype") == "compact_boundary":
                return _boundary(record)
            usage = _usage(record)
            if usage is not None:
                return usage
        return None
    finally:
        lines.close()


def caught_up(path: str, last_assistant_message: str, cap: int = CAP) -> bool:
    """Return whether the newest assistant text is in the file: it lags behind the Stop hook.

    A text before the newest prompt or tool result is an older reply, even if it reads the same.
    White space is not compared; a message of several text blocks may be given whole.
    """
    wanted = _squeezed(last_assistant_message)
    if not wanted:
        return True
    lines = lines_with(path, _SPEECH, cap)
    texts: list[str] = []
    message_id: object = None
    try:
        for line in lines:
            record = _record(line)
            if record is None or record.get("isMeta") is True:
                continue
            if record.get("type") != "assistant":
                if record.get("type") == "user":
                    break
                continue
            message = record.get("message")
            text = _text(message)
            if not text or not isinstance(message, dict):
                continue
            if texts and message.get("id") != message_id:
                break
            message_id = message.get("id")
            texts.insert(0, text)
            if wanted in (text, "".join(texts)):
                return True
        return False
    finally:
        lines.close()


def wait_caught_up(
    path: str,
    last_assistant_message: str,
    clock: Callable[[], float],
    sleep: Callable[[float], object],
    limit: float = 0.3,
) -> bool:
    """Call `caught_up` until it is true or `limit` seconds of `clock` have gone.

    Returns its last answer.
    """
    end = clock() + limit
    pause = 0.005
    while not caught_up(path, last_assistant_message):
        left = end - clock()
        if left <= 0:
            return False
        sleep(min(pause, left))
        pause = min(pause * 2, 0.04)
    return True


def _holds(line: bytes, needles: tuple[bytes, ...]) -> bool:
    return any(needle in line for needle in needles)


def _record(line: bytes) -> dict[str, object] | None:
    """Parse a main-thread line; None for anything else. NULs around it are a crash's padding."""
    try:
        value = loads(line.strip(b"\0 \t\r").decode("utf-8", "replace"))
    except ValueError:
        return None
    if not isinstance(value, dict) or value.get("isSidechain") not in (None, False):
        return None
    return value


def _boundary(record: dict[str, object]) -> Usage | None:
    detail = record.get("compactMetadata")
    if not isinstance(detail, dict):
        return None
    tokens = count(detail.get("postTokens"))
    if tokens is None:
        return None
    usage = Usage("boundary", tokens, _string(record.get("timestamp")))
    usage.pre_tokens = count(detail.get("preTokens"))
    return usage


def _usage(record: dict[str, object]) -> Usage | None:
    message = record.get("message")
    if record.get("type") != "assistant" or record.get("isApiErrorMessage") is True:
        return None
    if not isinstance(message, dict) or message.get("model") == "<synthetic>":
        return None
    parts = usage_parts(message.get("usage"))
    if parts is None:
        return None
    usage = Usage("transcript", sum(parts), _string(record.get("timestamp")))
    usage.input, usage.cache_creation, usage.cache_read, usage.output = parts
    usage.model = _string(message.get("model"))
    usage.requested_model = _string(record.get("requestedModel"))
    usage.message_id = _string(message.get("id"))
    return usage


def _text(message: object) -> str:
    """Return the text blocks of a message without white space, "" if it has none."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return _squeezed(content)
    if not isinstance(content, list):
        return ""
    texts = [b.get("text") for b in content if isinstance(b, dict) and b.get("type") == "text"]
    return _squeezed("".join(text for text in texts if isinstance(text, str)))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
