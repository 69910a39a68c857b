"""Extract the facts that only a transcript has: Claude's words within a turn, refused calls.

No hook reports what Claude writes before the end of a turn, nor a call that the user refused.
Pure; the work and the results are bounded, whatever the number and size of the texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Any, NamedTuple

from journal.text import excerpt
from projections.facts import text as extract
from projections.facts.counted import numbers
from projections.facts.gathering import WHOLE
from projections.pasted import errors_in, without_pasted
from projections.prose import (
    BY_CLIENT,
    CLARIFY,
    COMMAND,
    SHELL_OUTPUT,
    beginning,
    is_request,
    is_substantial,
    item_number,
    reason_of,
)
from projections.prose import line as shortened

_TEXT = 80_000  # characters of Claude's newest texts that are searched
_LONG = 20_000  # characters of one text that are searched
_REASONS, _REFUSED, _SAID, _IDS, _NUMBERS = 24, 8, 10, 30, 16
_FOUND = 12  # sentences of Claude that say how things follow from each other, without a choice
_DETAILS = 4  # other sentences of Claude about things by their names or numbers
_REPORTS = 20_000  # characters of the newest reports of subagents that are searched
_CALL, _WHY = 200, 160  # characters of a refused call and of the reason beside it
_RECORDED = 700  # characters of a prompt that its event has
_ITEM = 120  # characters of an item that the user chose from a list
_JOINS = 3  # letters of a word between two numbers: "1 and 3"
_PASTED = 2  # logs that the user pasted
_WITHDRAWN = 12  # prompts, and as many answers
_CLIENT = (*BY_CLIENT, COMMAND)
_ANSWERED = re.compile(r'^- "(.+)"\n +Answer: (.+)', re.MULTILINE)  # below CLARIFY


class TranscriptRow(NamedTuple):
    """A text of a transcript, or a mark without a text.

    who: as in `from_transcript`; "blocked" for a prompt that a hook blocked; "rewound" for what
    Claude Code writes after the first prompt that follows a rewind or a stopped compaction;
    "command" for what it writes before a command of its own, such as a compaction; "boundary" for
    a compaction. line, previous: ids of its line and of the line that it follows; of prompts only,
    else "".
    """

    who: str
    text: str
    line: str = ""
    previous: str = ""


def from_transcript(rows: Iterable[tuple[str, str]]) -> dict[str, list[Any]]:
    """Return the facts of transcript rows: field of `compact.gathered` → texts, newest last.

    rows: (who, text), newest first. who: "claude", "person", "result" for a short output of a tool,
    "refusal" for the result of a call that the user refused, "call" for that call and the user's
    reason in further lines, or "agent" for the report of a subagent.
    """
    facts = _Facts()
    for who, text in rows:
        if who in ("call", "refusal", "result"):
            facts.add_of_tool(who, text)
        elif who != "person":
            facts.add_of_claude(who, text)
        elif is_request(text):  # else written by Claude Code: ids in it are no facts of the work
            facts.add_of_person(text)
    return {name: texts[::-1] for name, texts in facts.listed().items() if texts}


class _Facts:
    """Facts found so far, each once, the newest first.

    named: name → how often it was mentioned. prompts: number of the user's prompts so far. answer:
    the oldest of these, if it may answer what Claude wrote before it.
    """

    def __init__(self) -> None:
        self.why: dict[str, None] = {}
        self.found: dict[str, None] = {}
        self.details: dict[str, None] = {}
        self.refused: dict[str, None] = {}
        self.said: dict[str, None] = {}
        self.prompts = 0
        self.numbers: dict[str, None] = {}
        self.errors: dict[str, None] = {}
        self.calls: dict[str, None] = {}
        self.named: dict[str, int] = {}
        self.choices: list[list[str]] = []
        self.answer = ""
        self.left = {"claude": _TEXT, "agent": _REPORTS}

    def listed(self) -> dict[str, list[Any]]:
        """Return field of `compact.gathered` → texts, newest first."""
        ranked = [*self.why][:_REASONS], [*self.found][:_FOUND], [*self.details][:_DETAILS]
        return {
            "reasons": [text for texts in ranked for text in texts],
            "refused": list(self.refused)[:_REFUSED],
            "calls": list(self.calls)[:_REFUSED],
            "said": list(self.said)[:_SAID],
            "ids": sorted(self.named, key=lambda name: -self.named[name])[:_IDS],
            "numbers": list(self.numbers)[:_NUMBERS],
            "errors": list(self.errors)[:_PASTED],
            "choices": self.choices[:_REFUSED],
        }

    def add_of_tool(self, who: str, text: str) -> None:
        """Add a refused call, what the user said to it, or what an output says it created."""
        if who == "call":
            called, _, why = text.partition("\n")
            # A longer reason stands among the user's words alone.
            why = f"\n{why}" if why and why == shortened(why, _WHY) else ""
            self.calls[excerpt(called, _CALL) + why] = None
        elif who == "result":
            for name in extract.created(text):
                self.named.setdefault(name, 0)  # after those that Claude or the user mentioned
        elif CLARIFY in (words := reason_of(text))[:80]:
            found = [list(map(beginning, row)) for row in _ANSWERED.findall(words)]
            # The text does not name the other options, so the answer is the only one.
            self.choices += [[asked, answer, answer] for asked, answer in reversed(found)]
        elif is_substantial(words):
            self.refused[beginning(words)] = None

    def add_of_person(self, text: str) -> None:
        """Add a prompt's refusal or request and, if its event is cut, the error that was pasted."""
        self._add_names(text)
        self.prompts += 1
        words = without_pasted(text)
        self.answer = beginning(words) if extract.is_answer(words) else ""
        if extract.is_refusal(words):
            self.refused[beginning(words)] = None
        elif len(text) > _RECORDED:
            self.errors.update(dict.fromkeys(errors_in(text)))
            if len(words) <= _LONG:
                self.said.update(dict.fromkeys(extract.instructions(words)[::-1]))
        elif self.prompts > WHOLE and len(self.said) < _SAID and not extract.is_question(words):
            # The view has the newest, but drops those between the first and these.
            self.said.update(dict.fromkeys(extract.requested(words)[::-1]))

    def add_of_claude(self, who: str, text: str) -> None:
        """Add sentences of Claude or a subagent, newest first."""
        if who == "claude":
            if self.answer and (question := _question(text, self.answer)):
                self.choices.append([question, self.answer])
            self.answer = ""
        if self.left[who] <= 0:
            return
        self.left[who] -= len(text)
        text = text[:_LONG]
        is_full = len(self.why) >= _REASONS and len(self.found) >= _FOUND
        find = extract.reported if who == "agent" else extract.findings
        sentences = [] if is_full else list(find(text))
        for sentence in reversed(sentences):
            is_reason = who == "claude" and extract.gives_reason(sentence)
            (self.why if is_reason else self.found)[sentence] = None
        if who == "claude":
            self._add_names(text)
            if len(self.details) < _DETAILS:
                self.details.update(dict.fromkeys([*extract.details(text)][::-1]))
            if len(self.numbers) < _NUMBERS:
                self.numbers.update(dict.fromkeys(numbers(text[:2000])))

    def _add_names(self, text: str) -> None:
        for name in extract.identifiers(text[:_LONG]):
            self.named[name] = self.named.get(name, 0) + 1


