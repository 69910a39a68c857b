"""A session's compactions, one record each: the one place where they are counted.

Invariant: a compaction counts once, whichever of its events come and in whatever order. It is
attempted by `compact.started` and done by the first of its proofs, `session.started(compact)` and
`compact.finished`; a proof without an attempt is a compaction whose PreCompact no hook saw. What a
transcript has of a compaction is done at once: Claude Code writes it only then.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.times import elapsed_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.compact import CompactFinished, CompactStarted, CompactSummarized
    from journal.events.pressure import AdviceGiven
    from journal.events.session import SessionStarted

__all__ = [
    "Compaction",
    "PriorState",
    "Warned",
    "attempted",
    "finished",
    "is_another",
    "is_same",
    "restarted",
    "summarized",
    "warned_by",
    "with_reading",
]

_SAME = 120_000  # milliseconds between a compaction and what a transcript reports of it


class Warned(Struct, frozen=True, omit_defaults=True):
    """The first pressure warning before a compaction.

    prompts: how many the session had had by then.
    """

    seq: int = 0
    at: str = ""
    level: str = ""
    tokens: int = 0
    prompts: int = 0


class Compaction(Struct, frozen=True, omit_defaults=True):
    """One compaction.

    seq, at: of its first event; done_seq: of the event that proved it, 0 for an attempt that came
    to nothing so far. tokens, point: what the context held and where auto-compact fires by the
    formula, as its start says or the last reading before it (None and 0 unknown). after: tokens
    right after it. size: of its summary, in characters; summary_seq: the event that carries it.
    restarted, summed: which of the two proofs came. warned: None where no warning came before.
    turns: prompts between that warning and the compaction.
    """

    seq: int = 0
    at: str = ""
    trigger: str = ""
    done_seq: int = 0
    tokens: int | None = None
    point: int = 0
    after: int | None = None
    unpromoted: int | None = None
    size: int | None = None
    summary_seq: int = 0
    restarted: bool = False
    summed: bool = False
    warned: Warned | None = None
    turns: int = 0

    @property
    def done(self) -> bool:
        """Return whether it happened."""
        return bool(self.done_seq)


class PriorState(Struct, frozen=True):
    """What a session knows right before a compaction: its last reading, prompts, first warning."""

    tokens: int | None = None
    point: int = 0
    prompts: int = 0
    warned: Warned | None = None


def is_another(last: object, proof: str) -> bool:
    """Return whether a proof ("restarted" or "summed") belongs to another compaction.

    Each proof comes once: the second of a kind is of a compaction that no hook saw begin.
    """
    return last is None or bool(getattr(last, proof))


def is_same(one: Compaction, other: Compaction) -> bool:
    """Return whether a hook and a transcript report the same compaction: their times are close."""
    return max(elapsed_ms(one.at, other.at), elapsed_ms(other.at, one.at)) <= _SAME


def attempted(
    found: "Sequence[Compaction]", event: "CompactStarted", prior: PriorState
) -> list[Compaction]:
    """Add the compaction that a PreCompact, or the boundary in a transcript, begins."""
    tokens = event.tokens if event.tokens is not None else prior.tokens
    made = _begun(event.seq, event.ts, event.trigger, prior)
    made = replace(
        made,
        done_seq=event.seq if event.imported or event.via else 0,
        tokens=tokens,
        point=event.point or prior.point,
        unpromoted=event.unpromoted,
    )
    made_list = [*found, made]
    return sorted(made_list, key=lambda item: item.at) if event.via else made_list


def restarted(
    found: "Sequence[Compaction]", event: "SessionStarted", prior: PriorState
) -> list[Compaction]:
    """Take the session's start after a compaction as its proof."""
    made, rest = _proved(found, event, prior, "restarted")
    return [*rest, replace(made, after=event.context_tokens or made.after)]


def finished(
    found: "Sequence[Compaction]", event: "CompactFinished", prior: PriorState
) -> list[Compaction]:
    """Take PostCompact, or the summary in a transcript, as the proof of a compaction.

    What was reconciled comes late: it proves the last compaction that began by its own time.
    """
    later = [item for item in found if event.via and item.at > event.ts]
    made, rest = _proved(found[: len(found) - len(later)], event, prior, "summed")
    made = replace(
        made,
        trigger=made.trigger or event.trigger,
        size=event.size or made.size,
        summary_seq=event.seq if event.summary else made.summary_seq,
        after=event.tokens if event.tokens is not None else made.after,
    )
    return [*rest, made, *later]


def summarized(found: "Sequence[Compaction]", event: "CompactSummarized") -> list[Compaction]:
    """Note the fork's own summary; it proves nothing: a compaction may still fail after it."""
    *rest, last = found
    return [*rest, replace(last, size=event.size, summary_seq=event.seq)]


def with_reading(found: "Sequence[Compaction]", tokens: int) -> list[Compaction]:
    """Note the first reading after the last compaction."""
    *rest, last = found
    return [*rest, replace(last, after=tokens)]


def warned_by(event: "AdviceGiven", prompts: int) -> Warned:
    """Build the warning that an event records."""
    return Warned(event.seq, event.ts, event.level, event.tokens, prompts)


def _begun(seq: int, ts: str, trigger: str, prior: PriorState) -> Compaction:
    warned = prior.warned
    turns = prior.prompts - warned.prompts if warned else 0
    return Compaction(
        seq, ts, trigger, tokens=prior.tokens, point=prior.point, warned=warned, turns=turns
    )


def _proved(
    found: "Sequence[Compaction]",
    event: "SessionStarted | CompactFinished",
    prior: PriorState,
    proof: str,
) -> tuple[Compaction, list[Compaction]]:
    """Return the compaction that an event proves, with the proof, and those before it."""
    last = found[-1] if found else None
    if last is None or is_another(last, proof):
        trigger = getattr(event, "trigger", "")
        made, rest = _begun(event.seq, event.ts, trigger, prior), list(found)
    else:
        made, rest = last, list(found[:-1])
    return replace(made, done_seq=made.done_seq or event.seq, **{proof: True}), rest
