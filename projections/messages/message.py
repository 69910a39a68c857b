"""The input of a message, its answer, and the reasons for it.

Every message file has one function `respond(given)`. It yields a `Reason` for each condition that
it checks and returns an `Answer`; the first reason that does not pass ends it. So condition, text
and explanation of a message cannot contradict each other.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec import Struct

from journal.codec import digest, dumps
from journal.text import LANGUAGES, phrase, pieces, plural
from projections.language import language_in
from projections.views import Views

Response: TypeAlias = "Generator[Reason, None, Answer | None]"
Texts = tuple[str, str, str]


_PIECE = 12_000  # bytes of JSON in one record, which has other members, too
LIMIT = 9_600  # characters of a hook's whole output; Claude Code cuts a string at 10,000
TEXT_LIMIT = LIMIT - 160  # of these for the texts, counted as JSON; the rest is for names


class Input:
    """The input of a message.

    views: their state after the event. settings: by name, as journal.config loads them. space:
    characters left in the answer, counted as JSON. language: one of LANGUAGES.
    """

    __slots__ = ("event", "language", "settings", "space", "views")

    def __init__(self, views: Views, event: Any, settings: Mapping[str, Any], space: int) -> None:
        self.views = views
        self.event = event
        self.settings = settings
        self.space = space
        setting = settings.get("messages.language", "auto")
        self.language = language_in(views.language, event.sid, setting)

    def phrase(self, texts: Texts, **values: object) -> str:
        """Return a text in this answer's language."""
        return phrase(self.language, texts, **values)

    def switch(self, key: str) -> Reason:
        """Return the reason that a setting switches the message on or off."""
        is_on = bool(self.settings[key])
        return Reason("setting", "on" if is_on else "off", passed=is_on, keys=(key,))


class Reason(Struct):
    """A condition that a message checked.

    passed: whether the condition holds; False ends the message, None is only for information. keys:
    the settings that were read. seqs: the events that show it, 0 for none. record: type and `what`
    of the session's event that shows it ("advice.given pressure"), if the views do not have its
    seq.
    """

    what: str
    value: str
    passed: bool | None = None
    keys: tuple[str, ...] = ()
    seqs: tuple[int, ...] = ()
    record: str = ""


class Answer:
    """A hook's answer.

    context: text for Claude. message: text for the user. plain: the output of PreCompact. block:
    why a command is refused (for the user) or a turn must go on (for Claude). events: that record
    the answer, without their envelopes.
    """

    __slots__ = ("block", "context", "events", "message", "plain")

    def __init__(
        self,
        *,
        context: str = "",
        message: str = "",
        plain: str = "",
        block: str = "",
        events: list[dict[str, Any]] | None = None,
    ) -> None:
        self.message = bounded(message)
        self.block = bounded(block, TEXT_LIMIT - width(self.message))
        self.context = bounded(context, TEXT_LIMIT - width(self.message) - width(self.block))
        self.plain = bounded(plain)
        self.events = events or []

    @property
    def texts(self) -> dict[str, str]:
        """Return the texts that are not empty, by name."""
        names = ("context", "message", "plain", "block")
        return {name: text for name in names if (text := getattr(self, name))}

    @property
    def taken(self) -> int:
        """Return how many characters the texts add to another answer, counted as JSON."""
        return sum(width(text) + 4 for text in (self.context, self.message) if text)

    def joined(self, other: Answer) -> Answer:
        """Return both answers as one, with the texts of this one first."""
        return Answer(
            context="\n\n".join(filter(None, (self.context, other.context))),
            message=" ".join(filter(None, (self.message, other.message))),
            plain="\n".join(filter(None, (self.plain, other.plain))),
            block="\n\n".join(filter(None, (self.block, other.block))),
            events=[*self.events, *other.events],
        )


class Explanation(Struct):
    """The result of a message for an event. message: its name, "" for conditions of all of them."""

    message: str
    reasons: list[Reason]
    answer: Answer | None = None


_COUNTERS: dict[str, tuple[str, str, str]] = {
    "work-log entry": ("work-log entry", "作業ログ{}件", "작업 로그 {}개"),
    "session": ("session", "{}セッション", "세션 {}개"),
    "minute": ("minute", "{}分", "{}분"),
    "hour": ("hour", "{}時間", "{}시간"),
    "day": ("day", "{}日", "{}일"),
    "problem": ("problem", "{}件の問題", "문제 {}개"),
}


def counted(language: str, count: int, noun: str) -> str:
    """Return a number with what it counts: `3 sessions`, `3セッション`."""
    if language == "en":
        many = f"{noun[:-1]}ies" if noun.endswith("try") else f"{noun}s"
        return plural(count, noun, many)
    return _COUNTERS[noun][LANGUAGES.index(language)].format(f"{count:,}")


def in_pieces(texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield texts in pieces that each fit into a record; those of one name belong together."""
    if len(dumps(texts)) <= _PIECE:
        yield dict(texts)
        return
    for name, text in texts.items():
        yield from ({name: piece} for piece in pieces(text, _PIECE))


def width(text: str) -> int:
    """Return the characters of a text as JSON: a quote takes two, a control character six."""
    return len(dumps(text).decode()) - 2


def bounded(text: str, limit: int = TEXT_LIMIT) -> str:
    """Cut a text to `limit` characters, counted as JSON; a cut text ends with a note."""
    if width(text) <= limit:
        return text
    note = "\n[cut here by the journal]"
    space = limit - width(note)
    if space <= 0:
        return ""
    text = text[:space]
    while (over := width(text) - space) > 0:
        text = text[: -(over + 5) // 6]
    return text + note


def advice(what: str, text: str, *, channel: str, reason: str, **more: Any) -> dict[str, Any]:
    """Build the `advice.given` event of a text, without its envelope."""
    return {
        **injection(what, text, reason=reason),
        "type": "advice.given",
        "channel": channel,
        **more,
    }


def injection(what: str, text: str, *, reason: str) -> dict[str, Any]:
    """Build the `context.injected` event of a text, without its envelope."""
    return {
        "type": "context.injected",
        "what": what,
        "characters": len(text),
        "digest": "b2:" + digest(text),
        "reason": reason,
    }
