"""Builders of tool calls: tool, target, result and sizes, never contents."""

from __future__ import annotations

from journal.codec import digest
from journal.events.hook_input import Call, as_json, clip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# tool → members of its input that become (target, subject)
ABOUT: dict[str, tuple[str, str]] = {
    "Bash": ("command", ""),
    "Read": ("file_path", ""),
    "Write": ("file_path", ""),
    "Edit": ("file_path", ""),
    "MultiEdit": ("file_path", ""),
    "NotebookEdit": ("notebook_path", ""),
    "Grep": ("pattern", "path"),
    "Glob": ("pattern", "path"),
    "WebFetch": ("url", ""),
    "WebSearch": ("query", ""),
    "Skill": ("skill", "args"),
    "Agent": ("description", "subagent_type"),
    "Task": ("description", "subagent_type"),
    "TaskCreate": ("subject", ""),
    "TaskUpdate": ("taskId", "status"),
}
CHANGING = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit"))
_PATHS = frozenset(("file_path", "notebook_path"))
# Targets that are names, not content: also recorded under the minimal capture level.
_NAMES = _PATHS | {"skill", "taskId"}
# Tools that the views of work need: the short form has their target and subject.
_STATE = frozenset(("Skill", "TaskCreate", "TaskUpdate", "TodoWrite", "TaskList"))
# Status of commands without a known result: whether their tests passed is unknown.
UNFINISHED = frozenset(("background", "interrupted"))
# End of the error of a call that the user stopped with Esc; its `is_interrupt` is false.
_STOPPED = "[Request interrupted by user for tool use]"
_HIDING = ("|", "$?", "; true", ";true")  # after these, Claude Code gets another status
_ITEMS = 60
_ERROR = 400  # characters of an error that are recorded
# Every command that runs tests contains one of these, or its output has a report; most do not.
_TEST_HINTS = (
    "test,Test,spec,tox,nox,jest,mocha,ava,karma,trial,ward,pest,phpunit,prove,bats,busted,cypress,"
    "check,Check,verify,.t,npm t,cargo t,cucumber,behav,robot,codecept,tap,wdio,nightwatch,nose,"
    "green,ptw,ginkgo,e2e,eunit,rebar3 ct,coverage"
).split(",")
_REPORT = 1000  # characters of an output's end that have its report
_REPORTS = (
    " passed in |test result: |Tests run: | passing (| examples, | tests passed|--- FAIL: |Ran "
    "|OK (|Tests: |ok  \t|[  PASSED  ] | Tests  "
).split("|")
# Tools that the user answers.
_PERSON = frozenset(("AskUserQuestion", "ExitPlanMode"))


def finished(call: Call) -> list[dict[str, Any]]:
    """Build the event of PostToolUse."""
    response = call.data.get("tool_response")
    tool = call.word("tool_name", 120)
    if call.short and tool not in _PERSON:
        return [_short(call, "tool.finished", tool), *_progress(call)]
    output = output_of(response)
    status = _status(response)
    plain = _without_colors(output)
    tests = "" if status in UNFINISHED else _tests(call, tool, plain)
    hidden = tool == "Bash" and not tests and _hides_failure(call, plain)
    about: dict[str, Any] = about_of(call, tool)
    if call.full and tool in _PERSON:
        from journal.events.hook_input import person

        given, answered = call.object_of("tool_input"), call.object_of("tool_response")
        about = person.answers_of(tool, given, answered)
        about["target"] = call.relative(about.get("target"))
    return [
        call.event(
            "tool.finished",
            _key(call),
            tool=tool,
            use=call.id_of("tool_use_id"),
            **about,
            ms=call.count("duration_ms"),
            input_size=_size(call.data.get("tool_input")),
            output_size=len(output),
            digest=_digest(output),
            changed=tool in CHANGING,
            tests=tests,
            error=_error_text(call, plain) if tests == "failed" or hidden else "",
            status=status,
            items=_items(call, tool),
        ),
        *_progress(call),
    ]


def failed(call: Call) -> list[dict[str, Any]]:
    """Build the event of PostToolUseFailure."""
    tool = call.word("tool_name", 120)
    if call.short:
        return [_short(call, "tool.failed", tool)]
    error = call.data.get("error")
    text = error if isinstance(error, str) else ""
    plain, stopped = _without_colors(text), _is_interrupted(call)
    return [
        call.event(
            "tool.failed",
            _key(call),
            tool=tool,
            use=call.id_of("tool_use_id"),
            **about_of(call, tool),
            ms=call.count("duration_ms"),
            input_size=_size(call.data.get("tool_input")),
            output_size=len(text),
            digest=_digest(text),
            error=_error_text(call, plain),
            tests="" if stopped else _tests(call, tool, plain, failed=True),
            interrupted=stopped,
        )
    ]


def _is_interrupted(call: Call) -> bool:
    error = call.data.get("error")
    stopped = isinstance(error, str) and error.endswith(_STOPPED)
    return stopped or call.data.get("is_interrupt") is True


def _progress(call: Call) -> list[dict[str, Any]]:
    return [call.event("progress.saved", "", **body) for body in call.facts.get("progress", ())]