def _question(text: str, answer: str) -> str:
    """Return what an answer answers in a text: the question at its end or the items it chose."""
    question = extract.question_at_end(text)
    words = takewhile(lambda word: len(word) <= _JOINS, answer.replace(",", " ").split())
    chosen = [word.rstrip(".):") for word in words if word[0].isdecimal()]
    if not chosen or chosen[0] in question:
        # "the 2nd" says nothing without the list, which may be too long.
        is_clear = is_substantial(answer) or not _has_digit(answer)
        return question if is_clear or _has_digit(question) else ""
    items = [row for row in map(str.strip, text.splitlines()) if item_number(row)[:-1] in chosen]
    return " / ".join(shortened(item, _ITEM) for item in items[-len(chosen) :])


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def split_withdrawn(rows: Iterable[TranscriptRow]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the rows that are in the conversation, and what a rewind or a hook took out of it.

    A prompt that follows the same line as an earlier one takes its place: the earlier prompt and
    all that came after it are withdrawn. After a rewind to the first prompt nothing is before it.

    rows: newest first.

    Returns:
        (who, text) of the rows that remain, and the beginnings of withdrawn prompts and answers.

    """
    rows = list(rows)
    end = _after_rewind(rows)
    # A transcript may name for no line what it follows.
    linked = any(previous not in ("", "null") for *_, previous in rows)
    remaining: list[tuple[str, str]] = []
    gone = [("person" if who == "blocked" else who, text) for who, text, *_ in rows[end:]][::-1]
    # Previous line → its newest prompt, and how many rows remained then.
    since: dict[str, tuple[str, int]] = {}
    for who, text, line, previous in rows[:end]:
        if who in ("rewound", "command", "boundary"):
            continue
        if who == "blocked":  # by a hook: Claude never saw it
            gone.append(("person", text))
            continue
        prompt, at = since.get(previous, (line, 0))
        if prompt != line and at <= len(remaining):
            gone += [*remaining[at:], (who, text)]
            del remaining[at:]
            continue
        remaining.append((who, text))
        if previous and linked:
            since[previous] = line, len(remaining)
    if not gone:
        return remaining, []
    live = {beginning(text) for _, text in remaining}
    lost = [
        beginning(text)
        for whose in ("person", "claude")
        for text in [text for who, text in gone if who == whose][-_WITHDRAWN:]
    ]
    lost = [text for text in dict.fromkeys(lost) if text and not text.startswith(_CLIENT)]
    return remaining, [text for text in lost if text not in live]


def _after_rewind(rows: list[TranscriptRow]) -> int:
    """Return how many rows, newest first, follow the newest rewind to the first prompt; else all.

    The prompt after any other rewind follows the same line as the one whose place it takes.
    """
    is_rewound = False
    for at, (who, text, line, previous) in enumerate(rows):
        if who == "rewound":
            is_rewound = True
        elif is_rewound and who == "person" and previous and not text.startswith(SHELL_OUTPUT):
            is_rewound = False
            if any(row.who == "command" and row.line == previous for row in rows[at:]):
                continue  # the command was stopped, so the prompt follows its beginning
            older = [row for row in rows[at:] if row.line != line]
            if _is_first_since_compaction(older):
                continue  # the mark is of a compaction that was stopped before that one
            if all(row.previous != previous for row in older):
                return len(rows) - len(older)
    return len(rows)


def _is_first_since_compaction(older: list[TranscriptRow]) -> bool:
    """Return whether only commands of Claude Code stand between a prompt and the last compaction.

    older: what precedes the prompt, newest first.
    """
    for row in older:
        if row.who == "boundary":
            return True
        if row.who != "command" and not row.text.startswith(_CLIENT):
            break
    return False
