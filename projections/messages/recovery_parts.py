"""The parts of a recovery: which of a session's facts each one shows, and in which order.

A part shows what the summary of the compaction left out, or everything if there is no summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from journal.error_lines import error_lines
from journal.text import quoted, utc_minute
from projections.facts.commands import is_check, steps_of
from projections.facts.compose import TextPart
from projections.facts.correction import without_corrected
from projections.facts.gathering import last_request
from projections.facts.presence import without_repeated
from projections.facts.session import (
    Failure,
    KnownFacts,
    LastCompaction,
    RefusedCall,
    SessionFacts,
    Trail,
    UserChoice,
)
from projections.facts.text import follows, gives_reason
from projections.messages import unfinished
from projections.messages.message import Input
from projections.messages.person_words import CORRECTED, person_words, without_rows
from projections.messages.recovery_phrases import PARTS, TEXTS
from projections.messages.unfinished import name_of
from projections.messages.work_log import work_files, work_log_line
from projections.pasted import TRACEBACK, without_pasted
from projections.prose import is_greeting, is_substantial

_SENTENCES = 6  # sentences of Claude for which most texts have room
_ANSWERS = 1  # short answers to questions in a text, besides the last request
_COUNTED = 1  # clauses with a number that come before the rest
_SHORT = 120  # characters of an error that is not shortened
_HEADINGS = ("Exit code ", TRACEBACK)


class RecoveryParts:
    """The parts of one recovery, the most important first."""

    def __init__(self, given: Input, trail: Trail, compaction: LastCompaction) -> None:
        self.given = given
        self.phrase = given.phrase
        self.trail = trail
        self.compaction = compaction
        self.compared = bool(compaction.summary_size)
        self.shown = ""  # of the parts yielded so far: heads and first items

    def all(self) -> Iterator[TextPart]:
        """Yield the parts that are not empty, in the order of the text."""
        for part in self._all():
            if part.items or part.is_bare:
                self.shown += "\n".join(("", part.head, *part.first_items))
                yield part

    def _new(self, names: Iterable[str]) -> list[str]:
        """Return the names that no part so far has, newest first."""
        found = []
        for name in names:
            at = self.shown.find(name)
            after = self.shown[at + len(name) : at + len(name) + 1]
            if at < 0 or after.isalnum():
                found.append(name)
        return found[::-1]

    def _all(self) -> Iterator[TextPart]:
        trail, compaction = self.trail, self.compaction
        facts = compaction.facts
        yield from (self._bare("loop", text) for text in unfinished.loop(self.given))
        yield from self._request()
        if text := trail.checkpoint_summary:
            at, text = utc_minute(trail.checkpoint_at), quoted(text, 400)
            yield self._bare("checkpoint", self.phrase(TEXTS["save point"], at=at, text=text))
        yield from (self._bare("work", text) for text in self._under_way())
        lost = compaction.lost or KnownFacts()
        if not self.compared:
            decisions = [decision.text for decision in trail.decisions]
            files = [path for path in trail.files if path not in facts.gone]
            lost = KnownFacts(files, decisions, lost.items)
        yield self._lines("decisions", self._decisions(lost.decisions), urgent=True)
        # The part about the unit already shows its first open items.
        items = [text for text in lost.items if quoted(text, 80).strip('"…') not in self.shown]
        yield self._lines("items", (quoted(text, 120) for text in items), urgent=True)
        words, firm = person_words(self.given, trail, compaction)
        yield self._person(words, firm)
        yield self._lines("calls", map(self._refused_call, reversed(facts.calls)))
        yield self._choices(facts.choices, words)
        yield from self._plan(facts)
        yield self._lines("failures", map(self._failure, reversed(facts.failures)), first=3)
        yield from self._tests(facts)
        yield self._lines("commands", _by_value(facts.commands), first=6)
        elsewhere = {facts.plan_file, *work_files(self.given.views.compound)}
        for name, paths in (("files", lost.paths), ("gone", facts.gone)):
            named = [path for path in paths if path not in elsewhere]
            yield self._series(name, _short_paths(named, self.given.event.cwd), urgent=True)
        yield self._series("ids", self._new(facts.ids), first=12)
        reasons = self._reasons(facts.reasons)
        yield reasons
        if text := work_log_line(self.given, compaction):
            yield self._bare("flow", text)
        yield from self._summary()
        if trail.message and not self.compared:
            yield self._bare(
                "answer", self.phrase(TEXTS["answer"], text=quoted(trail.message, 400))
            )
        read = facts.read if self.compared else trail.read
        yield self._series("read", [path for path in read if path not in elsewhere], first=2)
        yield self._numbers(facts.numbers, reasons.items[:_SENTENCES])
        yield from (self._bare("unowned", text) for text in unfinished.unowned(self.given))

    def _bare(self, name: str, text: str) -> TextPart:
        return TextPart(self.phrase(PARTS[name][0]), text, is_bare=True)

    def _lines(
        self, name: str, texts: Iterable[str], *, first: int = 2, urgent: bool = False
    ) -> TextPart:
        items = [text if text.startswith("- ") else f"- {text}" for text in texts]
        what, head = map(self.phrase, PARTS[name])
        return TextPart(what, head, items, first=first, urgent=urgent)

    def _series(
        self, name: str, texts: Iterable[str], *, first: int = 6, urgent: bool = False
    ) -> TextPart:
        what, head = map(self.phrase, PARTS[name])
        names = [name_of(text) for text in texts]
        return TextPart(what, head, names, first=first, joiner=", ", urgent=urgent)

    def _request(self) -> Iterator[TextPart]:
        if not self.trail.prompts or self.compaction.request:
            return
        newest = self.trail.prompts[0]
        if all(is_greeting(prompt.text) for prompt in self.trail.prompts):
            return
        # A prompt that is only an image has no text.
        phrase = TEXTS["request"] if newest.text else TEXTS["no text"]
        shown = self.phrase(phrase, at=utc_minute(newest.at), text=_asked(newest.text))
        if (wanted := last_request(self.trail.prompts)) is not newest:
            at, text = utc_minute(wanted.at), _asked(wanted.text)
            shown += self.phrase(TEXTS["wanted"], at=at, text=text)
        yield self._bare("request", shown)

    def _under_way(self) -> Iterator[str]:
        """Yield the skill, the unit of work and the dev cycle that are under way."""
        yield from unfinished.structured(self.given)
        if unit := "\n".join(unfinished.unit_lines(self.given)):
            yield unit
        yield from unfinished.open_cycle(self.given)
        yield from unfinished.stopped_cycle(self.given)

    def _decisions(self, decisions: list[str]) -> Iterator[str]:
        """Yield decisions, newest first; those that a newer one corrects are marked."""
        current = without_corrected([one.text for one in self.trail.decisions])
        for text in decisions:
            mark = "" if text in current else f" {self.phrase(CORRECTED)}"
            yield quoted(text, 300) + mark

    def _person(self, words: Sequence[str], firm: int) -> TextPart:
        part = self._lines("person", words, first=5)
        part.firm = firm
        return part

    def _tests(self, facts: SessionFacts) -> Iterator[TextPart]:
        """Yield how the last test run ended, unless an open failure of a check already shows it."""
        failing = any(
            is_check(failure.target) and not failure.repaired for failure in facts.failures
        )
        if facts.tests == "passed" or (facts.tests and not failing):
            which = "before" if facts.edited else facts.tests
            names = ", ".join(map(name_of, facts.edited))
            yield self._bare("tests", self.phrase(TEXTS[f"tests {which}"], files=names))

    def _summary(self) -> Iterator[TextPart]:
        """Yield the event that has the summary."""
        if seq := self.trail.summary_seq:
            pointer = TEXTS["pointer"] if self.trail.compactions > 1 else TEXTS["first"]
            yield self._bare("summary", self.phrase(pointer, seq=seq))

    def _numbers(self, clauses: list[str], others: Sequence[str]) -> TextPart:
        """Return the clauses with a number that neither `others` nor any part so far contains."""
        sentences = "\n".join(others)
        part = self._series("numbers", self._new(text for text in clauses if text not in sentences))
        part.first = part.firm = _COUNTED
        return part

    def _reasons(self, sentences: list[str]) -> TextPart:
        """Return Claude's sentences: first those with a reason, then those that say what follows."""
        newest = without_repeated(without_rows(sentences[::-1]))
        firm = [text for text in newest if gives_reason(text)]
        rest = sorted((text for text in newest if text not in firm), key=lambda t: not follows(t))
        part = self._lines("reasons", (quoted(text, 240) for text in (*firm, *rest)), first=3)
        part.firm = len(firm)
        return part

    def _choices(self, choices: list[UserChoice], words: Sequence[str]) -> TextPart:
        """Return the answers; of those in a text, only the last request and one more have room.

        words: what the user said as told before, in part with the question that it answers.
        """
        newest = self.trail.prompts[0].text if self.trail.prompts else None
        firm = [one for one in reversed(choices) if one.options or one.answer == newest]
        others = [
            choice
            for choice in reversed(choices)
            if choice not in firm
            and not is_substantial(choice.answer)
            and not any(text.startswith(quoted(choice.answer, 240)) for text in words)
        ]
        part = self._lines("choices", map(self._choice, firm + others[:_ANSWERS]))
        part.firm = len(firm)
        return part

    def _choice(self, choice: UserChoice) -> str:
        question, answer = quoted(choice.question, 300), quoted(choice.answer, 240)
        text = self.phrase(TEXTS["chose"], question=question, answer=answer)
        # Several chosen options and a text of the user's own are joined by ", ".
        chosen = f", {choice.answer}, "
        others = [quoted(text, 60) for text in choice.options if f", {text}, " not in chosen][:3]
        return text + (self.phrase(TEXTS["not"], others=", ".join(others)) if others else "")

    def _refused_call(self, call: RefusedCall) -> str:
        text = quoted(f"{call.tool} {call.target}", 120)
        if not call.reason:
            return text
        return self.phrase(TEXTS["refused"], call=text, reason=quoted(call.reason, 160))

    def _plan(self, facts: SessionFacts) -> Iterator[TextPart]:
        """Yield the approved plan; one in a file without steps: Claude Code gives it back."""
        if plan := facts.plan:
            what, head = PARTS["plan"]
            steps = [f"- {quoted(step, 120)}" for step in plan.steps if not facts.plan_file]
            head_text = self.phrase(head, title=quoted(plan.title, 120))
            if facts.plan_file:
                head_text += f" ({name_of(facts.plan_file)})"
            yield TextPart(self.phrase(what), head_text, steps, first=3, is_bare=not steps)

    def _failure(self, failure: Failure) -> str:
        found = (
            _lines_of(failure.error)
            if len(failure.error) <= _SHORT
            else error_lines(failure.error, 2)
        )
        text = quoted(" / ".join(found or _lines_of(failure.error)), 260)
        if not failure.tool:
            return self.phrase(TEXTS["pasted"], text=text)
        if not failure.target:  # nothing shows whether a later call repeats it
            return f"{name_of(failure.tool)}: {text}"
        how = self.phrase(TEXTS["open"])
        if failure.repaired:
            names = ", ".join(map(name_of, failure.files))
            how = (
                self.phrase(TEXTS["repaired"], files=names)
                if names
                else self.phrase(TEXTS["later"])
            )
        elsewhere = failure.cwd and failure.cwd != self.given.event.cwd
        where = f" ({name_of(failure.cwd)})" if elsewhere else ""
        return f"{name_of(failure.tool)} {quoted(failure.target, 90)}{where}: {text}; {how}"


