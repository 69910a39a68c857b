"""Texts that the user sent to this session: each once, complete, at a prompt or a recovery.

A text that does not fit waits for the next prompt. At a prompt these texts come before the
warnings, which are repeated if they do not fit.
"""

from __future__ import annotations

from typing import Any

from journal.text import listed, plural, quoted, utc_minute
from projections.messages.message import (
    TEXT_LIMIT,
    Answer,
    Input,
    Reason,
    Response,
    bounded,
    injection,
    width,
)
from projections.prose import is_own
from projections.queue import Waiting, waiting

TEXTS = {
    "head": (
        "Sent to this session by the user (journal #{seq}, {at}): {title}.",
        "ユーザーがこのセッションに送ったもの（journal #{seq}、{at}）：{title}。",
        "사용자가 이 세션에 보낸 것(journal #{seq}, {at}): {title}.",
    ),
    "made": ("\nMade from {sources}.", "\n元：{sources}。", "\n출처: {sources}."),
}

_AT_ONCE = 3  # texts in one answer


def respond(given: Input) -> Response:
    """Answer a prompt, or the session's start after a compaction."""
    event = given.event
    items = waiting(given.views.queue, given.views.lineage, event.sid)
    if not items:
        return None
    seqs = tuple(item.seq for item in items)
    yield Reason("sent texts", f"{plural(len(items), 'text')} for this session chain", seqs=seqs)
    if hasattr(event, "source"):
        text = f"a session's start after {event.source or 'an unknown source'}"
        yield Reason("occasion", text, passed=event.source == "compact")
    else:
        text = "a request" if _is_request(event) else "a journal command, a notification or a blank"
        yield Reason("occasion", text, passed=_is_request(event))
    taken: list[str] = []
    events, space = [], given.space
    for item in items[:_AT_ONCE]:
        text = _text(given, item)
        space -= width(text) + (4 if taken else 0)
        if space < 0:
            break
        taken.append(text)
        events.append(injection("pack", text, reason=str(item.seq)))
    text = f"{len(taken)} of {len(items)} fit; the others wait for the next request"
    yield Reason("space", text, passed=bool(taken))
    return Answer(context="\n\n".join(taken), events=events)


def _is_request(event: Any) -> bool:
    """Return whether a text may be added to the answer to a prompt.

    It is not added to a notification, a blank prompt, or a command of this plugin, which has an
    answer of its own.
    """
    if event.origin == "task-notification" or not event.size:
        return False
    text = event.text.strip()
    # No text at all: the settings leave it out. White space alone: the user sent nothing.
    return not is_own(text) and bool(text or not event.text)


def _text(given: Input, item: Waiting) -> str:
    """Return the text below a heading with its origin; it is cut only if no command measured it."""
    head = given.phrase(
        TEXTS["head"],
        seq=item.seq,
        at=utc_minute(item.at),
        title=quoted(item.title or "past sessions", 80),
    )
    sources = listed([quoted(source, 60) for source in item.sources], 3)
    made = given.phrase(TEXTS["made"], sources=sources) if item.sources else ""
    if width(head) + width(made) + width(item.text) + 2 > TEXT_LIMIT:
        made = ""
    return f"{head}{made}\n{bounded(item.text, TEXT_LIMIT - width(head) - width(made) - 2)}"
