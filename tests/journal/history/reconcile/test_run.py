"""What a log lost is restored from the transcript once, and nothing else is ever added."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.hooks.test_unlocked import locked
from tests.journal.history.reconcile.conftest import WHOLE, background
from tests.journal.history.reconcile.recorded import CALLS, Recorded
from tests.support.examples import scaled

if TYPE_CHECKING:
    from pathlib import Path


def uses(world: Recorded) -> list[str]:
    """Return the ids of the tool calls in the log."""
    return sorted(event["use"] for event in world.events("tool.finished", "tool.failed"))


def test_nothing_is_added_to_a_complete_log(world: Recorded) -> None:
    """If log and transcript agree, no event is appended, however often they are compared."""
    world.session()
    assert world.calls == CALLS
    before = len(world.events())
    assert [world.reconcile(), world.reconcile()] == [[], []]
    assert len(world.events()) == before
    assert world.counts() == {world.sid: WHOLE}


def test_no_call_is_added_to_a_log_without_ids_of_calls(world: Recorded) -> None:
    """Hooks of older versions name no tool call, so none can be missed; a lost prompt still is."""
    hook = world.hook
    world.hook = lambda *given, **more: hook(*given, **{**more, "tool_use_id": ""})  # type: ignore[method-assign]
    world.lost = {0}
    world.session()
    world.reconcile()
    assert [event["type"] for event in world.added] == ["prompt.submitted"]
    assert world.counts() == {world.sid: WHOLE}


def recover(world: Recorded, lost: set[int], after: set[int]) -> None:
    """Lose these hook calls, compare after these turns and at the end, and check the result."""
    world.lost = lost
    ends = world.answer

    def answer() -> None:
        ends()
        if world.turns in after:
            world.reconcile()

    world.answer = answer  # type: ignore[method-assign]
    world.session()
    world.reconcile()
    assert world.counts() == {world.sid: WHOLE}
    assert all(0 <= seconds <= 60 for seconds in world.delays)
    assert uses(world) == [f"toolu_{number:04}" for number in range(1, 6)]
    assert world.reconcile() == []
    os.unlink(world.journal / "cache" / world.directory.name / "live" / "reconciled")
    assert world.reconcile() == []


@settings(max_examples=scaled(60))
@given(st.sets(st.integers(0, CALLS - 1)), st.sets(st.integers(1, 3)))
@example({5, 6, 7, 10, 12}, set())  # of the second compaction only SessionStart was recorded
def test_what_was_lost_comes_back_once(
    tmp_path_factory: pytest.TempPathFactory, lost: set[int], after: set[int]
) -> None:
    """Whichever hook calls are lost, and whenever the comparison runs, the counts are complete."""
    recover(Recorded(tmp_path_factory.mktemp("lost") / "w", inline=True), lost, after)


@pytest.mark.long
@pytest.mark.parametrize(
    "after", [set(), {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}, {1, 2, 3}], ids=str
)
def test_every_loss_of_a_compactions_hooks(after: set[int], tmp_path: Path) -> None:
    """Each of the 64 combinations of lost hook calls of two compactions is restored once."""
    for bits in range(64):
        lost = {call for at, call in enumerate((5, 6, 7, 10, 11, 12)) if bits >> at & 1}
        recover(Recorded(tmp_path / str(bits), inline=True), lost, after)


def test_a_reconciled_event_is_the_hooks_own(world: Recorded) -> None:
    """A reconciled event equals the hook's, except for its mark, time and what a transcript lacks."""
    world.session()
    whole = {event["use"]: event for event in world.events("tool.finished", "tool.failed")}
    asked = {event["prompt"]: event for event in world.events("prompt.submitted")}
    other = Recorded(world.base / "other", inline=True)
    other.lost = range(CALLS)
    other.session()
    other.reconcile()
    for event in other.added:
        own = whole.get(event.get("use", "")) or asked.get(event.get("prompt", ""))
        if event["type"].startswith("compact") or own is None:
            continue
        assert event["via"] == "reconciled"
        same = ("type", "sid", "key", "tool", "target", "size", "text", "origin", "error", "prompt")
        assert {name: event.get(name) for name in same} == {name: own.get(name) for name in same}


