"""Prompts and answers that a rewind took out of the conversation, or that a hook blocked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.importer.records import TranscriptLine, line_from
from journal.history.importer.withdrawn import PromptThread
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from tests.journal.history.importer.conftest import Sandbox


def test_what_a_rewind_took_out(sandbox: Sandbox) -> None:
    """An imported session tells what its rewinds took out, also when it comes in two parts."""
    wrong, right = "Delete the parser and use BETA.", "Write the tests of the parser."
    links = {"parentUuid": "a0"}
    sandbox.write(prompt(wrong, 1, **links), reply("m1", stop="end_turn", second=1))
    sandbox.run()
    sandbox.write(prompt(right, 2, **links), reply("m2", stop="end_turn", second=2))
    for _ in range(2):
        sandbox.run()
        (event,) = sandbox.events("prompts.withdrawn")
        assert event["withdrawn"] == [wrong]


def asked(text: str, uuid: str, parent: str) -> TranscriptLine:
    """Return the line of a prompt that follows another line."""
    return line_from({**prompt(text), "uuid": uuid, "parentUuid": parent})


def test_another_prompt_in_the_same_place_takes_back_what_followed() -> None:
    """Prompts and answers after that place are taken back once; what stood before it stays."""
    thread = PromptThread()
    assert thread.add(asked("plan it", "1", "0")) == []
    assert thread.add(asked("use BETA", "2", "1")) == []
    assert thread.add(asked("and GAMMA", "3", "2")) == []
    assert thread.add(asked("use ALPHA", "4", "1")) == ["and GAMMA", "use BETA"]
    assert [thread.is_live(text) for text in ("plan it", "use BETA", "use ALPHA")] == [
        True, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["use BETA", "<bash-input>ls</bash-input>"])
def test_a_stopped_compaction_takes_nothing_back(text: str) -> None:
    """Claude Code marks the prompt after it like that after a rewind to the first prompt."""
    caveat = "<local-command-caveat>The command below was run directly</local-command-caveat>"
    mark = {"type": "last-prompt", "leafUuid": "00000000-0000-0000-0000-000000000000"}
    for previous, withdrawn in (("3", []), ("1", ["plan it"])):
        thread = PromptThread()
        thread.add(asked("plan it", "1", "null"))
        thread.add(line_from({**prompt(caveat), "uuid": "3", "parentUuid": "1", "isMeta": True}))
        thread.add(asked(text, "4", previous))
        thread.add(asked("<bash-stdout>a</bash-stdout>", "5", "4"))
        assert thread.add(line_from(mark)) == withdrawn
        assert thread.is_live("plan it") is not bool(withdrawn)


def compacted(thread: PromptThread) -> None:
    """Add the lines of a compaction that the user asked for."""
    thread.add(line_from({"type": "system", "subtype": "compact_boundary"}))
    thread.add(asked("<command-name>/compact</command-name>", "c", "b"))


def test_a_rewind_goes_back_before_a_compaction() -> None:
    """The prompt in the place of one before the compaction takes back what stood since then."""
    thread = PromptThread()
    thread.add(asked("plan it", "1", "0"))
    thread.add(asked("use BETA", "2", "1"))
    compacted(thread)
    assert thread.add(asked("and GAMMA", "3", "c")) == []
    assert thread.add(asked("use ALPHA", "4", "1")) == ["and GAMMA", "use BETA"]
    assert thread.is_live("plan it")


@pytest.mark.parametrize(
    ("since", "gone"), [((), []), (("and GAMMA",), ["plan it", "use BETA", "and GAMMA"])]
)
def test_a_rewind_to_the_first_prompt_goes_back_before_a_compaction(
    since: tuple[str, ...], gone: list[str]
) -> None:
    """It takes everything back, but the first prompt since the compaction follows no rewind."""
    thread = PromptThread()
    thread.add(asked("plan it", "1", "0"))
    thread.add(asked("use BETA", "2", "1"))
    compacted(thread)
    for text in (*since, "use ALPHA"):
        thread.add(asked(text, text, f"before {text}"))
    mark = {"type": "last-prompt", "leafUuid": "00000000-0000-0000-0000-000000000000"}
    assert sorted(thread.add(line_from(mark))) == sorted(gone)


def test_lines_of_others_are_no_prompts() -> None:
    """Lines of subagents, of the client and of a summary are not in the main thread."""
    thread = PromptThread()
    for mark in ("isSidechain", "isMeta", "isCompactSummary"):
        assert thread.add(line_from({**prompt("not mine"), mark: True})) == []
    assert not thread.is_live("not mine")
