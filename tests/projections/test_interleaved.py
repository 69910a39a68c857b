"""Laws of two chains of sessions in one log: each is as if the other were not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from projections.fold import Fold
from projections.registry import REGISTRY
from projections.stage import STAGES
from tests.projections.drawn import lines_of
from tests.projections.histories import Past
from tests.projections.timeline import timeline
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Iterable

    Event = dict[str, Any]


NAMES = ("stage", "progress", "unit", "recovery")
ENCODE = msgspec.json.encode
ALL = tuple(REGISTRY.values())


# -- any interleaving of two lineages equals the two alone ----------------------------------------


def _events(one: str, two: str) -> st.SearchStrategy[list[Event]]:
    """Draw one lineage: a session, and one that continues it by /clear or as a fork."""
    sid = st.sampled_from([one, one, two])
    word = st.sampled_from(["x", "y", "z"])
    stage = st.sampled_from(STAGES)
    cycle = st.sampled_from([f"c-{one}", f"c-{two}"])
    number = st.integers(0, 180_000)

    def made(kind: str, **body: Any) -> st.SearchStrategy[Event]:
        parts = {name: value if isinstance(value, st.SearchStrategy) else st.just(value)
                 for name, value in body.items()}  # fmt: skip
        return st.fixed_dictionaries({"type": st.just(kind), "sid": sid, **parts})

    metrics = st.dictionaries(word, st.integers(0, 9).map(float), max_size=2)
    of_stage = [made(f"stage.{verb}", cycle=cycle, stage=stage, metrics=metrics)
                for verb in ("started", "started", "finished", "stopped")]  # fmt: skip
    return st.lists(
        st.one_of(
            *of_stage,
            made("stage.resumed", cycle=cycle, stage=stage, from_sid=st.sampled_from([one, ""])),
            made("stage.abandoned", cycle=cycle, stage=stage),
            made("advice.given", what="stage", reason=st.sampled_from(["open:sprint", "next:ship"])),
            made("pressure.sampled", tokens=number, window=200_000, point=167_000,
                 source="transcript", model="m"),
            made("progress.saved", skill=word, phase=word, summary=word, next=word),
            made("progress.closed", skill=word),
            made("progress.adopted", from_sid=st.sampled_from([one, two])),
            made("progress.discarded", from_sid=st.sampled_from([one, two, ""])),
            made("unit.started", unit=word, title=word, items=st.lists(word, max_size=3)),
            made("unit.item.checked", unit=word, item=word, done=st.booleans()),
            made("unit.finished", unit=word),
            made("tool.finished", tool="TodoWrite",
                 items=st.lists(st.tuples(word, word, st.just("pending")).map(list), max_size=2)),
            made("tool.finished", tool="Edit", target=word, changed=True),
            made("tool.failed", tool="Bash", target=word, error=word),
            made("prompt.submitted", origin="human", text=word),
            made("decision.recorded", text=word),
            made("checkpoint.saved", cause=st.sampled_from(["compact", "asked"]), summary=word),
            made("turn.ended", message=word),
            made("compact.started", trigger="auto"),
            made("compact.finished", trigger="auto", summary=word),
            made("context.injected", what="recovery"),
            made("session.ended", reason="clear"),
            st.fixed_dictionaries({
                "type": st.just("session.started"), "sid": st.just(two), "previous": st.just(one),
                "source": st.sampled_from(["clear", "fork"]),
            }),
            made("session.started", source=st.sampled_from(["startup", "resume", "compact"])),
        ),
        max_size=25,
    )  # fmt: skip


def folded(events: Iterable[Event]) -> Past:
    """Return the fold of a whole history."""
    past = Past()
    for event in events:
        past.put(event)
    return past


def own(past: Past, sids: tuple[str, ...]) -> bytes:
    """Return everything the views hold about some sessions."""
    found: dict[str, Any] = {}
    for name in NAMES:
        state = past.fold.states[name]
        found[name] = {sid: state.sessions.get(sid) for sid in sids}
    found["parents"] = {sid: past.views.progress.parents.get(sid) for sid in sids}
    return ENCODE(found)


@given(_events("a", "b"), _events("c", "d"), st.lists(st.booleans(), max_size=50))
@examples(120)
def test_two_lineages_are_as_if_alone(
    left: list[Event], right: list[Event], turns: list[bool]
) -> None:
    """However two lineages are interleaved, each part of the views is what it is alone.

    Alone, the other's events are replaced by what nobody handles, so that the numbers are the same.
    """
    queues = (list(left), list(right))
    turns = [*turns, *[True] * len(left), *[False] * len(right)]
    mixed = [queues[not turn].pop(0) for turn in turns if queues[not turn]]
    both = folded(mixed)
    for sids in (("a", "b"), ("c", "d")):
        gap = {"type": "journal.gap", "sid": ""}
        alone = folded([event if event["sid"] in sids else gap for event in mixed])
        assert own(both, sids) == own(alone, sids)


def folded_lines(text: list[str], **options: Any) -> Fold:
    """Return the fold of some lines' records."""
    return Fold(ALL, **options).feed(timeline("\n".join(text)))


PER_SESSION = ("pressure", "recovery", "compound", "stage", "unit")


@given(lines_of("a"), lines_of("b"), st.lists(st.booleans(), max_size=50))
@examples(80)
def test_two_lineages_do_not_touch(left: list[str], right: list[str], turns: list[bool]) -> None:
    """Interleaved with another session, a session's part of the views is what it is alone.

    Alone its neighbour's events are replaced by what nobody handles, so that seqs are the same.
    Taking over (`progress`, resumed stages) is between sessions by intent and left out, as is what
    belongs to the project: flow, stock, notes and compounds.
    """
    skipped = (" note ", " compound ", " trimmed ", " clear ", " fork ", " compact ", " progress ",
               " stop ", " reading ", " resumed ")  # fmt: skip
    left = [line for line in left if not any(word in f"{line} " for word in skipped)]
    right = [line for line in right if not any(word in f"{line} " for word in skipped)]
    queue = (list(left), list(right))
    turns = [*turns, *[True] * len(left), *[False] * len(right)]
    mixed = [queue[not turn].pop(0) for turn in turns if queue[not turn]]
    alone = [line if line.startswith("a ") else "- 09:00 gap 1" for line in mixed]
    both, one = folded_lines(mixed).states, folded_lines(alone).states
    for name in PER_SESSION:
        part, own = both[name].sessions.get("a"), one[name].sessions.get("a")
        assert ENCODE(part) == ENCODE(own), name
