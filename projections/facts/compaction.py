"""The facts of a session at a compaction, and those that its summary leaves out.

Imported only at a compaction. Invariant: pure; the texts are parsed once per compaction.
"""

from __future__ import annotations

from msgspec.structs import replace

from journal.error_lines import error_lines
from projections.facts import text as of
from projections.facts.presence import Presence
from projections.facts.session import LOOKING, Facts
from projections.prose import is_telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.compact import CompactGathered
    from projections.facts.session import Failure, Gathered

__all__ = ["commands_of", "compared", "joined", "known"]

_IDS, _NUMBERS = 40, 16
_LOOKING = (*LOOKING, "journal ")


def known(gathered: Gathered, prompts: Sequence[str], read: Sequence[str] = ()) -> Facts:
    """Return the facts of a session, from its texts and the cores of its commands.

    prompts: oldest first; read: files only read, newest first.
    """
    prompts = list(dict.fromkeys(prompts))
    said: dict[str, None] = {}
    refused: dict[str, None] = {}
    for prompt in prompts:
        if of.is_refusal(prompt):
            refused[of.refusal(prompt)] = None
        elif is_telling(prompt):
            said[of.first_sentence(prompt)] = None
        said.update(dict.fromkeys(of.instructions(prompt)))
    texts = [*gathered.ran, *prompts, *gathered.messages]
    ids = [one for text in texts for one in of.identifiers(text)]
    reasons = [one for text in gathered.messages for one in of.reasons(text)]
    numbers = [one for text in gathered.messages for one in of.numbers(text)]
    return Facts(
        said=[one for one in said if not any(one in words for words in refused)],
        refused=list(refused),
        failures=_worth_telling(gathered.failures),
        commands=commands_of(gathered.ran),
        ids=list(dict.fromkeys(ids))[-_IDS:],
        choices=gathered.choices,
        plan=gathered.plan,
        reasons=list(dict.fromkeys(reasons)),
        numbers=list(dict.fromkeys(numbers))[-_NUMBERS:],
        read=list(read),
        tests=gathered.tests,
    )


def joined(facts: Facts, event: CompactGathered) -> Facts:
    """Add the facts that the transcript had."""

    def both(one: list[str], two: list[str]) -> list[str]:
        return list(dict.fromkeys([*one, *two]))

    return replace(
        facts,
        said=both(facts.said, event.said),
        refused=both(facts.refused, event.refused),
        ids=both([one for one in facts.ids if one not in event.ids], event.ids)[-_IDS:],
        reasons=both(facts.reasons, event.reasons),
        numbers=both(facts.numbers, event.numbers)[-_NUMBERS:],
    )


def commands_of(ran: dict[str, int]) -> list[str]:
    """Return the cores of the commands, oldest first, without those that only read.

    The journal's own commands are left out too: the recovery has what they recorded.
    """
    found: dict[str, None] = {}
    for typed in ran:
        core = of.command_core(typed)
        telling = len(core) >= 6 and not core.startswith(_LOOKING)
        if telling and "…" not in core[:100]:
            found.pop(core, None)
            found[core] = None
    return list(found)


def _worth_telling(failures: Sequence[Failure]) -> list[Failure]:
    """Return failures with an error, of equal call and error only the last."""
    found: dict[tuple[str, str], Failure] = {}
    for one in failures:
        if one.error:
            found.pop((one.target, one.error), None)
            found[one.target, one.error] = one
    return list(found.values())


def compared(
    summary: str, lists: Sequence[list[str]], facts: Facts, request: str
) -> tuple[list[list[str]], Facts, bool]:
    """Return the facts that a summary leaves out, and whether it has the last request.

    Args:
        summary: its text.
        lists: decisions, open items and paths.
        facts: all other facts.
        request: the last one; its beginning and its end are compared.

    Returns:
        the lists and the facts without what the summary has ([] if it has all of the lists), and
        whether it has the request.

    """
    said = Presence(summary)
    decisions, items, paths = lists
    lost = [said.without(decisions), said.without(items), said.without_paths(paths)]
    has_request = said.has_text(request[:160]) and said.has_text(request[-80:])
    return lost if any(lost) else [], _left_out(facts, said), has_request


def _left_out(facts: Facts, summary: Presence) -> Facts:
    """Return the facts that a summary leaves out."""

    def is_said(one: Failure) -> bool:
        lines = error_lines(one.error, 2) or [one.error]
        error = all(summary.has_words(line, 0.6) for line in lines)
        return error and (not one.repaired or any(map(summary.has_token, one.files)))

    return replace(
        facts,
        said=summary.without(facts.said),
        refused=summary.without(facts.refused),
        failures=[one for one in facts.failures if not is_said(one)],
        commands=[one for one in facts.commands if not summary.has_command(one)],
        ids=[one for one in facts.ids if not summary.has_token(one)],
        choices=[one for one in facts.choices if not summary.has_words(one[1])],
        plan=[] if facts.plan and summary.has_words(facts.plan[0]) else facts.plan,
        reasons=summary.without(facts.reasons, 0.6),
        numbers=[one for one in facts.numbers if not summary.has_token(one)],
        read=summary.without_paths(facts.read),
    )
