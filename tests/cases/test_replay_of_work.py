"""`journal replay` explains the views of work in progress: each change with its event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec import json

from journal.log.read import Reader
from projections.fold import Fold
from projections.registry import REGISTRY
from tests.cases.workshop import Workshop
from tests.cases.world import OTHER, SID

if TYPE_CHECKING:
    from pathlib import Path

PARTS = {
    "stage": ("stage",),
    "progress": ("progress",),
    "recovery": ("recovery", "unit", "progress"),
}


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Two sessions: a cycle stopped by budget and resumed, an adopted skill, unit, compaction."""
    world = Workshop(tmp_path_factory.mktemp("worked"), inline=True)
    world.configure("[precompact]\nguidance = true\n", own=True)
    world.start()
    world.prompt("add codes")
    world.left(80)
    world.done("sprint", metric="tests=41")
    world.stop()
    world.save("discover", 1)
    world.save("discover", 2)
    world.order("unit", "start", "u", "--item", "one", "--item", "two")
    world.order("unit", "check", "one")
    world.order("decide", "Ids are UUIDs")
    world.tool("Edit", file_path=str(world.project / "cart.py"))
    world.order("checkpoint", "--summary", "half")
    world.compact()
    world.left(20)
    world.prompt("go on")
    world.stop()
    world.end()
    world.start(sid=OTHER)
    world.order("stage", "resume", sid=OTHER)
    world.order("progress", "adopt", SID, sid=OTHER)
    world.order("stage", "abandon", sid=OTHER)
    world.order("progress", "discard", "--yes", sid=OTHER)
    return world


def steps(world: Workshop, view: str, *more: str) -> list[dict[str, Any]]:
    """Replay one view."""
    said = world.run("replay", "--diff", "--view", view, "--json", *more)
    assert said.code == 0, said.err
    found: list[dict[str, Any]] = said.data
    return found


def changing(world: Workshop, names: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
    """Find, without using replay, which records change which of these projections."""
    fold = Fold([REGISTRY[name] for name in names])
    found = {}
    for seq, line in Reader(str(world.directory)):
        before = dict(fold.states)
        fold.feed([(seq, line)])
        changed = tuple(name for name in names if fold.states[name] != before[name])
        if changed:
            found[seq] = changed
    return found


@pytest.mark.parametrize("view", PARTS)
def test_each_change_and_no_other_is_explained(worked: Workshop, view: str) -> None:
    """The steps are exactly the events that changed the view; together they produce the view."""
    found = steps(worked, view)
    shown = {step["event"]["seq"]: tuple(step["changed"]) for step in found}
    expected = changing(worked, PARTS[view])
    assert {seq: sorted(names) for seq, names in shown.items()} == {
        seq: sorted(names) for seq, names in expected.items()
    }
    states: dict[str, Any] = {}
    for step in found:
        for name, changes in step["changed"].items():
            for change in changes:
                _apply(states.setdefault(name, {}), change)
    final = Fold([REGISTRY[name] for name in PARTS[view]]).feed(Reader(str(worked.directory)))
    for name in PARTS[view]:
        built = json.decode(json.encode(states.get(name, {})), type=REGISTRY[name].state)
        assert built == final.states[name]


def _apply(state: dict[str, Any], change: dict[str, Any]) -> None:
    *way, last = change["path"]
    for part in way:
        state = state.setdefault(part, {})
    if change["after"] is None:
        state.pop(last, None)
    else:
        state[last] = change["after"]


EXPLAINED = {
    "stage": [
        ("stage.started", 'stage = "sprint"'), ("stage.finished", "metrics.tests = 41"),
        ("advice.given", 'asked + "next:audit"'), ("pressure.sampled", "last_tokens"),
        ("stage.stopped", 'status "open" → "stopped"'), ("stage.stopped", '"context_budget"'),
        ("stage.resumed", 'stage = "audit"'), ("stage.resumed", 'status "stopped" → "moved"'),
        ("stage.abandoned", 'status "open" → "abandoned"'),
    ],
    "progress": [
        ("progress.saved", "Found discover 1."), ("progress.saved", 'phase "1" → "2"'),
        ("progress.adopted", 'status "live" → "adopted"'), ("progress.adopted", 'by = "2222'),
        ("progress.discarded", 'status "live" → "discarded"'),
    ],
    "recovery": [
        ("prompt.submitted", "add codes"), ("unit.item.checked", '"done":true'),
        ("decision.recorded", "Ids are UUIDs"), ("tool.finished", "cart.py"),
        ("checkpoint.saved", "half"), ("compact.started", "attempts = 1"),
        ("session.started", "compactions = 1"), ("context.injected", "told = true"),
        ("progress.saved", "Found discover 2."),
    ],
}  # fmt: skip


@pytest.mark.parametrize("view", PARTS)
def test_the_text_says_what_changed_and_by_what(worked: Workshop, view: str) -> None:
    """Under each event the text lists the changed members with old and new value."""
    result = worked.run("replay", "--diff", "--view", view)
    assert result.code == 0
    zone, *lines = result.out.splitlines()
    assert zone == "Times are UTC."
    blocks: list[list[str]] = []
    for line in lines:
        if not line.startswith("        "):
            blocks.append([])
        blocks[-1].append(line)
    for kind, part in EXPLAINED[view]:
        changes = ["\n".join(block[1:]) for block in blocks if kind in block[0]]
        assert any(part in text for text in changes), (kind, part, changes)
    assert all(len(block) > 1 for block in blocks)


def test_one_session_alone(worked: Workshop) -> None:
    """A session limits the steps to its events; --until to the records before that number."""
    resumed = worked.one("stage.resumed")["seq"]
    assert {step["event"]["sid"] for step in steps(worked, "stage", "--session", OTHER)} == {OTHER}
    before = steps(worked, "stage", "--until", str(resumed - 1))
    assert before
    assert all(step["event"]["seq"] < resumed for step in before)
    assert not any("moved" in str(step["changed"]) for step in before)


def test_every_answer_comes_out_again(worked: Workshop) -> None:
    """Replayed answers of gate, recovery and offers have the digests that were recorded."""
    said = worked.run("replay", "--answers", "--json")
    assert said.code == 0, [s for s in said.data if s["verdict"] not in ("same", None)]
    spoken = [step["said"] for step in said.data if step["said"]]
    texts = "\n".join(part["context"] + part["message"] + part["plain"] for part in spoken)
    for part in ("journal stage start audit", "the dev cycle stops after sprint", "Next action",
                 "Skill under way, to state", "stage resume"):  # fmt: skip
        assert part in texts, part


def test_a_replay_of_nothing(tmp_path: Path) -> None:
    """If no work was in progress there are no steps."""
    world = Workshop(tmp_path, inline=True)
    world.start()
    world.prompt()
    assert steps(world, "stage") == []
    assert steps(world, "progress") == []
