"""What PreCompact reads from the end of a transcript."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from hooks.transcript_facts import read_facts
from journal.config.schema import DEFAULTS
from journal.events.hook_input import Call

if TYPE_CHECKING:
    from pathlib import Path

SID = "11111111-aaaa-4bbb-8ccc-000000000001"
SECRET = "ghp_" + "aB3" * 12
REFUSED = "The user doesn't want to proceed with this tool use. the user said: No, use decimals for every total of the cart instead.\n\nNote: x"


def line(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """Return a line of a transcript."""
    return {"parentUuid": None, "type": kind, "uuid": f"u{id(content)}", "sessionId": SID,
            "timestamp": "2026-11-20T10:00:00.000Z", "message": {"role": kind, "content": content},
            **more}  # fmt: skip


def said(text: str, **more: Any) -> dict[str, Any]:
    """Return a line with a text of Claude."""
    return line("assistant", [{"type": "text", "text": text}], **more)


def facts(
    tmp_path: Path, *lines: dict[str, Any], settings: dict[str, Any] | None = None, **data: Any
) -> dict[str, Any] | None:
    """Return the event that a PreCompact makes of these lines."""
    path = tmp_path / f"{SID}.jsonl"
    path.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines))
    given = {
        "hook_event_name": "PreCompact",
        "session_id": SID,
        "transcript_path": str(path),
        **data,
    }
    values = {**DEFAULTS, **(settings or {})}
    context: Any = SimpleNamespace(settings=values)
    return read_facts(Call(given, "", str(tmp_path), values, {}), context)


BECAUSE = "The totals differ because the cart rounds each line before it adds the tax."


def test_what_claude_found_and_the_user_refused(tmp_path: Path) -> None:
    """Reasons of Claude, refused calls and what the user said to them are in the event, redacted."""
    use = [
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": f"deploy {SECRET}"}}
    ]
    result = [{"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": REFUSED}]
    event = facts(tmp_path, said(BECAUSE), line("assistant", use), line("user", result))
    assert event is not None
    assert event["type"] == "compact.gathered"
    assert any("because the cart rounds" in text for text in event["reasons"])
    (call,) = event["calls"]
    assert call.startswith("Bash deploy")
    assert call.endswith("\nNo, use decimals for every total of the cart instead.")
    assert "use decimals" in str(event["refused"])
    assert SECRET not in json.dumps(event)


def test_only_what_came_after_the_last_compaction_counts(tmp_path: Path) -> None:
    """Facts from before a boundary, of subagents and of the summary itself are left out."""
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "sessionId": SID,
                "timestamp": "2026-11-20T10:00:00.000Z"}  # fmt: skip
    old = [said(BECAUSE), boundary, said(BECAUSE, isSidechain=True)]
    assert facts(tmp_path, *old) is None
    summary = line("user", BECAUSE, isCompactSummary=True)
    assert facts(tmp_path, *old, summary) is None
    assert facts(tmp_path, *old, said(BECAUSE)) is not None


def test_a_stopped_compaction_is_no_rewind(tmp_path: Path) -> None:
    """Esc during /compact leaves the mark of a rewind, but the conversation goes on."""
    caveat = "<local-command-caveat>The command below was run directly</local-command-caveat>"
    mark = {"type": "last-prompt", "leafUuid": "00000000-0000-0000-0000-000000000000"}
    for previous, withdrawn in (("c1", None), ("u1", ["Plan the parser"])):
        event = facts(
            tmp_path,
            line("user", "Plan the parser", uuid="p1"),
            said(BECAUSE, uuid="u1"),
            line("user", caveat, uuid="c1", parentUuid="u1", isMeta=True),
            line("user", "Use BETA", uuid="p2", parentUuid=previous),
            mark,
            said("The parser fails because BETA drops its commas."),
        )
        assert event is not None
        assert event.get("withdrawn", [])[:1] == (withdrawn or [])


OFF: list[dict[str, Any]] = [
    {"settings": {"recovery.transcript": False}}, {"settings": {"capture.level": "minimal"}},
    {"settings": {"capture.prompts": False}}, {"agent_id": "a1"}, {"hook_event_name": "Stop"},
    {"transcript_path": ""}, {"transcript_path": "/nowhere/t.jsonl"},
]  # fmt: skip


@pytest.mark.parametrize("more", OFF, ids=str)
def test_where_nothing_is_read(tmp_path: Path, more: dict[str, Any]) -> None:
    """Settings, a subagent, another hook and a missing transcript read nothing."""
    assert facts(tmp_path, said(BECAUSE), **more) is None


def test_the_report_of_a_background_subagent(tmp_path: Path) -> None:
    """A report in Claude Code's notice counts as one in the result of a call; the notice does not."""
    notice = f"<task-notification>\n<note>Never stop.</note>\n<result>{BECAUSE}</result>\n</task-notification>"
    event = facts(tmp_path, line("user", notice))
    assert event is not None
    assert event["reasons"] == [BECAUSE]
    assert "Never stop" not in json.dumps(event)


def test_pasted_content_is_no_word_of_the_user(tmp_path: Path) -> None:
    """Of a long prompt only what the user wrote is an instruction or a refusal."""
    paste = '<pasted_content id="1">\nAlways push to main at once.\n' + "it ran\n" * 150
    event = facts(
        tmp_path,
        line("user", f'Find out why.\n\n{paste}</pasted_content id="1">\nNever push, only look.'),
    )
    assert event is not None
    assert event["said"] == ["Never push, only look."]
