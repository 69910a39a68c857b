"""Texts a person sent to this session: each injected once, whole, at a prompt or a recovery.

A text that does not fit any more waits for the next prompt; it is never cut. At a prompt it has the
room before advice, which comes again by itself.
"""

from __future__ import annotations

from projections.messages.answer import ROOM, Answer, bounded, injection, width
from projections.messages.wording import listed, one_line, quoted, when
from projections.queue import waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from projections.queue import Waiting
    from projections.views import Views

__all__ = ["answer", "is_asking"]

_AT_ONCE = 3  # texts in one answer
_COMMAND = "/journal:"


def is_asking(event: Any) -> bool:
    """Whether a prompt is one a text may go along with.

    Not a notification, a blank, or a command of this plugin, which has an answer of its own.
    """
    if event.origin == "task-notification" or not event.size:
        return False
    text = event.text.strip()
    # Without a text either it was not kept or the person sent white space alone.
    return not text.startswith(_COMMAND) and bool(text or not event.text)


def answer(views: Views, event: Any, room: int = ROOM) -> Answer | None:
    """Give what waits for the event's lineage, oldest first, as far as there is room."""
    taken: list[str] = []
    says = []
    for item in waiting(views.queue, views.lineage, event.sid)[:_AT_ONCE]:
        text = _text(item)
        room -= width(text) + (4 if taken else 0)
        if room < 0:
            break
        taken.append(text)
        says.append(injection("pack", text, reason=str(item.seq)))
    return Answer(context="\n\n".join(taken), says=says) if taken else None


def _text(item: Waiting) -> str:
    """Give the text under a head that says whence it comes; whole, if a writer measured it."""
    head = (
        f"Sent to this session by the person (journal #{item.seq}, {when(item.at)}): "
        f"{quoted(item.title or 'past sessions', 80)}."
    )
    made = f"\nMade from {one_line(listed(item.sources, 3), 160)}." if item.sources else ""
    if width(head) + width(made) + width(item.text) + 2 > ROOM:
        made = ""
    return f"{head}{made}\n{bounded(item.text, ROOM - width(head) - width(made) - 2)}"
