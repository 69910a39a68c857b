"""Laws of stage, progress, unit and recovery over random histories."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import example, given
from hypothesis import strategies as st

from projections.progress import refusal
from projections.stage import STAGES
from tests.cases.streams import remove
from tests.cases.world import World
from tests.projections.histories import SIDS, STEPS, Past, step
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Iterable

    Event = dict[str, Any]

NAMES = ("stage", "progress", "unit", "recovery")
ENCODE = msgspec.json.encode


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


# -- a cycle: one live end, and no metric lost ------------------------------------------------------


@given(st.lists(STEPS, max_size=40))
@examples(200)
@example(
    [
        ("start", "a", "a", False, "sprint"),
        ("stop", "a", "a", False, "sprint"),
        ("resume", "b", "a", False, "audit"),
        ("resume", "c", "a", False, "audit"),
    ]
)
@example(
    [
        ("start", "a", "a", False, "sprint"),
        ("clear", "b", "a", False, "sprint"),
        ("start", "a", "a", True, "audit"),
    ]
)
@example([("start", "a", "a", False, "sprint"), ("start", "a", "a", False, "sprint")])  # fmt: skip
def test_a_cycle_has_one_live_end_and_keeps_its_metrics(steps: list[Any]) -> None:
    """For any stage events, a recorded metric stays in the cycle's live or last state."""
    past = Past()
    taken: dict[str, dict[str, float]] = {}
    for number, drawn in enumerate(steps, 1):
        event = step(past, number, *drawn)
        before = past.views.stage
        past.put(event)
        after = past.views.stage.sessions
        if event.get("metrics") and before is not past.views.stage:
            taken.setdefault(after[event["sid"]].cycle, {}).update(event["metrics"])
        holders = {name: [c for c in after.values() if c.cycle == name] for name in taken}
        for name, cycles in holders.items():
            live = [cycle for cycle in cycles if cycle.status in ("open", "stopped")]
            assert len(live) <= 1, (name, drawn)
            kept = [cycle.metrics for cycle in live or cycles]
            if kept:  # a session has one cycle: the next may start once the last has ended
                assert taken[name].items() <= {k: v for m in kept for k, v in m.items()}.items()


@given(st.lists(STEPS, max_size=30))
@examples(60)
def test_a_cycle_under_way_is_not_replaced(steps: list[Any]) -> None:
    """An open or stopped cycle leaves its session only by its own end or by moving."""
    past = Past()
    for number, drawn in enumerate(steps, 1):
        before = past.views.stage.sessions
        past.put(step(past, number, *drawn))
        for sid, cycle in past.views.stage.sessions.items():
            old = before.get(sid)
            if old is not None and old.status in ("open", "stopped"):
                assert cycle.cycle == old.cycle, drawn


# -- progress: a chain of adoption ------------------------------------------------------------------

DEEDS = st.tuples(
    st.sampled_from(["saved", "saved", "adopted", "adopted", "discarded", "closed"]),
    st.sampled_from(SIDS), st.sampled_from(SIDS), st.sampled_from(["discover", "spec"]),
)  # fmt: skip


@given(st.lists(DEEDS, max_size=40))
@examples(200)
def test_a_chain_of_adoption_has_one_live_end(deeds: list[Any]) -> None:
    """Of all that began with one save at most one state is live; an ended one never is again."""
    past = Past()
    over: set[str] = set()
    for what, sid, other, skill in deeds:
        event: Event = {"type": f"progress.{what}", "sid": sid, "skill": skill}
        if what == "saved":
            event |= {"phase": "1", "summary": f"by {sid}"}
        elif what != "closed":
            event["from_sid"] = other
        before = past.views.progress
        why = refusal(before, other, sid)
        past.put(event)
        after = past.views.progress
        if what == "adopted":
            assert (after is before) == bool(why)
        live = Counter(s.started for s in after.sessions.values() if s.status == "live")
        assert not {started: n for started, n in live.items() if n > 1}
        assert not over & live.keys()
        chains = {state.started for state in before.sessions.values() if state.status == "live"}
        over |= chains - live.keys()
        for name, state in after.sessions.items():
            if state.status == "adopted":
                assert state.by != name
                assert state.by in after.sessions
        if what == "adopted" and not why:
            was, now = before.sessions[other], after.sessions[sid]
            assert (now.phases, now.skill, now.from_sid) == (was.phases, was.skill, other)


# -- one compaction is one --------------------------------------------------------------------------

HOOKS = ("fork", "start", "post")


@st.composite
def _compactions(draw: st.DrawFn) -> list[tuple[bool, list[str], list[int]]]:
    """Draw compactions: whether PreCompact came, the others in any order, and how often each.

    What happened is told apart from the one before by its PreCompact, or else by both proofs.
    """
    found = []
    for _ in range(draw(st.integers(1, 4))):
        began = draw(st.booleans())
        order = draw(st.permutations(HOOKS))
        left_out = draw(st.sampled_from(["", "fork", "start", "post"]))
        if not began and left_out != "fork":
            left_out = ""
        order = [name for name in order if name != left_out]
        found.append((began, order, draw(st.lists(st.integers(1, 2), min_size=4, max_size=4))))
    return found


@given(_compactions(), st.booleans())
@examples(40)
def test_a_compaction_is_counted_once(drawn: list[Any], something: bool) -> None:
    """A compaction counts once with its hooks in any order, doubled or missing."""
    world = World(Path(tempfile.mkdtemp(prefix="journal-test-")), inline=True)
    calls = {
        "pre": world.compacting,
        "fork": lambda: world.hook("SubagentStop", agent_id="f", agent_type="",
                                   last_assistant_message="<summary>S</summary>"),
        "start": lambda: world.start("compact"),
        "post": world.compacted,
    }  # fmt: skip
    try:
        world.start()
        if something:
            world.prompt("add codes")
        for number, (began, order, times) in enumerate(drawn, 1):
            told = 0
            for name, count in zip([*["pre"] * began, *order], times, strict=False):
                at = world.now
                for _ in range(count):  # registered twice, a hook runs twice at the same time
                    world.now = at
                    told += bool(calls[name]().out) and name == "start"
            trail = world.views()["recovery"]["sessions"][world.sid]
            assert trail["compactions"] == number
            assert told <= 1
            assert not something or told == ("start" in order)
            world.after(minutes=2)
            world.prompt() if something else world.tool(command="ls")
        assert world.resumed_views() == world.views()
    finally:
        remove(world)
