"""An imported fact equals the event its hook would have recorded, except for key, time and mark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.events.hook_input import Call, build
from journal.history.importer.builder import Builder
from journal.history.importer.owners import ProjectFinder
from journal.history.importer.parser import Parser
from journal.history.importer.records import line_from
from journal.history.importer.state import RecordedKeys
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from tests.journal.history.importer.conftest import Sandbox

COMMON = {"session_id": "s1", "cwd": "/home/dev/shop/src", "prompt_id": "q1"}
WHERE = {"sessionId": "s1", "cwd": "/home/dev/shop/src", "promptId": "q1", "gitBranch": "main"}


def tool(name: str, given: dict[str, Any], output: Any, **more: Any) -> list[dict[str, Any]]:
    """Return the lines of a tool call and its result."""
    call = reply("m1", **WHERE)
    call["message"]["content"] = [{"type": "tool_use", "id": "t1", "name": name, "input": given}]
    result = {"type": "tool_result", "tool_use_id": "t1", "content": output, **more}
    return [call, prompt([result], **WHERE)]


TESTS = {"command": "pytest -q tests"}
FILE = {"type": "text", "file": {"filePath": "a.py", "content": "x", "numLines": 1}}
BACKGROUND = {"stdout": "", "interrupted": False, "backgroundTaskId": "b1"}
CASES: dict[str, tuple[list[dict[str, Any]], str, dict[str, Any]]] = {
    "a read": (tool("Read", {"file_path": "/home/dev/shop/a.py"}, "1→x"), "PostToolUse",
               {"tool_name": "Read", "tool_use_id": "t1", "tool_response": "1→x",
                "tool_input": {"file_path": "/home/dev/shop/a.py"}}),
    "a read with its object": (
        [*tool("Read", {"file_path": "a.py"}, "1→x")[:1],
         {**tool("Read", {"file_path": "a.py"}, "1→x")[1], "toolUseResult": FILE}], "PostToolUse",
        {"tool_name": "Read", "tool_use_id": "t1", "tool_input": {"file_path": "a.py"},
         "tool_response": FILE}),
    "tests that fail": (tool("Bash", TESTS, "== 2 failed, 1 passed"), "PostToolUse",
                        {"tool_name": "Bash", "tool_use_id": "t1", "tool_input": TESTS,
                         "tool_response": "== 2 failed, 1 passed"}),
    "tests in the background": (
        [*tool("Bash", TESTS, "Running.")[:1],
         {**tool("Bash", TESTS, "Running.")[1], "toolUseResult": BACKGROUND}], "PostToolUse",
        {"tool_name": "Bash", "tool_use_id": "t1", "tool_input": TESTS,
         "tool_response": BACKGROUND}),
    "a failure": (tool("Bash", TESTS, "Exit code 1", is_error=True), "PostToolUseFailure",
                  {"tool_name": "Bash", "tool_use_id": "t1", "tool_input": TESTS,
                   "error": "Exit code 1"}),
    "blocks": (tool("Task", {"description": "look", "subagent_type": "x"},
                    [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "PostToolUse",
               {"tool_name": "Task", "tool_use_id": "t1", "tool_response": "a\nb",
                "tool_input": {"description": "look", "subagent_type": "x"}}),
    "no output": (tool("Write", {"file_path": "b.py", "content": "é\u2028\n\x01"}, ""), "PostToolUse",
                  {"tool_name": "Write", "tool_use_id": "t1", "tool_response": "",
                   "tool_input": {"file_path": "b.py", "content": "é\u2028\n\x01"}}),
    "a prompt": ([prompt("fix it", **WHERE)], "UserPromptSubmit", {"prompt": "fix it"}),
    "a long prompt": ([prompt("x" * 900, **WHERE)], "UserPromptSubmit", {"prompt": "x" * 900}),
}  # fmt: skip


@pytest.mark.parametrize("level", ["full", "minimal"])
@pytest.mark.parametrize("name", CASES)
def test_the_form_of_a_hook(sandbox: Sandbox, name: str, level: str) -> None:
    """The members are the same, in the same order."""
    lines, hook, data = CASES[name]
    owners = ProjectFinder(sandbox.env, str(sandbox.home), ())
    to = owners.of_session("s1", WHERE["cwd"])
    settings = {**to.settings, "capture.level": level}
    to.__init__(to.name, to.root, settings)  # type: ignore[misc]
    parser = Parser(Builder(owners.of_session, RecordedKeys(), "s1"))
    for number, line in enumerate(lines):
        parser.parse(line_from(line), number)
    imported = parser.builder.events[-1][1]
    hook_input = {**COMMON, **data, "hook_event_name": hook}
    live = build(Call(hook_input, "", to.root, settings, {"branch": "main"}))[0]
    own = ("key", "ts", "imported")
    assert [item for item in imported.items() if item[0] not in own] == [
        item for item in live.items() if item[0] not in own
    ]
    assert list(imported)[: len(live)] == list(live)
