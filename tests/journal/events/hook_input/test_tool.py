"""Events of tool calls: what was done to what, never the contents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.journal.events.hook_input.made import event_of
from tests.support.rows import each

CONTENT = "the content of a file"


def called(tool: str, tool_input: dict[str, Any], response: Any = None, **more: Any) -> Any:
    """Return the event of a successful call."""
    return event_of("PostToolUse", tool_name=tool, tool_input=tool_input, tool_response=response,
                    tool_use_id="t1", **more)  # fmt: skip


TARGETS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "a file of the project": ("Edit", {"file_path": "/p/a.py", "old_string": CONTENT}, "a.py", ""),
    "a file elsewhere": ("Read", {"file_path": "/etc/hosts"}, "/etc/hosts", ""),
    "a folder that only begins alike": ("Read", {"file_path": "/pq/a"}, "/pq/a", ""),
    "a command": ("Bash", {"command": "ls -l", "description": CONTENT}, "ls -l", ""),
    "a search": ("Grep", {"pattern": "x", "path": "src"}, "x", "src"),
    "a skill": ("Skill", {"skill": "p:x", "args": "now"}, "p:x", "now"),
    "a subagent": ("Agent", {"description": "look", "subagent_type": "scout", "prompt": CONTENT},
                   "look", "scout"),
    "a task by number": ("TaskUpdate", {"taskId": 3, "status": "completed"}, "3", "completed"),
    "an unknown tool": ("mcp__x__y", {"query": CONTENT}, "", ""),
    "input of another kind": ("Bash", {"command": ["ls"]}, "", ""),
}  # fmt: skip


@each("name", TARGETS)
def test_what_a_call_is_about(name: str) -> None:
    """The target names a file, command or skill; the content of a call is only measured."""
    tool, tool_input, target, subject = TARGETS[name]
    event = called(tool, tool_input, {"content": CONTENT})
    assert (event.get("target", ""), event.get("subject", "")) == (target, subject)
    assert CONTENT not in json.dumps(event)
    assert event["output_size"] == len(CONTENT)
    assert event["input_size"] > 0


@pytest.mark.parametrize(
    ("tool", "target"),
    [("Edit", "a.py"), ("Skill", "p:x"), ("Bash", ""), ("Grep", ""), ("WebFetch", "")],
)
def test_the_minimal_level_has_names_only(tool: str, target: str) -> None:
    """Paths and names of skills stay; commands, patterns and addresses are content."""
    members = {"file_path": "/p/a.py", "skill": "p:x", "command": "ls", "pattern": "x", "url": "u"}
    event = called(tool, members, {"stdout": "x"}, level="minimal")
    assert event.get("target", "") == target
    assert "subject" not in event


OUTPUTS: dict[str, tuple[Any, int]] = {
    "a text": ("abc", 3),
    "of a shell": ({"stdout": "abc", "stderr": "x"}, 3),
    "of a file": ({"file": {"content": "abcd"}}, 4),
    "something else": ({"a": 1}, len('{"a":1}')),
    "a word that may be a password": ({"stdout": "qv7Rx" + "\n"}, 6),
    "a longer one": ({"stdout": 401 * "x"}, 401),
    "nothing": (None, 0),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_size_and_digest_of_an_output(name: str) -> None:
    """Equal outputs have equal digests; one that may be recorded whole or guessed has none."""
    response, size = OUTPUTS[name]
    event = called("Read", {}, response)
    assert event.get("output_size", 0) == size
    assert ("digest" in event) is (size > 400)
    assert event.get("digest") == called("Read", {"more": 1}, response).get("digest")


@pytest.mark.parametrize(
    ("response", "status", "tests"),
    [({"stdout": "2 failed"}, "", "failed"), ({"stdout": "2 passed"}, "", "passed"),
     ({"stdout": "", "backgroundTaskId": "b1"}, "background", ""),
     ({"stdout": "2 failed", "interrupted": True}, "interrupted", "")],
    ids=["red", "green", "still running", "interrupted"],
)  # fmt: skip
def test_the_result_of_tests(response: dict[str, Any], status: str, tests: str) -> None:
    """A run that nobody knows the end of has neither passed nor failed."""
    event = called("Bash", {"command": "pytest -q"}, response)
    assert (event.get("status", ""), event.get("tests", "")) == (status, tests)
    assert ("error" in event) is (tests == "failed")


def test_a_failed_call_has_the_lines_that_tell() -> None:
    """A short error stands whole; of a long one the lines with the cause, not its beginning."""

    def of(error: str, **more: Any) -> dict[str, Any]:
        return event_of("PostToolUseFailure", tool_name="Bash", tool_use_id="t1", error=error,
                        tool_input={"command": "npm test"}, **more)  # fmt: skip

    assert of("no such file")["error"] == "no such file"
    long = "Exit code 1\n" + "ok line\n" * 200 + "TypeError: total is not a number\n" + "ok\n" * 200
    event = of(long)
    assert "TypeError: total is not a number" in event["error"]
    assert len(event["error"]) <= 400
    assert (event["output_size"], event["tests"]) == (len(long), "failed")
    assert "error" not in of(long, level="minimal")


@pytest.mark.parametrize(
    "how", [{"is_interrupt": True}, {"error": "Exit\n[Request interrupted by user for tool use]"}]
)
def test_a_call_that_the_user_stopped(how: dict[str, Any]) -> None:
    """It is interrupted, and its tests neither passed nor failed."""
    given = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_use_id": "t1"}
    event = event_of("PostToolUseFailure", **{"error": "x", **given, **how})
    assert (event["interrupted"], event.get("tests", "")) == (True, "")


def test_an_error_has_no_colors() -> None:
    """The escapes of a terminal neither stand in an error nor hide one from its detection."""
    output = "\x1b[31m│\x1b[0m \x1b[1m\x1b[31mError: \x1b[0mno such region"
    failed = event_of("PostToolUseFailure", tool_name="Bash", tool_use_id="t1", error=output)
    assert failed["error"] == "│ Error: no such region"
    assert failed["output_size"] == len(output)
    piped = {"command": "terraform plan 2>&1 | tail -5"}
    assert called("Bash", piped, {"stdout": output})["error"] == "│ Error: no such region"


ITEMS: dict[str, tuple[str, dict[str, Any], Any, list[list[str]]]] = {
    "a whole list": ("TodoWrite", {"todos": [{"content": "a", "status": "pending"}, "odd"]}, {},
                     [["1", "a", "pending"]]),
    "a new task": ("TaskCreate", {"subject": "a"}, {"task": {"id": "7"}}, [["7", "a", "pending"]]),
    "a changed task": ("TaskUpdate", {"taskId": "7", "status": "completed"}, {},
                       [["7", "", "completed"]]),
    "a listing": ("TaskList", {}, {"tasks": [{"id": "7", "subject": "a", "status": "pending"}]},
                  [["7", "a", "pending"]]),
    "another tool": ("Bash", {"command": "ls"}, {"tasks": [{"id": "7"}]}, []),
}  # fmt: skip


@pytest.mark.parametrize("name", ITEMS)
def test_items_of_the_task_tools(name: str) -> None:
    """Claude Code's own tasks are recorded as id, text and status."""
    tool, tool_input, response, items = ITEMS[name]
    assert called(tool, tool_input, response).get("items", []) == items
    assert "items" not in called(tool, tool_input, response, level="minimal")


def test_calls_are_told_apart_by_their_id() -> None:
    """The id of the call is its key; without one each call counts."""
    assert called("Bash", {"command": "a"})["key"] == called("Bash", {"command": "b"})["key"]
    without = event_of("PostToolUse", tool_name="Bash", tool_input={"command": "a"})
    assert without["key"].endswith(".")


def test_a_progress_file_saves_its_phases() -> None:
    """What a hook read from an edited progress file follows the call."""
    from tests.journal.events.hook_input.made import built

    phases = [{"skill": "discover", "phase": "1"}, {"skill": "discover", "phase": "2"}]
    events = built("PostToolUse", tool_name="Write", tool_input={}, facts={"progress": phases})
    assert [event["type"] for event in events] == ["tool.finished", *["progress.saved"] * 2]
    assert [event["phase"] for event in events[1:]] == ["1", "2"]
