"""Which facts the lines of a transcript hold."""

from __future__ import annotations

from typing import Any

import pytest

from journal.history.conversations.transcript import read_transcript
from tests.journal.history.importer.conftest import SID, Sandbox
from tests.journal.history.importer.lines import prompt, reply


def test_the_last_line_of_a_reply_counts(sandbox: Sandbox) -> None:
    """A reply has one record, with the figures and time of its last line."""
    sandbox.write(
        reply("m1", 1, stop=None),
        reply("m1", 7, stop=None, second=1),
        reply("m1", 42, second=2),
        prompt(),
    )
    sandbox.run()
    (event,) = sandbox.events("usage.recorded")
    assert (event["output_tokens"], event["ts"]) == (42, "2026-11-20T10:00:02.000Z")


TEXTS: dict[str, tuple[Any, str | None]] = {
    "human": ("fix the cart", "human"),
    "blocks": ([{"type": "text", "text": "see this"}, {"type": "image", "source": {}}], "human"),
    "command": (
        "<command-message>compound</command-message>\n<command-name>/journal:compound</command-name>",
        "command",
    ),
    "own command of the client": (
        "<command-name>/exit</command-name>\n<command-message>exit</command-message>",
        None,
    ),
    "task": ("<task-notification>done</task-notification>", "task-notification"),
    "local output": ("<local-command-stdout>x</local-command-stdout>", None),
    "bash": ("<bash-input>ls</bash-input>", None),
    "interrupted": ([{"type": "text", "text": "[Request interrupted by user]"}], None),
    "blocked by a hook": ("Operation stopped by hook: Shadow branch conflict", None),
    "blank": ("  \n", None),
    "an image alone": ([{"type": "image", "source": {}}], "human"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_whose_words(sandbox: Sandbox, name: str) -> None:
    """A prompt is what the user sent to Claude; other lines the client writes as the user are not."""
    text, origin = TEXTS[name]
    sandbox.write(prompt(text), prompt("meta", 2, isMeta=True), reply("m1"))
    sandbox.run()
    assert [event["origin"] for event in sandbox.events("prompt.submitted")] == (
        [origin] if origin else []
    )


def steering(text: Any, mode: str = "prompt", **more: Any) -> dict[str, Any]:
    """Return the line of what Claude got in the middle of a turn."""
    given = {
        "type": "queued_command",
        "prompt": text,
        "commandMode": mode,
        "origin": {"kind": "human"},
    }
    return {**prompt(number=2), "type": "attachment", "message": None, "attachment": given | more}


@pytest.mark.parametrize(("line", "recorded"), [
    (steering("use decimals"), ["hello", "use decimals"]),
    (steering("use decimals", type="note", seen="queued_command"), ["hello"]),
    (steering([{"type": "text", "text": "as in this"}, {"type": "image"}]), ["hello", "as in this"]),
    (steering({"text": "use decimals"}), ["hello"]),
], ids=["prompt", "other", "image", "unknown"])  # fmt: skip
def test_a_prompt_in_the_middle_of_a_turn(
    sandbox: Sandbox, line: dict[str, Any], recorded: list[str]
) -> None:
    """What the person typed while Claude worked is an attachment, and a prompt like any other."""
    sandbox.write(prompt(), reply("m1"), line, reply("m2", stop="end_turn"))
    sandbox.run()
    assert [event["text"] for event in sandbox.events("prompt.submitted")] == recorded
    shown = read_transcript(str(sandbox.file))
    texts = [entry.text.removesuffix("\n[image]") for entry in shown.entries]
    assert [text for text in texts if text in recorded] == recorded


def test_a_task_that_ends_in_the_middle_of_a_turn(sandbox: Sandbox) -> None:
    """Claude Code calls the prompt's hook for it, as for one that ends after the turn."""
    task = "<task-notification><summary>tests failed</summary></task-notification>"
    given = steering(task, "task-notification"), prompt(task, 4)
    sandbox.write(prompt(), reply("m1"), given[0], reply("m2", stop="end_turn"), given[1])
    sandbox.run()
    origins = [event["origin"] for event in sandbox.events("prompt.submitted")]
    assert origins == ["human", "task-notification", "task-notification"]
    notes = [entry for entry in read_transcript(str(sandbox.file)).entries if entry.kind == "note"]
    assert [note.text for note in notes] == ["tests failed"] * 2


def test_synthetic_replies_cost_nothing(sandbox: Sandbox) -> None:
    """Synthetic replies and API errors are not recorded as replies."""
    made_up = reply("m1")
    made_up["message"]["model"] = "<synthetic>"
    sandbox.write(made_up, reply("m2", isApiErrorMessage=True), reply("m3"))
    sandbox.run()
    assert set(sandbox.outputs()) == {"m3"}


def test_titles(sandbox: Sandbox) -> None:
    """A title is recorded when it changes."""
    for title in ("one", "one", "two", "one"):
        sandbox.write({"type": "custom-title", "customTitle": title, "sessionId": SID})
    sandbox.write(reply("m1"))
    sandbox.run()
    sandbox.write({"type": "custom-title", "customTitle": "one", "sessionId": SID})
    sandbox.run()
    assert [event["title"] for event in sandbox.events("session.titled")] == ["one", "two", "one"]
