"""Extract the facts that only a transcript has: Claude's words within a turn, refused calls.

No hook reports what Claude writes before the end of a turn, nor a call that the person refused.
Pure; the work and the results are bounded, whatever the number and size of the texts.
"""

from __future__ import annotations

from projections.facts.counted import numbers
from projections.facts.text import (
    beginning,
    created,
    findings,
    first_sentence,
    gives_reason,
    identifiers,
    instructions,
    is_refusal,
)
from projections.prose import clip, is_request, is_substantial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Row = tuple[str, str, str, str]

_TEXT = 80_000  # characters of Claude's newest texts that are searched
_LONG = 20_000  # characters of one text that are searched
_REASONS, _REFUSED, _SAID, _IDS, _NUMBERS = 24, 8, 10, 30, 16
_FOUND = 12  # sentences of Claude that say how things follow from each other, without a choice
_REPORTS = 20_000  # characters of the newest reports of subagents that are searched
_REPORTED = 3  # sentences of a subagent's report
_CALL = 200  # characters of a refused call
_RECORDED = 700  # characters of a prompt that its event has
_WITHDRAWN = 12  # prompts, and as many answers
# What Claude Code writes before and after the reason of a refusal.
_REFUSAL, _NOTE = "the user said:", "\n\nNote:"
_CLARIFY = "wants to clarify these questions"


def from_transcript(rows: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the facts of transcript rows: field of `compact.gathered` → texts, newest last.

    rows: (who, text), newest first. who: "claude", "person", "result" for a short output of a tool,
    "refusal" for the result of a call that the person refused, "call" for that call, or "agent" for
    the report of a subagent.
    """
    why: dict[str, None] = {}
    found: dict[str, None] = {}
    refused: dict[str, None] = {}
    said: dict[str, None] = {}
    counted: dict[str, None] = {}
    named: dict[str, int] = {}
    calls: dict[str, None] = {}
    left = {"claude": _TEXT, "agent": _REPORTS}
    for who, text in rows:
        if who in ("call", "refusal", "result"):
            _of_tool(who, text, refused, calls, named)
            continue
        if who == "person" and not is_request(text):
            continue  # written by Claude Code: ids in it are not facts of the work
        if who == "person" or (who == "claude" and left[who] > 0):
            for name in identifiers(text[:_LONG]):
                named[name] = named.get(name, 0) + 1
        if who == "person":
            _of_person(text, said, refused)
        elif left[who] > 0:
            left[who] -= len(text)
            if len(why) < _REASONS or len(found) < _FOUND:
                _of_claude(who, text[:_LONG], why, found)
            if len(counted) < _NUMBERS and who == "claude":
                counted.update(dict.fromkeys(numbers(text[:2000])))
    often = sorted(named, key=lambda name: -named[name])[:_IDS]
    facts = {
        "reasons": [*list(why)[:_REASONS], *list(found)[:_FOUND]],
        "refused": list(refused)[:_REFUSED],
        "calls": list(calls)[:_REFUSED],
        "said": list(said)[:_SAID],
        "ids": often,
        "numbers": list(counted)[:_NUMBERS],
    }
    return {name: texts[::-1] for name, texts in facts.items() if texts}


def without_withdrawn(rows: Iterable[Row]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the rows that are in the conversation, and what a rewind or a hook took out of it.

    A prompt that follows the same line as an earlier one takes its place: the earlier prompt and
    all that came after it are withdrawn. After a rewind to the first prompt nothing is before it.

    rows: (who, text, line, previous line), newest first; lines by their ids, of prompts only. who
    is as in `from_transcript`, "blocked" for a prompt that a hook blocked, or "rewound" for what
    Claude Code writes after the first prompt that follows a rewind.

    Returns:
        (who, text) of the rows that remain, and the beginnings of withdrawn prompts and answers.

    """
    rows = list(rows)
    end = _after_rewind(rows)
    # A transcript may name for no line what it follows.
    linked = any(previous not in ("", "null") for *_, previous in rows)
    kept: list[tuple[str, str]] = []
    gone = [("person" if who == "blocked" else who, text) for who, text, *_ in rows[end:]][::-1]
    since: dict[str, tuple[str, int]] = {}  # previous line → its newest prompt, rows kept with it
    for who, text, line, previous in rows[:end]:
        if who == "rewound":
            continue
        if who == "blocked":  # by a hook: Claude never saw it
            gone.append(("person", text))
            continue
        prompt, at = since.get(previous, (line, 0))
        if prompt != line and at <= len(kept):
            gone += [*kept[at:], (who, text)]
            del kept[at:]
            continue
        kept.append((who, text))
        if previous and linked:
            since[previous] = line, len(kept)
    if not gone:
        return kept, []
    live = {beginning(text) for _, text in kept}
    lost = [
        beginning(text)
        for whose in ("person", "claude")
        for text in [text for who, text in gone if who == whose][-_WITHDRAWN:]
    ]
    return kept, [text for text in dict.fromkeys(lost) if text and text not in live]


def _after_rewind(rows: list[Row]) -> int:
    """Return how many rows, newest first, follow the newest rewind to the first prompt; else all.

    The prompt after any other rewind follows the same line as the one whose place it takes.
    """
    is_rewound = False
    for at, (who, _, line, previous) in enumerate(rows):
        if who == "rewound":
            is_rewound = True
        elif is_rewound and who == "person" and previous:
            is_rewound = False
            older = [row for row in rows[at:] if row[2] != line]
            if all(row[3] != previous for row in older):
                return len(rows) - len(older)
    return len(rows)


def _of_claude(who: str, text: str, why: dict[str, None], found: dict[str, None]) -> None:
    """Add Claude's sentences with a reason, and others that say how things follow, newest first."""
    told = list(findings(text))
    if who == "agent":
        told = (told or [*filter(is_substantial, [first_sentence(text)])])[:_REPORTED]
    for sentence in reversed(told):
        (why if who == "claude" and gives_reason(sentence) else found)[sentence] = None


def _of_tool(
    who: str, text: str, refused: dict[str, None], calls: dict[str, None], named: dict[str, int]
) -> None:
    if who == "call":
        calls[clip(" ".join(text.split()), _CALL)] = None
    elif who == "result":
        for name in created(text):
            named.setdefault(name, 0)  # after those that Claude or the person mentioned
    elif words := _refusal(text):
        refused[words] = None


def _of_person(text: str, said: dict[str, None], refused: dict[str, None]) -> None:
    """Add the refusal or, if its event does not have the whole prompt, the instructions in it."""
    if is_refusal(text):
        refused[beginning(text)] = None
    elif _RECORDED < len(text) <= _LONG:
        said.update(dict.fromkeys(instructions(text)[::-1]))


def _refusal(text: str) -> str:
    """Return the reason that the person gave for refusing a call, "" for none."""
    words = text.partition(_REFUSAL)[2].partition(_NOTE)[0].strip()
    return beginning(words) if is_substantial(words) and _CLARIFY not in words[:80] else ""
