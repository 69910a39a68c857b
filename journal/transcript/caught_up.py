"""Check whether a transcript has the last reply of a turn, which may arrive after the Stop hook."""

from __future__ import annotations

from journal.transcript.usage import ASSISTANT, lines_with, record_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LIMIT = 0.3  # seconds
_SPEECH = (*ASSISTANT, b'"type":"user"', b'"type": "user"')


def caught_up(path: str, last_assistant_message: str) -> bool:
    """Return whether the newest assistant text is in the transcript.

    A text before the newest prompt or tool result belongs to an older reply, even if it is equal.
    White space is ignored; a message of several text blocks may be passed as one text.
    """
    wanted = _without_spaces(last_assistant_message)
    if not wanted:
        return True
    lines = lines_with(path, _SPEECH)
    texts: list[str] = []
    message_id: object = None
    try:
        for line in lines:
            record = record_of(line)
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
) -> bool:
    """Call `caught_up` until it is true or 0.3 s of `clock` have passed; return its last result."""
    end = clock() + _LIMIT
    pause = 0.005
    while not caught_up(path, last_assistant_message):
        left = end - clock()
        if left <= 0:
            return False
        sleep(min(pause, left))
        pause = min(pause * 2, 0.04)
    return True


def _text(message: object) -> str:
    """Return the text blocks of a message without white space, or "" if it has none."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return _without_spaces(content)
    if not isinstance(content, list):
        return ""
    blocks = [block for block in content if isinstance(block, dict)]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    return _without_spaces("".join(text for text in texts if isinstance(text, str)))


def _without_spaces(text: str) -> str:
    return "".join(text.split())
