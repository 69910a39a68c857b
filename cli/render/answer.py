"""A hook's answer as text and as JSON, for `journal explain` and `journal replay`."""

from collections.abc import Iterator
from typing import Any

from journal.text import clip, one_line, wrapped
from projections.messages.message import Answer


def answer_lines(
    answer: Answer, columns: int, indent: str = "", most: int | None = None
) -> Iterator[str]:
    """Yield each text under its recipient, at most `most` lines of it."""
    texts = {
        "to Claude": answer.context,
        "to you": answer.message,
        "to the summary": answer.plain,
        "to you, and the command does not run": answer.block,
    }
    for name, text in texts.items():
        if not text:
            continue
        yield from wrapped(f"{name}:", columns, indent)
        lines = [
            part.rstrip()
            for line in text.split("\n")
            for part in wrapped(one_line(line), columns, f"{indent}> ")
        ]
        yield from lines[:most]
        if most is not None and len(lines) > most:
            yield clip(f"{indent}  and {len(lines) - most} more lines (journal replay)", columns)
    if not any(texts.values()):
        kinds = ", ".join(event["type"] for event in answer.events)
        yield from wrapped(f"no message, but it records {kinds}", columns, indent)


def answer_data(answer: Answer | None) -> dict[str, Any] | None:
    """Return the texts and records of an answer; None without an answer."""
    if answer is None:
        return None
    return {
        "context": answer.context,
        "message": answer.message,
        "plain": answer.plain,
        "block": answer.block,
        "says": answer.events,
    }
