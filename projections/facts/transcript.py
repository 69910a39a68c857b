"""Facts that only a transcript holds: what was said inside a turn, and refused there.

No hook reports Claude's words before the end of a turn, nor a call that the person refused.
Invariant: pure and bounded, whatever the number and the size of the texts; newest last.
"""

from __future__ import annotations

from projections.facts.text import (
    identifiers,
    instructions,
    is_refusal,
    made,
    numbers,
    reasons,
    refusal,
)
from projections.prose import is_request, is_telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["from_transcript"]

_TEXT = 80_000  # characters of Claude's words that are taken apart, the newest
_LONG = 20_000  # characters of one of them
_REASONS, _REFUSED, _SAID, _IDS, _NUMBERS = 24, 8, 10, 30, 16
_RECORDED = 700  # characters of a prompt that its own event holds
# How the client words a refusal with a reason, before it and after.
_REFUSAL, _NOTE = "the user said:", "\n\nNote:"
_CLARIFY = "wants to clarify these questions"


def from_transcript(rows: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the facts of some rows by class.

    rows: (who, text), the newest first. who: "claude", "person", "result" for a short output of a
    tool, or "refusal" for that of a call that the person refused.
    """
    why: dict[str, None] = {}
    refused: dict[str, None] = {}
    said: dict[str, None] = {}
    counted: dict[str, None] = {}
    named: dict[str, int] = {}
    left = _TEXT
    for who, text in rows:
        if who in ("refusal", "result"):
            _of_tool(who, text, refused, named)
            continue
        if left > 0 or who == "person":
            for one in identifiers(text[:_LONG]):
                named[one] = named.get(one, 0) + 1
        if who == "person":
            _of_person(text, said, refused)
        elif left > 0:
            left -= len(text)
            if len(why) < _REASONS:
                why.update(dict.fromkeys(list(reasons(text[:_LONG]))[::-1]))
            if len(counted) < _NUMBERS:
                counted.update(dict.fromkeys(numbers(text[:2000])))
    often = sorted(named, key=lambda one: -named[one])[:_IDS]
    found = {
        "reasons": list(why)[:_REASONS],
        "refused": list(refused)[:_REFUSED],
        "said": list(said)[:_SAID],
        "ids": often,
        "numbers": list(counted)[:_NUMBERS],
    }
    return {name: texts[::-1] for name, texts in found.items() if texts}


def _of_tool(who: str, text: str, refused: dict[str, None], named: dict[str, int]) -> None:
    if who == "result":
        for one in made(text):
            named.setdefault(one, 0)  # behind those that somebody named
    elif words := _refusal(text):
        refused[words] = None


def _of_person(text: str, said: dict[str, None], refused: dict[str, None]) -> None:
    """Take a prompt apart, where its event does not hold all of it."""
    if not is_request(text):
        return
    if is_refusal(text):
        refused[refusal(text)] = None
    elif _RECORDED < len(text) <= _LONG:
        said.update(dict.fromkeys(instructions(text)[::-1]))


def _refusal(text: str) -> str:
    """Return what the person said when they refused a call; "" where they said nothing."""
    words = text.partition(_REFUSAL)[2].partition(_NOTE)[0].strip()
    return refusal(words) if is_telling(words) and _CLARIFY not in words[:80] else ""