def _asked(text: str) -> str:
    """Return the request to show: the user's words, without the log they pasted."""
    return quoted(without_pasted(text), 720)


def _short_paths(paths: list[str], cwd: str) -> list[str]:
    """Return paths relative to the working directory, if all of them are outside the project.

    In a linked worktree they are. Beside a path relative to the project, such a path is unclear.
    """
    if not cwd.startswith("/") or not all(path.startswith("/") for path in paths):
        return paths
    return [path.removeprefix(f"{cwd}/") for path in paths]


def _lines_of(error: str) -> list[str]:
    """Return the lines of an error; exit code and headings only if there are no others."""
    lines = [line.strip() for line in error.splitlines() if any(map(str.isalnum, line))]
    return [line for line in lines if not line.startswith(_HEADINGS)] or lines


def _by_value(commands: list[str]) -> list[str]:
    """Return commands in quotes; those that build, check, test and publish come first.

    A command is left out if another one has all its steps.
    """
    by_steps: dict[frozenset[str], str] = {}
    for command in reversed(commands):
        by_steps.setdefault(steps_of(command), command)
    newest = [
        command
        for steps, command in by_steps.items()
        if not any(steps < others for others in by_steps)
    ]
    checks = [command for command in newest if is_check(command)]
    rest = [command for command in newest if command not in checks]
    return [quoted(command, 120) for command in (*checks, *rest)]
