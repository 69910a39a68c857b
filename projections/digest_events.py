"""The fields of a digest that each type of event changes.

A handler is a pure function (digest, event) → changed fields. Invariant: each field stays within
its bound.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from journal.clock import elapsed_ms
from journal.events.base import Event
from journal.events.compact import CompactFinished, CompactGathered, CompactSummarized
from journal.events.session import SessionStarted
from journal.events.stock import DecisionRecorded, FlowNoted
from journal.events.tool import ToolFinished
from journal.events.turn import CommandExpanded, PromptSubmitted, TurnEnded
from journal.events.usage import PromptsWithdrawn
from journal.events.work import UnitStarted
from journal.text import excerpt
from projections import unit
from projections.digest import Digest
from projections.facts.gathering import with_answer, with_calls, with_failure
from projections.finding import best_findings, findings_in, least_beside
from projections.projection import command_text
from projections.prose import (
    is_command,
    is_own,
    is_request,
    is_substantial,
    line,
    without_withdrawn,
)
from projections.titles import phase_name, stage_name, unit_name

Changes = dict[str, Any]

_PROMPTS, _PROMPT = 20, 500
_DECISIONS, _DECISION = 50, 300
_COMPACTS, _COMPACT = 5, 4000
_UNITS, _UNIT = 50, 120
_MESSAGE = 400  # characters of an answer


def _started(digest: Digest, event: SessionStarted) -> Changes:
    if not digest.session.ended:
        return {}
    # An inferred end has no time of its own; the last activity stands for it.
    left = digest.session.last if digest.session.inferred else digest.session.ended
    return {"away": digest.away + elapsed_ms(left, event.ts)}


def _prompted(digest: Digest, event: PromptSubmitted) -> Changes:
    if event.origin == "task-notification" or not is_request(event.text):
        return {}
    return _asked(digest.prompts, event.text)


def _withdrawn(digest: Digest, event: CompactGathered | PromptsWithdrawn) -> Changes:
    """Leave out the prompts and answers that are not in the conversation, and what they found."""
    gone = event.withdrawn
    if not gone:
        return {}
    messages = without_withdrawn(digest.gathered.messages, gone)
    return {
        "prompts": without_withdrawn(digest.prompts, gone),
        "gathered": replace(digest.gathered, messages=messages),
        "findings": [
            found for found in digest.findings if not any(found.text in text for text in gone)
        ],
    }


def _expanded(digest: Digest, event: CommandExpanded) -> Changes:
    """Replace the prompt that Claude Code reports just before."""
    text = command_text(event)
    prompts = list(digest.prompts)
    if prompts and is_command(prompts[-1], event.name):
        prompts.pop()
    if is_own(text) and is_substantial(event.args):
        return _asked(prompts, event.args)  # what it is to work on
    return _asked(prompts, text) if is_request(text) else {"prompts": prompts}


def _asked(prompts: list[str], text: str) -> Changes:
    prompts = [*prompts, excerpt(text.strip(), _PROMPT)]
    if len(prompts) > _PROMPTS:
        del prompts[1]
    return {"prompts": prompts}


def _with_text(name: str) -> Callable[[Digest, DecisionRecorded | FlowNoted], Changes]:
    """Build a handler that adds the event's text to the list of this name."""

    def added(digest: Digest, event: DecisionRecorded | FlowNoted) -> Changes:
        texts, text = getattr(digest, name), excerpt(event.text.strip(), _DECISION)
        return {name: [*texts, text][-_DECISIONS:]} if text and text not in texts else {}

    return added


def tools_finished(digest: Digest, events: Sequence[ToolFinished]) -> Changes:
    """Return the fields that successive tool calls change."""
    work = unit.with_tools(digest.work, events)
    changes: Changes = {} if work is digest.work else {"work": work}
    gathered = with_calls(digest.gathered, events)
    if gathered is not digest.gathered:
        changes["gathered"] = gathered
    return changes


def _turn_ended(digest: Digest, event: TurnEnded) -> Changes:
    changes: Changes = {"error": ""} if digest.error else {}
    gathered = with_answer(digest.gathered, excerpt(event.message, _MESSAGE))
    if gathered is not digest.gathered:
        changes["gathered"] = gathered
        asked = digest.prompts[-1] if digest.prompts else ""
        least = least_beside(digest.findings)
        if found := findings_in(gathered.messages[-1], asked, least):
            changes["findings"] = best_findings([*digest.findings, *found])
    return changes


def _compaction_summarized(digest: Digest, event: CompactSummarized | CompactFinished) -> Changes:
    """Store a compaction's summary; the final one replaces that of the summarizing fork."""
    if not event.summary.strip():
        return {}
    if event.part > 1:
        if not digest.compacts or len(digest.compacts[-1]) >= _COMPACT:
            return {}
        *rest, last = digest.compacts
        return {"compacts": [*rest, excerpt(last + event.summary, _COMPACT)]}
    forked = isinstance(event, CompactSummarized)
    before = digest.compacts[:-1] if digest.forked and not forked else digest.compacts
    compacts = [*before, excerpt(event.summary.strip(), _COMPACT)][-_COMPACTS:]
    return {"compacts": compacts, "forked": forked}


def _with_unit(digest: Digest, name: str) -> Changes:
    name = line(name, _UNIT)
    if not name or name in digest.units:
        return {}
    return {"units": [*digest.units, name][-_UNITS:]}


def _unit_changes(kind: str) -> Callable[[Digest, Event], Changes]:
    """Build a handler that applies an event to the session's units, as the unit view does."""
    return lambda digest, event: {"work": unit.HANDLERS[kind](digest.work, event)}


def _unit_started(digest: Digest, event: UnitStarted) -> Changes:
    return {**_unit_changes("unit.started")(digest, event), **_with_unit(digest, unit_name(event))}


_OF_MAIN: dict[str, Callable[..., Changes]] = {
    "session.started": _started,
    "prompt.submitted": _prompted,
    "command.expanded": _expanded,
    "compact.gathered": _withdrawn,
    "prompts.withdrawn": _withdrawn,
    "turn.ended": _turn_ended,
    "turn.failed": lambda _digest, event: {"error": excerpt(event.error or "unknown", 80)},
    "compact.summarized": _compaction_summarized,
    "compact.finished": _compaction_summarized,
    "unit.started": _unit_started,
    "unit.item.checked": _unit_changes("unit.item.checked"),
    "unit.finished": _unit_changes("unit.finished"),
}
_OF_ANY: dict[str, Callable[..., Changes]] = {
    "decision.recorded": _with_text("decisions"),
    "flow.noted": _with_text("notes"),
    "tool.finished": lambda digest, event: tools_finished(digest, (event,)),
    "tool.failed": lambda digest, event: {"gathered": with_failure(digest.gathered, event)},
    "progress.saved": lambda digest, event: _with_unit(digest, phase_name(event)),
    "stage.started": lambda digest, event: _with_unit(digest, stage_name(event)),
}

KINDS = frozenset((*_OF_MAIN, *_OF_ANY))
"""Types of the events that change a digest."""


def changes_by(digest: Digest, kind: str, event: Any) -> Changes:
    """Return the fields of a digest that an event changes; few types count for subagents."""
    handler = _OF_ANY.get(kind) or (None if event.agent else _OF_MAIN.get(kind))
    return handler(digest, event) if handler else {}
