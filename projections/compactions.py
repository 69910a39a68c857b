"""The compactions of a session. All reports and commands count these.

`compact.started` begins a compaction. The first of its two proofs, `session.started` with source
"compact" and `compact.finished`, shows that it happened. A proof without a beginning belongs to a
compaction whose PreCompact hook did not run. A compaction in a transcript is finished, because
Claude Code writes it only then. Invariant: a compaction counts once, whichever of its events arrive
and in whatever order. `session` is the one that compacts, as it was right before the event.
"""

from msgspec.structs import replace

from journal.clock import elapsed_ms
from projections.session import Compaction, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.compact import CompactFinished, CompactStarted
    from journal.events.session import SessionStarted

_SAME = 120_000  # milliseconds between the times that hooks and a transcript give a compaction


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
    found: "Sequence[Compaction]", event: "CompactStarted", session: Session
) -> list[Compaction]:
    """Add the compaction that an event begins."""
    made = _begun(event, event.trigger, session)
    made = replace(
        made,
        done_seq=event.seq if event.imported or event.via else 0,
        tokens=event.tokens if event.tokens is not None else session.tokens,
        point=event.point or session.point,
        unpromoted=event.unpromoted,
    )
    compactions = [*found, made]
    if event.via:  # appended late
        compactions.sort(key=lambda item: item.at)
    return compactions


def restarted(
    found: "Sequence[Compaction]", event: "SessionStarted", session: Session
) -> list[Compaction]:
    """Add the proof that the session started again after a compaction."""
    made, rest = _proved(found, event, session, "restarted")
    return [*rest, replace(made, after=event.context_tokens or made.after)]


def finished(
    found: "Sequence[Compaction]", event: "CompactFinished", session: Session
) -> list[Compaction]:
    """Add the proof of a PostCompact hook or of a summary in a transcript.

    A reconciled event comes late: it proves the last compaction that began before its time.
    """
    later = [item for item in found if event.via and item.at > event.ts]
    made, rest = _proved(found[: len(found) - len(later)], event, session, "summed")
    made = replace(
        made,
        trigger=made.trigger or event.trigger,
        size=event.size or made.size,
        summary_seq=event.seq if event.summary else made.summary_seq,
        after=event.tokens if event.tokens is not None else made.after,
    )
    return [*rest, made, *later]


def _begun(
    event: "CompactStarted | SessionStarted | CompactFinished", trigger: str, session: Session
) -> Compaction:
    warned = session.warned
    return Compaction(
        event.seq,
        event.ts,
        trigger,
        tokens=session.tokens,
        point=session.point,
        warned=warned,
        turns=session.prompts - warned.prompts if warned else 0,
        idle=session.waiting,
    )


def _proved(
    found: "Sequence[Compaction]",
    event: "SessionStarted | CompactFinished",
    session: Session,
    proof: str,
) -> tuple[Compaction, list[Compaction]]:
    """Return the compaction that an event proves, with the proof added, and those before it."""
    last = found[-1] if found else None
    if last is None or is_another(last, proof):
        made, rest = _begun(event, getattr(event, "trigger", ""), session), list(found)
    else:
        made, rest = last, list(found[:-1])
    return replace(made, done_seq=made.done_seq or event.seq, **{proof: True}), rest
