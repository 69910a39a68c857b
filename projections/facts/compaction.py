"""The facts of a session at a compaction, and those that its summary left out.

Pure. Hooks import this only at a compaction, because parsing the texts is slow.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from journal.error_lines import error_lines
from projections.facts import text as extract
from projections.facts.commands import command_core, steps_of
from projections.facts.counted import figures, numbers
from projections.facts.gathering import OF_FILES, only_reads, without_digits
from projections.facts.presence import Presence
from projections.facts.session import (
    ApprovedPlan,
    Failure,
    KnownFacts,
    RefusedCall,
    SessionFacts,
    UserChoice,
    refused_call,
)
from projections.pasted import errors_in
from projections.prose import beginning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from journal.events.compact import CompactGathered
    from projections.facts.session import Gathered

_IDS, _NUMBERS, _PASTED = 40, 16, 2
_EARLIER = 30  # facts of one kind that a compaction takes over from the one before
# Ends of commands that read a program from their input, or only say what they are.
_NO_WORK = (" -", " --help", " --version")
_NO_DIRECTORY = re.compile(
    r"(?:Exit code \d+\s+)?.*\bcd:.*(?:no such file|can't cd to|not a directory|not exist).*",
    re.IGNORECASE,
)
_CAUSE = 24  # characters that a line needs to name a cause: "E   AssertionError" does not


def facts_of(gathered: Gathered, prompts: Sequence[str], read: Sequence[str] = ()) -> SessionFacts:
    """Return the facts of a session at a compaction.

    Args:
        gathered: the facts from its calls and answers.
        prompts: its requests, oldest first.
        read: paths of files that were only read, newest first.

    """
    prompts = list(dict.fromkeys(prompts))
    whole = [extract.own_words(prompt) for prompt in prompts]
    # A prompt between first and last that is only a question has been answered.
    asked = [p for p in whole[1:-1] if extract.is_question(p)]
    said: dict[str, None] = {}
    refused: dict[str, None] = {}
    for prompt in whole:
        find = extract.instructions if prompt in asked else extract.requested
        if extract.is_refusal(prompt):
            refused[beginning(prompt)] = None
            find = extract.instructions
        said.update(dict.fromkeys(find(prompt)))
    demanded = [*said, *refused]
    told = [prompt for prompt in whole if prompt not in asked]
    more = [text for prompt in told for text in extract.statements(prompt)] + asked
    texts = [*gathered.ran, *prompts, *gathered.messages]
    ids = [name for text in texts for name in extract.identifiers(text)]
    reasons = [
        *(sentence for text in gathered.reports for sentence in extract.reported(text)),
        *(sentence for text in gathered.messages for sentence in extract.findings(text)),
    ]
    counted = [clause for text in gathered.messages for clause in numbers(text)]
    failing = [steps_of(command_core(one.target)) for one in gathered.failures if not one.repaired]
    return SessionFacts(
        said=[text for text in said if not any(text in refusal for refusal in refused)],
        refused=list(refused),
        more=[text for text in dict.fromkeys(more) if not any(text in one for one in demanded)],
        failures=[*_pasted(prompts), *_distinct(gathered.failures)],
        commands=[
            command for command in commands_of(gathered.ran) if not _is_part(command, failing)
        ],
        ids=extract.without_longer(list(dict.fromkeys(ids)))[-_IDS:],
        choices=gathered.choices,
        plan=gathered.plan,
        plan_file=gathered.plan_file,
        reasons=list(dict.fromkeys(reasons)),
        numbers=list(dict.fromkeys(counted))[-_NUMBERS:],
        read=list(read),
        tests=gathered.tests,
        edited=gathered.edited,
    )


def with_transcript(
    facts: SessionFacts,
    event: CompactGathered,
    files: Sequence[str] = (),
    newest: Sequence[str] = (),
) -> SessionFacts:
    """Add the facts that a hook found in the transcript.

    A refused call that took place after all is left out: its command ran, or its file changed.

    newest: prompts that follow those of the event.
    """
    said = _placed(facts.said, event.said, newest)

    def took_place(call: RefusedCall) -> bool:
        return call.target in files or command_core(call.target) in facts.commands

    errors = {failure.error for failure in facts.failures}
    pasted = [Failure(error=line) for line in event.errors if line not in errors]
    return replace(
        facts,
        calls=[
            call
            for call in _merged(facts.calls, [*map(refused_call, event.calls)])
            if not took_place(call)
        ],
        failures=[*pasted, *facts.failures],
        # A sentence that is cut in a prompt's event may be whole in the transcript.
        said=[text for text in said if not any(text in one and text != one for one in said)],
        refused=_merged(facts.refused, event.refused),
        ids=extract.without_longer(_merged(facts.ids, event.ids))[-_IDS:],
        reasons=_merged(facts.reasons, event.reasons),
        numbers=_merged(facts.numbers, event.numbers)[-_NUMBERS:],
    )


def with_earlier(facts: SessionFacts, earlier: SessionFacts) -> SessionFacts:
    """Add what only an earlier compaction read in the transcript, and its summary left out."""
    return replace(
        facts,
        refused=_merged(earlier.refused, facts.refused)[-_EARLIER:],
        calls=_merged(earlier.calls, facts.calls)[-_EARLIER:],
    )


def _is_part(command: str, failing: Sequence[frozenset[str]]) -> bool:
    """Return whether a command is a part of a failed one, or has all its steps."""
    steps = steps_of(command)
    return any(failed <= steps or failed >= steps for failed in failing)


def _merged(older: list[Any], newer: list[Any]) -> list[Any]:
    return [*(item for item in older if item not in newer), *newer]


def _placed(said: list[str], others: list[str], newest: Sequence[str]) -> list[str]:
    """Return sentences and the others that are not among them, each before the one it precedes.

    All lists are oldest first; the newest prompts follow all of `others`.
    """
    found = list(said)
    prompts = [" ".join(prompt.split()) for prompt in newest]
    is_new = [any(text.rstrip("…") in prompt for prompt in prompts) for text in found]
    at = is_new.index(True) if True in is_new else len(found)
    for text in reversed(others):
        if text in found:
            at = found.index(text)
        else:
            found.insert(at, text)
    return found


def commands_of(ran: Sequence[str]) -> list[str]:
    """Return the essential part of each command that does more than read, oldest first.

    Of commands that differ only in digits, such as the steps of a loop, the newest is returned. The
    journal's own commands are left out, because the recovery has what they recorded.
    """
    found: dict[bytes, str] = {}
    for typed in ran:
        core = command_core(typed)
        # The core of `python3 - <<EOF` says nothing.
        says_little = len(core) < 6 or core.endswith(_NO_WORK) or "…" in core[:100]
        if not (says_little or only_reads(core) or core.startswith("journal ")):
            shape = without_digits(core)
            found.pop(shape, None)
            found[shape] = core
    return list(found.values())


def _distinct(failures: Sequence[Failure]) -> list[Failure]:
    """Return the failures that have an error; of those with the same cause, the last.

    Failed commands have the same cause if one of their most relevant lines is equal except for
    digits, such as times, counts and line numbers. Calls of the journal are left out, and those
    without news.
    """
    found: list[Failure] = []
    seen: set[tuple[str, bytes]] = set()
    for failure in reversed(failures):
        if failure.error and not failure.target.startswith("journal ") and not _is_empty(failure):
            lines = error_lines(failure.error, 2) if failure.tool == "Bash" else []
            causes = [line for line in lines if len(line) > _CAUSE]
            call = "" if causes else failure.target
            keys = {(call, without_digits(line)) for line in causes or _key_lines(failure)}
            if seen.isdisjoint(keys):
                found.append(failure)
            seen |= keys
    return found[::-1]


def _pasted(prompts: Sequence[str]) -> list[Failure]:
    """Return the most informative line of each log that the user pasted, the newest last."""
    found = [line for prompt in prompts for line in errors_in(prompt)]
    return [Failure(error=line) for line in found[-_PASTED:]]


def _is_empty(failure: Failure) -> bool:
    """Return whether a failure is no news.

    A command that only reads failed without a message, as `grep` does without a match, the shell
    could not change the directory and ran nothing, or the file was edited or read after all.
    """
    if failure.repaired and failure.tool in OF_FILES:
        return True
    if failure.tool == "Bash" and _NO_DIRECTORY.fullmatch(failure.error.strip()):
        return True
    silent = failure.error.strip().startswith("Exit code ") and "\n" not in failure.error.strip()
    core = command_core(failure.target)
    return silent and (only_reads(core) or core.startswith("git config "))


def _key_lines(failure: Failure) -> list[str]:
    """Return the two most informative lines of an error."""
    return error_lines(failure.error, 2) or [failure.error]


def facts_without(
    summary: str, known: KnownFacts, facts: SessionFacts, request: str
) -> tuple[KnownFacts | None, SessionFacts, bool]:
    """Return the facts that a summary left out, and whether it has the last request.

    Args:
        summary: its text.
        known: decisions, open items and paths.
        facts: all other facts.
        request: the last one; its beginning and its end are compared.

    Returns:
        What the summary left out of `known` (None if nothing) and of the facts, and whether it has
        the request.

    """
    text = Presence(summary)
    lost = text.left_out_of(known)
    has_request = text.has_text(request[:160]) and text.has_text(request[-80:])
    return lost if lost != KnownFacts() else None, _left_out(facts, text), has_request


def _left_out(facts: SessionFacts, summary: Presence) -> SessionFacts:
    """Return the facts that a summary left out."""

    def is_mentioned(failure: Failure) -> bool:
        has_error = all(summary.has_words(line, 0.6) for line in _key_lines(failure))
        return has_error and (not failure.repaired or any(map(summary.has_token, failure.files)))

    def has_choice(choice: UserChoice) -> bool:
        # Without options the answer may be "yes" or "2", which says nothing by itself.
        is_clear = bool(choice.options) or summary.has_words(choice.question)
        return is_clear and summary.has_words(choice.answer)

    return replace(
        facts,
        said=summary.without(facts.said),
        refused=summary.without(facts.refused),
        more=summary.without(facts.more),
        calls=[call for call in facts.calls if not summary.has_command(call.target)],
        failures=[failure for failure in facts.failures if not is_mentioned(failure)],
        commands=[command for command in facts.commands if not summary.has_command(command)],
        ids=[name for name in facts.ids if not summary.has_token(name)],
        choices=[choice for choice in facts.choices if not has_choice(choice)],
        plan=_left_out_of_plan(facts, summary),
        reasons=summary.without(facts.reasons, 0.6),
        numbers=[
            clause for clause in facts.numbers if not all(map(summary.has_token, figures(clause)))
        ],
        read=summary.without_paths(facts.read),
        gone=summary.without_paths(facts.gone),
    )


def _left_out_of_plan(facts: SessionFacts, summary: Presence) -> ApprovedPlan | None:
    """Return a plan with the steps that a summary left out, None if it left out nothing.

    The steps of a plan in a file count as mentioned with its title.
    """
    plan = facts.plan
    if plan is None:
        return None
    missing = [] if facts.plan_file else summary.without(plan.steps)
    has_title = summary.has_words(plan.title)
    return None if has_title and not missing else ApprovedPlan(plan.title, missing)