def _short(call: Call, kind: str, tool: str) -> dict[str, Any]:
    """Build the short form: tool, duration, result, and what the views need.

    The views need changed files, skills, tasks, and whether tests failed.
    """
    failed = kind == "tool.failed"
    changed = not failed and tool in CHANGING
    stopped = failed and _is_interrupted(call)
    status = "interrupted" if stopped else _status(call.data.get("tool_response"))
    output = output_of(call.data.get("tool_response")) if tool == "Bash" and not failed else ""
    body: dict[str, Any] = {
        "tool": tool,
        "use": call.id_of("tool_use_id"),
        **(about_of(call, tool) if changed or tool in _STATE else {}),
        "ms": call.count("duration_ms"),
        "tests": "" if status in UNFINISHED else _tests(call, tool, output, failed=failed),
        "short": True,
    }
    if failed:
        body["interrupted"] = stopped
    else:
        body["changed"] = changed
        body["items"] = _items(call, tool)
        body["status"] = status if tool in _STATE or status in UNFINISHED else ""
    return call.event(kind, _key(call), **body)


def _tests(call: Call, tool: str, output: str, *, failed: bool = False) -> str:
    command = call.object_of("tool_input").get("command") if tool == "Bash" else None
    if not isinstance(command, str):
        return ""
    end = output[-_REPORT:]
    if not (any(map(command.__contains__, _TEST_HINTS)) or any(map(end.__contains__, _REPORTS))):
        return ""
    from journal.events.hook_input.testing import outcome

    return outcome(command, output, failed=failed)


def _hides_failure(call: Call, output: str) -> bool:
    """Return whether a command failed before a pipe or `; true`, whose status Claude Code got."""
    command = call.object_of("tool_input").get("command")
    if not isinstance(command, str) or not any(map(command.__contains__, _HIDING)):
        return False
    from journal.events.hook_input.report import shows_error

    return shows_error(command, output)


def _digest(output: str) -> str:
    """Return the digest of an output; "" for a short one: it would confirm a guessed password."""
    return "b2:" + digest(output) if len(output) > _ERROR else ""


def _without_colors(output: str) -> str:
    if "\x1b[" not in output:
        return output
    from journal.redaction import without_colors

    return without_colors(output)


def _error_text(call: Call, output: str) -> str:
    """Return a short error whole, else its most relevant lines, redacted before clipping."""
    if not call.full:
        return ""
    if len(output) <= _ERROR:
        return output
    from journal.error_lines import error_summary

    if "<private" in output.lower():
        output = call.redacted(output)
    return clip(call.redacted(error_summary(output)), _ERROR)


def _key(call: Call) -> str:
    return call.once(call.id_of("tool_use_id"), call.word("tool_name"))


def about_of(call: Call, tool: str) -> dict[str, str]:
    """Return target and subject of a call, if the settings allow to record them."""
    tool_input = call.object_of("tool_input")
    target_name, subject_name = ABOUT.get(tool, ("", ""))
    target = tool_input.get(target_name)
    if target_name == "taskId" and type(target) is int:
        target = str(target)
    about = {}
    if call.full or target_name in _NAMES:
        if target_name in _PATHS:
            about["target"] = call.relative(target)
        else:
            about["target"] = clip(target, 200)
    if call.full and subject_name:
        about["subject"] = clip(tool_input.get(subject_name), 120)
    return about


def output_of(response: object) -> str:
    """Return the text of a tool's response; size and digest are taken from it."""
    if isinstance(response, str):
        return response
    if isinstance(response, dict):
        for name in ("stdout", "content", "newString"):
            value = response.get(name)
            if isinstance(value, str):
                return value
        file = response.get("file")
        if isinstance(file, dict) and isinstance(file.get("content"), str):
            return str(file["content"])
    if response is None:
        return ""
    return as_json(response)


def _status(response: object) -> str:
    if not isinstance(response, dict):
        return ""
    if isinstance(response.get("backgroundTaskId"), str):
        return "background"
    if response.get("interrupted") is True:
        return "interrupted"
    return clip(response.get("status"), 40)


def _size(value: object) -> int:
    return len(as_json(value)) if isinstance(value, dict) else 0


def _items(call: Call, tool: str) -> list[list[str]]:
    """Return the items of the client's task tools as [id, text, status]."""
    if not call.full or not tool.startswith(("Task", "Todo")):
        return []
    given, response = call.object_of("tool_input"), call.object_of("tool_response")
    tasks: list[tuple[object, object, object]] = []
    if tool == "TodoWrite":
        tasks = [
            (str(number), item.get("content"), item.get("status"))
            for number, item in enumerate(_listed(given, "todos"), 1)
            if isinstance(item, dict)
        ]
    elif tool == "TaskCreate" and isinstance(task := response.get("task"), dict):
        tasks = [(task.get("id"), given.get("subject"), "pending")]
    elif tool == "TaskUpdate" and isinstance(call.data.get("tool_response"), dict):
        tasks = [(given.get("taskId"), given.get("subject"), given.get("status"))]
    elif tool == "TaskList":
        tasks = [
            (task.get("id"), task.get("subject"), task.get("status"))
            for task in _listed(response, "tasks")
            if isinstance(task, dict)
        ]
    return [
        [clip(name, 20), clip(text, 160), clip(state, 20)] for name, text, state in tasks[:_ITEMS]
    ]


def _listed(members: dict[str, Any], name: str) -> list[Any]:
    value = members.get(name)
    return value if isinstance(value, list) else []
