"""What a log lost is restored from the transcript once, and nothing else is ever added."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hooks.background import run_background
from journal.history.reconcile import logged
from tests.cases.world import OTHER
from tests.journal.history.reconcile.recorded import CALLS, Recorded
from tests.support.examples import scaled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WHOLE = (3, 5, 1, 3, 2, 2)
"""Prompts, tools, failures, turns, compactions and attempts of `Recorded.session`."""


@pytest.fixture
def world(tmp_path: Path) -> Recorded:
    """Return a world whose hooks run in this process."""
    return Recorded(tmp_path / "world", inline=True)


def background(world: Recorded, event: str = "Stop", **env: str) -> None:
    """Run the background handler as Claude Code does."""
    data = {"hook_event_name": event, "session_id": world.sid, "cwd": str(world.project)}
    run_background(json.dumps(data).encode(), {**world.env(), **env})


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


def test_a_prompt_in_a_damaged_line_comes_back(world: Recorded) -> None:
    """A prompt whose line was spliced with a torn one is restored like any other."""
    world.start()
    world.transcript().parent.mkdir(parents=True, exist_ok=True)
    world.transcript().write_text('{"parentUuid":null,"type":"user","mess')
    world.lost = {0}
    world.ask("fix it")
    world.answer()
    world.reconcile()
    assert [event["text"] for event in world.events("prompt.submitted")] == ["fix it"]


def test_a_prompt_typed_during_a_turn_is_one_prompt(world: Recorded) -> None:
    """Its hook has the id of the turn in which it was typed, its line the id of its own turn."""
    world.session()
    texts = ["make it blue", "and then green", "make it blue"]
    for number, text in enumerate(texts):
        world.prompt(text, prompt_id=f"late-{number}")
        world.line("user", text, promptId=f"late-{number + 1}")
        world.answer()
        world.reconcile()
    recorded = [event["text"] for event in world.events("prompt.submitted")]
    assert recorded[-3:] == texts
    world.prompt("lost", prompt_id="late-3")
    world.line("user", "also lost, of another size", promptId="late-9")
    world.answer()
    world.reconcile()
    recorded = [event["text"] for event in world.events("prompt.submitted")]
    assert recorded[-2:] == ["lost", "also lost, of another size"]


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


def test_only_whole_turns_count(world: Recorded) -> None:
    """The last turn of a transcript is compared only when it has ended."""
    world.start()
    world.lost = range(100)
    world.ask("repair the redirect")
    world.run_tool("ls")
    assert world.reconcile() == []
    world.answer()
    assert len(world.reconcile()) == 2


def test_of_a_session_that_is_over_all_counts(world: Recorded) -> None:
    """After the end of a session a turn that the user interrupted is compared too."""
    world.start()
    world.lost = range(100)
    world.ask("repair the redirect")
    world.run_tool("ls")
    world.end()
    assert len(world.reconcile()) == 2
    [session] = world.order("sessions", "--json").data
    assert (session["status"], session["tools"]) == ("completed", 1)


def _subagent(world: Recorded) -> None:
    world.run_tool("ls", isSidechain=True, agentId="a1")


def _synthetic(world: Recorded) -> None:
    world.reply_line([{"type": "tool_use", "id": "x", "name": "Bash", "input": {}}], "tool_use",
               isApiErrorMessage=True)  # fmt: skip


def _refused(world: Recorded) -> None:
    block = {"type": "tool_use", "id": "x", "name": "Bash", "input": {}}
    world.reply_line([block], "tool_use")
    world.line("user", [{"type": "tool_result", "tool_use_id": "x", "is_error": True,
                         "content": "The user doesn't want to proceed with this tool use."}])  # fmt: skip


def _command(world: Recorded) -> None:
    world.line("user", "<command-name>/model</command-name>", promptId="prompt-command")


def _meta(world: Recorded) -> None:
    world.line("user", "Stop hook feedback: go on", isMeta=True, promptId="prompt-meta")


def _same_prompt(world: Recorded) -> None:
    world.line("user", "Stop hook feedback: go on")


def _copy(world: Recorded) -> None:
    world.line("user", "of another session", sessionId=OTHER, promptId="prompt-other")


def _garbage(world: Recorded) -> None:
    with world.transcript().open("ab") as file:
        file.write(b"\xff\x00 no record\n{}\n[]\n3\n")


@pytest.mark.parametrize(
    "happen",
    [_subagent, _synthetic, _refused, _command, _meta, _same_prompt, _copy, _garbage],
    ids=lambda happen: happen.__name__.strip("_"),
)
def test_what_no_hook_is_called_for_is_not_added(
    world: Recorded, happen: Callable[[Recorded], None]
) -> None:
    """Lines for which no hook of the main thread is called add no event."""
    world.start()
    world.ask("repair the redirect")
    world.lost = range(100)
    happen(world)
    world.answer()
    assert world.reconcile() == []
    world.run_tool("this one was lost")
    world.answer()
    assert [event["target"] for event in (world.reconcile(), world.added)[1]] == [
        "this one was lost"
    ]


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_history_from_before_the_journal_is_left_to_the_import(
    world: Recorded, source: str
) -> None:
    """In a resumed or forked session only what came after its first recorded start is added."""
    world.lost = range(100)
    world.ask("before the journal")
    world.run_tool("before")
    world.answer_silently()
    world.after(minutes=5).start(source)
    world.ask("after")
    world.run_tool("later")
    world.answer()
    world.reconcile()
    assert [event.get("text") or event["target"] for event in world.added] == ["after", "later"]


def test_a_session_without_a_start_is_left_to_the_import(world: Recorded) -> None:
    """A session without a recorded start is not compared."""
    world.ask("before")
    world.lost = range(100)
    world.run_tool("ls")
    world.answer()
    assert world.reconcile() == []


def test_what_ran_with_the_journal_off_stays_out(world: Recorded) -> None:
    """The part of a transcript between an end and the next start is skipped: hooks were off."""
    world.session()
    world.end()
    world.lost = range(100)
    world.after(minutes=5).ask("without the journal")
    world.run_tool("secret")
    world.answer_silently()
    world.after(minutes=5).start("resume")
    world.ask("with it again")
    world.answer()
    world.reconcile()
    assert [event.get("text") for event in world.added] == ["with it again"]


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


def test_what_was_not_to_be_recorded_does_not_come_back(world: Recorded) -> None:
    """A turn that ended while capture was off is not added once it is on again."""
    world.session()
    world.order("config", "set", "capture.level", "off")
    world.ask("between us")
    world.run_tool("secret")
    world.answer()
    background(world)
    world.order("config", "set", "capture.level", "full")
    world.ask("on again")
    world.answer()
    background(world)
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


def test_it_reads_on(world: Recorded) -> None:
    """The second comparison starts in the transcript where the first one ended."""
    world.reply_line([{"type": "text", "text": "x" * 5000}], "end_turn")
    world.session()
    world.answer("x" * 5000)
    world.reconcile()
    # What was read before is changed; reading it again would find a new call.
    text = world.transcript().read_bytes().replace(b"toolu_0001", b"toolu_9999")
    with world.transcript().open("r+b") as file:
        file.write(text)
    world.lost = range(100)
    world.ask("one more")
    world.run_tool("new")
    world.answer()
    world.reconcile()
    assert [event.get("target") for event in world.added] == [None, "new"]


def test_a_transcript_in_another_file_adds_nothing(world: Recorded) -> None:
    """A transcript that was copied back is read from its beginning, and nothing is added twice."""
    world.lost = {1}
    world.session()
    assert len(world.reconcile()) == 1
    text = world.transcript().read_bytes()
    world.transcript().rename(world.base / "old")
    world.transcript().write_bytes(text)
    assert world.reconcile() == []
    assert world.counts() == {world.sid: WHOLE}


def test_a_transcript_that_is_gone_costs_nothing(world: Recorded) -> None:
    """Without the transcript nothing is compared and nothing fails."""
    world.lost = {1}
    world.session()
    world.transcript().unlink()
    assert world.reconcile() == []


def test_other_peoples_paths_are_not_read(world: Recorded) -> None:
    """A transcript that is not named after its session is not opened."""
    world.hook("SessionStart", source="startup", transcript_path=str(world.base / "etc.jsonl"))
    (world.base / "etc.jsonl").write_text("{}\n")
    assert world.reconcile() == []


def _of(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == kind]


def test_doctor_counts_what_was_added(world: Recorded) -> None:
    """The doctor reports how many events no hook recorded."""
    world.lost = {1, 2}
    world.session()
    world.reconcile()
    assert len(_of(world.added, "tool.finished")) == 1
    shown = world.run("doctor", "--json")
    [row] = [row for row in shown.data if row["name"] == "reconciled"]
    assert row["what"] == "2 events came from the transcripts: no hook recorded them"


@pytest.mark.parametrize("most", [6, 8, 4_000])
def test_a_long_session_is_not_read_in_again(
    world: Recorded, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Of a session with more ids than are remembered nothing returns from its transcript.

    Without the checkpoint, which `journal redact` deletes, a secret would return with it.
    """
    monkeypatch.setattr(logged, "_IDS", most)
    world.session()
    assert world.reconcile() == []
    os.unlink(world.journal / "cache" / world.directory.name / "live" / "reconciled")
    assert world.reconcile() == []
    world.prompt("one more")
    world.after(seconds=1).line("user", "one more")
    world.lost = range(world.calls, world.calls + 1)
    world.run_tool("pytest -q")
    world.answer()
    assert len(world.reconcile()) == 1
