"""The compactions of a session. All reports and commands count these.

`compact.started` begins a compaction. The first of its two proofs, `session.started` with source
"compact" and `compact.finished`, shows that it happened. A proof without a beginning belongs to a
compaction whose PreCompact hook did not run. A compaction in a transcript is finished, because
Claude Code writes it only then. Invariant: a compaction counts once, whichever of its events arrive
and in whatever order.
"""

from msgspec import Struct
from msgspec.structs import replace

from journal.clock import elapsed_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.compact import CompactFinished, CompactStarted
    from journal.events.session import SessionStarted

_SAME = 120_000  # milliseconds between the times that hooks and a transcript give a compaction


class Warned(Struct, frozen=True, omit_defaults=True):
    """The first pressure warning before a compaction.

    prompts: number of prompts in the session up to the warning.
    """

    seq: int = 0
    at: str = ""
    level: str = ""
    tokens: int = 0
    prompts: int = 0


class Compaction(Struct, frozen=True, omit_defaults=True):
    """One compaction.

    seq, at: of its first event. done_seq: of its first proof, 0 while there is none. tokens:
    context tokens before it, None if unknown. point: the compaction threshold by formula, 0 if
    unknown; both are from its first event or the last reading. after: context tokens after it.
    size: characters of its summary. summary_seq: event with the summary. restarted, summed: which
    proofs exist. warned: the first warning before it. turns: prompts between that warning and the
    compaction. idle: whether the session waited for a prompt; then Claude Code compacts long before
    the threshold, to spare its prompt cache.
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
    idle: bool = False

    @property
    def done(self) -> bool:
        """Return whether a proof exists."""
        return bool(self.done_seq)

    @property
    def shows_threshold(self) -> bool:
        """Return whether it happened at the compaction threshold, which it so shows."""
        measured = bool(self.point and self.tokens)
        return self.done and self.trigger == "auto" and measured and not self.idle


class PriorState(Struct, frozen=True):
    """A session right before a compaction: last reading, number of prompts, first warning.

    idle: whether it waits for a prompt.
    """

    tokens: int | None = None
    point: int = 0
    prompts: int = 0
    warned: Warned | None = None
    idle: bool = False


def is_another(last: object, proof: str) -> bool:
    """Return whether a proof ("restarted" or "summed") belongs to a later compaction than `last`.

    Each compaction has at most one proof of a kind.
    """
    return last is None or bool(getattr(last, proof))


def is_same(hook: Compaction, transcript: Compaction) -> bool:
    """Return whether a hook's and a transcript's record are one compaction, by their times."""
    return _apart(hook, transcript) <= _SAME


def same_pairs(
    hooks: "Sequence[Compaction]", transcripts: "Sequence[Compaction]"
) -> dict[int, int]:
    """Return which records are one compaction: index in `transcripts` → index in `hooks`.

    The nearest records are paired first, because compactions may be close together. Unfinished
    ones are not paired: transcripts have none.
    """
    near = sorted(
        (_apart(hook, other), at, index)
        for at, other in enumerate(transcripts)
        for index, hook in enumerate(hooks)
        if hook.done and other.done and is_same(hook, other)
    )
    found: dict[int, int] = {}
    for _, at, index in near:
        if at not in found and index not in found.values():
            found[at] = index
    return found


def _apart(one: Compaction, other: Compaction) -> int:
    """Return the milliseconds between two compactions."""
    return max(elapsed_ms(one.at, other.at), elapsed_ms(other.at, one.at))


def attempted(
    found: "Sequence[Compaction]", event: "CompactStarted", prior: PriorState
) -> list[Compaction]:
    """Add the compaction that an event begins."""
    tokens = event.tokens if event.tokens is not None else prior.tokens
    made = _begun(event.seq, event.ts, event.trigger, prior)
    made = replace(
        made,
        done_seq=event.seq if event.imported or event.via else 0,
        tokens=tokens,
        point=event.point or prior.point,
        unpromoted=event.unpromoted,
    )
    compactions = [*found, made]
    if event.via:  # appended late
        compactions.sort(key=lambda item: item.at)
    return compactions


def restarted(
    found: "Sequence[Compaction]", event: "SessionStarted", prior: PriorState
) -> list[Compaction]:
    """Add the proof that the session started again after a compaction."""
    made, rest = _proved(found, event, prior, "restarted")
    return [*rest, replace(made, after=event.context_tokens or made.after)]


def finished(
    found: "Sequence[Compaction]", event: "CompactFinished", prior: PriorState
) -> list[Compaction]:
    """Add the proof of a PostCompact hook or of a summary in a transcript.

    A reconciled event comes late: it proves the last compaction that began before its time.
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


def _begun(seq: int, ts: str, trigger: str, prior: PriorState) -> Compaction:
    warned = prior.warned
    turns = prior.prompts - warned.prompts if warned else 0
    return Compaction(
        seq,
        ts,
        trigger,
        tokens=prior.tokens,
        point=prior.point,
        warned=warned,
        turns=turns,
        idle=prior.idle,
    )


def _proved(
    found: "Sequence[Compaction]",
    event: "SessionStarted | CompactFinished",
    prior: PriorState,
    proof: str,
) -> tuple[Compaction, list[Compaction]]:
    """Return the compaction that an event proves, with the proof added, and those before it."""
    last = found[-1] if found else None
    if last is None or is_another(last, proof):
        trigger = getattr(event, "trigger", "")
        made, rest = _begun(event.seq, event.ts, trigger, prior), list(found)
    else:
        made, rest = last, list(found[:-1])
    return replace(made, done_seq=made.done_seq or event.seq, **{proof: True}), rest