def test_a_hook_call_that_comes_late_counts_once(world: Recorded) -> None:
    """If the spool delivers an event after the transcript did, its key makes it count once."""
    world.lost = {1}
    world.session()
    world.reconcile()
    assert [event["type"] for event in world.added] == ["tool.finished"]
    world.hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, prompt_id="prompt-1",
               tool_use_id="toolu_0001", tool_response={"stdout": "ok"})  # fmt: skip
    assert world.counts() == {world.sid: WHOLE}


def test_a_compaction_right_after_another_is_not_added(world: Recorded) -> None:
    """Each has its own place in the transcript, although the second began as the first was done."""
    world.start()
    world.ask("repair the redirect")
    world.compact_now(-1)
    world.compact_now()
    world.answer()
    assert world.reconcile() == []


def test_a_compaction_right_after_a_failed_attempt_is_not_added(world: Recorded) -> None:
    """A failed attempt and the compaction that followed it belong to one place of the transcript."""
    world.start()
    world.ask("repair the redirect")
    world.compacting()
    world.after(seconds=10)
    world.compact_now()
    world.answer()
    assert world.reconcile() == []


def test_an_attempt_long_before_is_another_compaction(world: Recorded) -> None:
    """If no hook saw the start of a compaction, what shows it is not that of a failed one."""
    world.start()
    world.ask("repair the redirect")
    world.compacting()
    world.after(minutes=12).lost = {world.calls}  # the next PreCompact
    world.compact_now()
    world.answer()
    assert world.reconcile() == []


def test_what_waits_in_the_spool_is_not_added(world: Recorded) -> None:
    """Hook calls that the comparison itself takes from the spool are compared, too."""
    world.start()
    with locked(world):
        world.ask("repair the redirect")
        world.compact_now()
        world.answer_silently()
    assert world.reconcile() == []
    assert world.counts() == {world.sid: (1, 0, 0, 0, 1, 1)}


def test_minimal_capture_adds_no_text(world: Recorded) -> None:
    """With minimal capture the added events have no texts, like a hook's events."""
    world.lost = range(100)
    world.session()
    world.order("config", "set", "capture.level", "minimal")
    background(world)
    assert len(world.added) == 12
    assert not {"text", "summary", "error"} & {name for event in world.added for name in event}


@pytest.mark.parametrize("off", ["environment", "setting"])
def test_switched_off_nothing_is_added(world: Recorded, off: str) -> None:
    """With JOURNAL_OFF or capture.level off the background compares nothing."""
    world.lost = range(100)
    world.session()
    if off == "setting":
        world.order("config", "set", "capture.level", "off")
    background(world, **({"JOURNAL_OFF": "1"} if off == "environment" else {}))
    assert world.added == []


@pytest.mark.parametrize("event", ["Stop", "SessionStart"])
def test_the_background_compares(world: Recorded, event: str) -> None:
    """The background restores lost events after a turn and at the next start."""
    world.lost = {2}
    world.session()
    background(world, event)
    assert [one["type"] for one in world.added] == ["tool.failed"]


def test_late_facts_change_no_reading(world: Recorded) -> None:
    """A late compaction leaves the pressure reading unchanged."""
    world.lost = {5, 6, 7}
    world.session()
    world.read(60)
    world.end()
    before = world.view("pressure", sid=world.sid)
    assert world.reconcile()
    after = world.view("pressure", sid=world.sid)
    assert (
        (before["tokens"], before["known"]) == (after["tokens"], after["known"]) == (120_000, True)
    )


def _of(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == kind]


def test_doctor_counts_what_was_added(world: Recorded) -> None:
    """The doctor reports how many events hooks missed; calls of the module's tools have no hook."""
    world.lost = {1, 2}
    world.session()
    world.reconcile()
    assert len(_of(world.added, "tool.finished")) == 1
    own = {"type": "tool.finished", "v": 1, "sid": world.sid, "tool": "mcp__journal__recall"}
    world.append({**own, "via": "reconciled"})
    shown = world.run("doctor", "--json")
    [row] = [row for row in shown.data if row["name"] == "reconciled"]
    assert row["what"] == "2 events came from the transcripts: no hook recorded them"
