"""An answer as a value, and the records it leaves."""

from __future__ import annotations

from journal.codec import digest, dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["LIMIT", "ROOM", "Answer", "advice", "bounded", "injection", "width"]

LIMIT = 9_600  # characters of a hook's whole stdout; the client cuts a string at 10,000
ROOM = LIMIT - 160  # of them for the texts, as they stand in JSON; the rest frames them


class Answer:
    """What goes out.

    context: to the model; message: to the person; plain: PreCompact's text; block: a reason that
    keeps the turn going; says: the events that record it.
    """

    __slots__ = ("block", "context", "message", "plain", "says")

    def __init__(
        self,
        *,
        context: str = "",
        message: str = "",
        plain: str = "",
        block: str = "",
        says: list[dict[str, Any]] | None = None,
    ) -> None:
        self.message = bounded(message)
        self.block = bounded(block, ROOM - width(self.message))
        self.context = bounded(context, ROOM - width(self.message) - width(self.block))
        self.plain = bounded(plain)
        self.says = says or []

    @property
    def empty(self) -> bool:
        """Whether there is nothing to print and nothing to record."""
        return not (self.context or self.message or self.plain or self.block or self.says)

    @property
    def room(self) -> int:
        """Characters, as they stand in JSON, that a further text may take beside this answer."""
        return ROOM - sum(width(text) + 4 for text in (self.context, self.message) if text)

    def joined(self, other: Answer | None) -> Answer:
        """Both answers as one, this one's text first."""
        if other is None:
            return self
        return Answer(
            context="\n\n".join(filter(None, (self.context, other.context))),
            message=" ".join(filter(None, (self.message, other.message))),
            plain="\n".join(filter(None, (self.plain, other.plain))),
            block="\n\n".join(filter(None, (self.block, other.block))),
            says=[*self.says, *other.says],
        )


def width(text: str) -> int:
    """Characters that a text takes in JSON: a quote is two of them, a control character six."""
    return len(dumps(text).decode()) - 2


def bounded(text: str, limit: int = ROOM) -> str:
    """Cut to `limit` characters as they stand in JSON, saying so."""
    if width(text) <= limit:
        return text
    note = "\n[cut here by the journal]"
    room = limit - width(note)
    if room <= 0:
        return ""
    text = text[:room]
    while (over := width(text) - room) > 0:
        text = text[: -(over + 5) // 6]
    return text + note


def advice(what: str, text: str, *, channel: str, reason: str, **more: Any) -> dict[str, Any]:
    """`advice.given` event, without its envelope."""
    return {
        "type": "advice.given",
        "what": what,
        "channel": channel,
        "characters": len(text),
        "digest": "b2:" + digest(text),
        "reason": reason,
        **more,
    }


def injection(what: str, text: str, *, reason: str) -> dict[str, Any]:
    """`context.injected` event, without its envelope."""
    return {
        "type": "context.injected",
        "what": what,
        "characters": len(text),
        "digest": "b2:" + digest(text),
        "reason": reason,
    }
