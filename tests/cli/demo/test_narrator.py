"""How the demo prints a call: what it is about, what it appended, what the hook answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cli.demo.narrator import Narrator, _answer, _subject
from cli.scope import Scope


@pytest.mark.parametrize(
    ("data", "subject"),
    [({"prompt": "fix it"}, '"fix it"'), ({"source": "startup"}, "startup"),
     ({"tool_name": "Edit", "tool_input": {"file_path": "a.py"}}, "Edit a.py"),
     ({"tool_name": "Bash", "tool_input": {"command": "make"}}, "Bash make"),
     ({"trigger": "auto"}, "auto"), ({}, "")],
)  # fmt: skip
def test_what_a_call_is_about(data: dict[str, Any], subject: str) -> None:
    """A prompt, a tool call or a source."""
    assert _subject(data) == subject


BOTH = {"hookSpecificOutput": {"additionalContext": "for Claude"}, "systemMessage": "for you"}


@pytest.mark.parametrize(
    ("text", "found"),
    [(json.dumps(BOTH), {"context": "for Claude", "message": "for you"}),
     ("keep the decisions", {"plain": "keep the decisions"})],
)  # fmt: skip
def test_who_gets_an_answer(text: str, found: dict[str, str]) -> None:
    """Each part of a hook's output is for the one who reads it; plain text is for the summary."""
    assert _answer(text).texts == found


def test_a_call_is_printed_with_what_it_appended(workspace, capsys) -> None:
    """Each call shows the events since the one before, within 80 columns."""
    scope = Scope({**workspace.env, "COLUMNS": "200"}, cwd=str(workspace.project))
    env = {**workspace.env, "CLAUDE_PROJECT_DIR": str(workspace.project)}
    narrator = Narrator(scope, env)
    workspace.hook("SessionStart", source="startup")
    narrator.hook("09:00", {"hook_event_name": "SessionStart", "source": "startup"}, "")
    first = capsys.readouterr().out
    assert first.startswith("09:00  SessionStart startup\n")
    assert "+ #2   session.started" in first
    workspace.hook("UserPromptSubmit", prompt="x" * 200)
    narrator.hook("09:01", {"hook_event_name": "UserPromptSubmit", "prompt": "x" * 200}, "")
    second = capsys.readouterr().out
    assert "session.started" not in second
    assert "prompt.submitted" in second
    assert all(len(line) <= 80 for line in (first + second).splitlines())
