"""Turns end in a transcript where the Stop hook was called."""

from __future__ import annotations

from typing import Any

import pytest

from tests.journal.history.importer.conftest import SID, Sandbox
from tests.journal.history.importer.lines import prompt, reply


def said(message: str, second: int, stop: str | None = None, *blocks: dict[str, Any]) -> Any:
    """Return a reply that says its name, and then has these blocks."""
    line = reply(message, stop=stop, second=second)
    line["message"]["content"] = [{"type": "text", "text": message}, *blocks]
    return line


def later(line: dict[str, Any], second: int) -> dict[str, Any]:
    """Return a line with another time."""
    return {**line, "timestamp": f"2026-11-20T10:00:{second:02d}.000Z"}


def system(subtype: str, second: int, **more: Any) -> dict[str, Any]:
    """Return a line of the client itself."""
    return later({"type": "system", "subtype": subtype, "sessionId": SID, **more}, second)


CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
RESULT = later(prompt([{"type": "tool_result", "tool_use_id": "t1", "content": "a"}], 5), 4)
NEXT = later(prompt("next", 2), 30)
STOPPED = later(prompt([{"type": "text", "text": "[Request interrupted by user]"}], 3), 9)
SUMMARY = later(prompt("This session is being continued", 4, isCompactSummary=True), 9)

BOUNDARY = system("compact_boundary", 8, compactMetadata={"trigger": "auto"})

ENDED: dict[str, list[dict[str, Any]]] = {
    "the reply says so": [said("m1", 3, "end_turn")],
    "a prompt follows": [said("m1", 3), NEXT],
    "a compaction follows": [said("m1", 3), SUMMARY],
    "a compaction by hand follows": [
        said("m1", 3),
        {**BOUNDARY, "compactMetadata": {"trigger": "manual"}},
        SUMMARY,
    ],
    "a duration follows": [said("m1", 3), system("turn_duration", 4)],
    "a summary of stop hooks follows": [said("m1", 3), system("stop_hook_summary", 4)],
    "after a call": [said("m0", 2, None, CALL), RESULT, said("m1", 3), NEXT],
}
# A line of the client shows the end of a turn whose last reply does not.
SHOWN = {
    "of a call": [said("m1", 3, "tool_use", CALL), RESULT],
    "of a call without a reason": [said("m1", 3, None, CALL), RESULT],
    "without text": [reply("m1", stop=None, second=3)],
    "of an empty text": [reply("m1", stop="end_turn", second=3)],
}
NOT_ENDED: dict[str, list[dict[str, Any]]] = {
    "the user interrupted it": [said("m1", 3), STOPPED],
    "it calls a tool": [said("m1", 3, None, CALL), NEXT],
    "it goes on": [said("m1", 3), said("m2", 4, None, CALL), NEXT],
    "it says nothing": [reply("m1", stop=None, second=3), NEXT],
    "a subagent's turn ends": [
        said("m1", 3),
        system("stop_hook_summary", 4, isSidechain=True),
        said("m2", 5, None, CALL),
    ],
    "the file ends": [said("m1", 3)],
    "an automatic compaction follows": [said("m1", 3), BOUNDARY, SUMMARY],
    "Claude Code asks again for a text": [
        reply("m1", stop="end_turn", second=3),
        later(prompt("[Your previous response had no visible output.]", 6, isMeta=True), 4),
        said("m2", 5, None, CALL),
    ],
}


@pytest.mark.parametrize("name", ENDED)
def test_a_turn_ends(sandbox: Sandbox, name: str) -> None:
    """A last reply without a reason ends its turn, at its own time and once, also read again."""
    sandbox.write(prompt("fix it"), *ENDED[name])
    sandbox.run()
    sandbox.write(system("turn_duration", 40))
    sandbox.run()
    (turn,) = sandbox.events("turn.ended")
    assert (turn["message"], turn["ts"]) == ("m1", "2026-11-20T10:00:03.000Z")


@pytest.mark.parametrize("subtype", ["turn_duration", "stop_hook_summary"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_line_shows_that_a_turn_ended(sandbox: Sandbox, name: str, subtype: str) -> None:
    """The turn ends once, also if an import came between, before which it had not ended."""
    sandbox.write(prompt("fix it"), *SHOWN[name])
    sandbox.run()
    assert sandbox.events("turn.ended") == []
    sandbox.write(system(subtype, 6), system("turn_duration", 7))
    sandbox.run()
    assert [turn["ts"] for turn in sandbox.events("turn.ended")] == ["2026-11-20T10:00:03.000Z"]


@pytest.mark.parametrize("error", ["rate_limit", None, {"status": 401}])
def test_an_api_error_fails_the_turn(sandbox: Sandbox, error: Any) -> None:
    """It is the failed turn that hooks record, once, also if stop hooks ran; a retry is none."""
    failed = said("API Error", 5, "stop_sequence")
    failed |= {"isApiErrorMessage": True, **({"error": error} if error else {})}
    retried = system("api_error", 4, error={"status": 529})
    called = [said("m1", 3, None, CALL), RESULT]
    sandbox.write(prompt("fix it"), *called, retried, failed, system("stop_hook_summary", 6))
    sandbox.run()
    (turn,) = sandbox.events("turn.failed")
    kind = error if isinstance(error, str) else "unknown"
    assert (turn["error"], turn["message"]) == (kind, "API Error")
    assert sandbox.events("turn.ended") == []
    aside = {**failed, "uuid": "aside", "isSidechain": True}
    sandbox.write(aside)
    sandbox.run()
    assert len(sandbox.events("turn.failed")) == 1


@pytest.mark.parametrize("name", NOT_ENDED)
def test_a_turn_goes_on(sandbox: Sandbox, name: str) -> None:
    """A reply that was interrupted, calls a tool or may go on ends no turn."""
    sandbox.write(prompt("fix it"), *NOT_ENDED[name])
    sandbox.run()
    assert sandbox.events("turn.ended") == []


@pytest.mark.parametrize(
    ("error", "count"),
    [
        ("<tool_use_error>String to replace not found in file.</tool_use_error>", 0),
        ("The user doesn't want to proceed with this tool use.", 0),
        ("Claude requested permissions to use WebFetch, but you haven't granted it yet.", 0),
        ("Permission to use Bash with command rm has been denied.", 0),
        ("Permission for this tool use was denied. It requires approval.", 0),
        ("PreToolUse:Bash hook error: rm is forbidden here, use git rm", 0),
        ("PostToolUse:Bash hook error: seen after the call", 1),
        ("[Request interrupted by user for tool use]", 0),
        ("[Tool call interrupted: the session ended before this call's result was recorded …", 0),
        ("[Agent call interrupted: the process running this conversation stopped …]", 0),
        ("Exit code 1", 1),
        ("Request failed with status code 404", 1),
    ],
)
def test_a_call_that_never_ran_is_none(sandbox: Sandbox, error: str, count: int) -> None:
    """Hooks are not called for a refused, invalid or cut off call: it does not count as failed."""
    result = {"type": "tool_result", "tool_use_id": "t1", "content": error, "is_error": True}
    sandbox.write(prompt("fix it"), said("m0", 2, None, CALL), later(prompt([result], 5), 4))
    sandbox.run()
    assert len(sandbox.events("tool.failed")) == count
    assert sandbox.events("tool.finished") == []
