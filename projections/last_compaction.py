"""Apply the events of a compaction to a session's trail.

Hooks import this only when they fold such an event. Invariant: a compaction counts once, whichever
of its events arrive. `compact.started` begins it; the first of its two proofs, `session.started`
with source "compact" and `compact.finished`, shows that it happened.
"""

from __future__ import annotations

from msgspec.structs import replace

from projections.compactions import is_another
from projections.facts.compaction import facts_of, facts_without, with_earlier, with_transcript
from projections.facts.gathering import WHOLE, last_request, with_choices
from projections.facts.session import KnownFacts, LastCompaction, SessionFacts, Trail
from projections.prose import without_withdrawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from journal.events.compact import (
        CompactFinished,
        CompactGathered,
        CompactStarted,
        CompactSummarized,
    )
    from journal.events.pressure import CheckpointSaved
    from journal.events.session import SessionStarted
    from journal.events.usage import PromptsWithdrawn

_BEGINNING = 600  # characters of a summary
_INSTRUCTIONS = 300  # characters


def _started(trail: Trail, event: CompactStarted) -> Trail:
    if event.via:  # appended late: nothing has to be brought back for it
        return replace(trail, attempts=trail.attempts + 1)
    if trail.compaction is not None and trail.compaction.done:
        last, found = trail.compaction.seq, trail.gathered.failures
        # Without those that were over before the last compaction.
        failures = [one for one in found if one.seq > last or not 0 < one.repaired < last]
        trail = replace(trail, gathered=replace(trail.gathered, failures=failures))
    compaction = LastCompaction(
        seq=event.seq,
        at=event.ts,
        trigger=event.trigger,
        tokens=event.tokens,
        unpromoted=event.unpromoted,
        promoted=event.promoted,
        headings=event.headings,
        instructions=event.instructions[:_INSTRUCTIONS],
        files=trail.files,
        decisions=[decision.text for decision in trail.decisions],
        items=event.items,
        facts=_facts(trail),
    )
    return replace(trail, compaction=compaction, attempts=trail.attempts + 1)


def _gathered(trail: Trail, event: CompactGathered) -> Trail:
    if trail.compaction is None or trail.compaction.done:
        return trail
    last = trail.compaction
    if event.choices:
        choices = with_choices(trail.gathered.choices, event.choices)
        trail = replace(trail, gathered=replace(trail.gathered, choices=choices))
        last = replace(last, facts=replace(last.facts, choices=choices))
    if event.withdrawn:
        trail = _without(trail, event.withdrawn)
        last = replace(last, facts=_facts(trail))
    newest = [prompt.text for prompt in trail.prompts[:WHOLE]]
    facts = with_transcript(last.facts, event, [*last.files, *last.facts.gone], newest)
    return replace(trail, compaction=replace(last, facts=facts))


def _without(trail: Trail, withdrawn: Sequence[str]) -> Trail:
    """Remove prompts and answers that a rewind took out of the conversation."""
    prompts = [one for one in trail.prompts if without_withdrawn([one.text], withdrawn)]
    messages = without_withdrawn(trail.gathered.messages, withdrawn)
    return replace(trail, prompts=prompts, gathered=replace(trail.gathered, messages=messages))


def withdrawn(trail: Trail, event: PromptsWithdrawn) -> Trail:
    """Remove what a rewind took out, and a prompt that was stopped before Claude answered it."""
    return _without(trail, event.withdrawn)


def _facts(trail: Trail) -> SessionFacts:
    prompts = [prompt.text for prompt in reversed(trail.prompts)]
    facts = facts_of(trail.gathered, prompts, trail.read)
    last = trail.compaction
    return with_earlier(facts, last.facts) if last and last.done else facts


def _summarized(trail: Trail, event: CompactSummarized) -> Trail:
    """Store a summary that proves nothing yet: the compaction may still fail."""
    if trail.compaction is None:
        return trail
    if event.part == 1 and trail.compaction.summary:
        return trail
    return _with_summary(trail, trail.compaction, event)


def _finished(trail: Trail, event: CompactFinished) -> Trail:
    if event.via:
        return _finished_late(trail, event)
    if event.part == 1:
        trail = proved(trail, "summed", event)
    return _with_summary(trail, trail.compaction or LastCompaction(), event)


def _finished_late(trail: Trail, event: CompactFinished) -> Trail:
    """Count the compaction of a reconciled summary, which may prove the last one."""
    if event.part > 1:
        return trail
    trail = replace(trail, compactions=trail.compactions + 1)
    last = trail.compaction
    if last is None or last.done or last.at > event.ts:
        return trail
    done = replace(last, done=True, summed=True, told=True, checked=True)
    return replace(trail, compaction=done)


def proved(trail: Trail, proof: str, event: SessionStarted | CompactFinished) -> Trail:
    """Add a proof of the last compaction ("restarted" or "summed"); the first one counts it.

    If the last compaction has that proof already, the event belongs to another one, whose
    `compact.started` is missing.
    """
    compaction = trail.compaction
    if compaction is None or is_another(compaction, proof):
        compaction = LastCompaction(seq=event.seq, at=event.ts)
        trail = replace(trail, attempts=trail.attempts + 1)
    count = trail.compactions + (not compaction.done)
    compaction = replace(compaction, done=True, **{proof: True})
    return replace(trail, compaction=compaction, compactions=count)


def _with_summary(
    trail: Trail, compaction: LastCompaction, event: CompactSummarized | CompactFinished
) -> Trail:
    """Store the beginning of a summary, and reduce the facts to those that it left out.

    A further part of a summary reduces them again.
    """
    if event.part > 1:
        known = compaction.lost or KnownFacts()
    else:
        known = KnownFacts(compaction.files, compaction.decisions, compaction.items)
        summary = event.summary[:_BEGINNING]
        compaction = replace(compaction, summary=summary, summary_size=event.size)
        trail = replace(trail, summary_seq=event.seq)
    if not compaction.checked and event.summary.strip():
        request = last_request(trail.prompts).text if trail.prompts else ""
        lost, facts, has_request = facts_without(event.summary, known, compaction.facts, request)
        has_request = compaction.request or has_request
        compaction = replace(compaction, lost=lost, facts=facts, request=has_request)
    return replace(trail, compaction=compaction)


def with_checkpoint(compaction: LastCompaction, event: CheckpointSaved) -> LastCompaction:
    """Add what the save point at its start recorded: entries, headings and open items."""
    if compaction.done or event.unpromoted is None:  # version 0.1.0 has it in `compact.started`
        return compaction
    return replace(
        compaction,
        unpromoted=event.unpromoted,
        promoted=event.promoted,
        headings=event.headings or compaction.headings,
        items=event.items,
        files=[path for path in compaction.files if path not in event.gone],
        facts=replace(compaction.facts, gone=event.gone),
    )


HANDLERS: dict[str, Callable[..., Trail]] = {
    "compact.started": _started,
    "compact.gathered": _gathered,
    "compact.summarized": _summarized,
    "compact.finished": _finished,
}
"""Event type → function (trail, event) → new trail."""
