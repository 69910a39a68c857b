"""Which turns of a transcript are compared, and which of their lines count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cases.world import OTHER
from tests.journal.history.reconcile.conftest import WHOLE
from tests.journal.history.reconcile.recorded import CALLS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.journal.history.reconcile.recorded import Recorded


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
    world.prompt("late", prompt_id="late-3")
    world.line("user", "late", promptId="late-4")
    world.line("user", "lost", promptId="late-8")
    world.line("user", "also lost, of another size", promptId="late-9")
    world.answer()
    world.reconcile()
    recorded = [event["text"] for event in world.events("prompt.submitted")]
    assert recorded[-3:] == ["late", "lost", "also lost, of another size"]


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


def _refused(
    world: Recorded, why: str = "The user doesn't want to proceed with this tool use."
) -> None:
    block = {"type": "tool_use", "id": "x", "name": "Bash", "input": {}}
    world.reply_line([block], "tool_use")
    world.line("user", [{"type": "tool_result", "tool_use_id": "x", "is_error": True,
                         "content": why}])  # fmt: skip


def _refused_in_other_words(world: Recorded) -> None:
    _refused(world, "Only on weekdays, says the policy of the shop.")


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
    [
        _subagent,
        _synthetic,
        _refused,
        _refused_in_other_words,
        _command,
        _meta,
        _same_prompt,
        _copy,
        _garbage,
    ],
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
    """A transcript that was copied back is read from its beginning; nothing is added twice or missed."""
    world.lost = {1, CALLS + 1}
    world.session()
    assert len(world.reconcile()) == 1
    text = world.transcript().read_bytes()
    world.transcript().rename(world.base / "old")
    world.transcript().write_bytes(text)
    assert world.reconcile() == []
    assert world.counts() == {world.sid: WHOLE}
    world.transcript().rename(world.base / "older")
    world.transcript().write_bytes(text)
    world.ask("one more")
    world.run_tool("lost")
    world.answer()
    world.reconcile()
    assert [event["target"] for event in world.added] == ["ls", "lost"]


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
