"""A plugin that records every hook call, to test the harness itself.

Invariant: it answers nothing unless a test stored an answer for it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
)

HOOK = """\
import json, os, sys, time
root = os.path.dirname(os.path.abspath(__file__))
given = json.loads(sys.stdin.read())
path = given.get("transcript_path") or ""
seen = {
    "t": time.time(), "in": given, "pwd": os.getcwd(), "python": sys.executable,
    "transcript": os.path.exists(path),
    "env": {k: v for k, v in os.environ.items() if "TOKEN" not in k and "SOCKET" not in k},
}
with open(root + "/calls.jsonl", "a") as out:
    out.write(json.dumps(seen) + "\\n")
name = given["hook_event_name"]
for key in (name + "." + str(given.get("source") or given.get("trigger")), name):
    answer = root + "/answers/" + key
    if os.path.exists(answer):
        with open(answer) as text:
            sys.stdout.write(text.read())
        break
"""


class Probe:
    """A generated plugin folder, its calls and its answers."""

    def __init__(self, folder: Path, options: tuple[str, ...] = ("-I", "-S")) -> None:
        self.folder = folder
        (folder / ".claude-plugin").mkdir(parents=True)
        (folder / "hooks").mkdir()
        (folder / "answers").mkdir()
        manifest = {"name": "probe", "version": "0.0.1", "description": "writes down hook calls"}
        (folder / ".claude-plugin" / "plugin.json").write_text(json.dumps(manifest))
        handler = {
            "type": "command",
            "command": "python3",
            "args": [*options, "${CLAUDE_PLUGIN_ROOT}/hook.py"],
        }
        hooks = {name: [{"hooks": [handler]}] for name in EVENTS}
        (folder / "hooks" / "hooks.json").write_text(json.dumps({"hooks": hooks}))
        (folder / "hook.py").write_text(HOOK)

    def answer(self, event: str, value: dict[str, Any] | str) -> None:
        """Answer every later call of the event (or `Event.source`) with this output."""
        text = value if isinstance(value, str) else json.dumps(value)
        (self.folder / "answers" / event).write_text(text)

    def tell(self, event: str, context: str) -> None:
        """Answer the event with additional context for the model."""
        name = event.partition(".")[0]
        output = {"hookEventName": name, "additionalContext": context}
        self.answer(event, {"hookSpecificOutput": output})

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The calls so far, in the order in which they were written."""
        path = self.folder / "calls.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text().splitlines()]

    @property
    def names(self) -> list[str]:
        """The event names of the calls, with source or trigger if there is one."""
        named = []
        for call in self.calls:
            given = call["in"]
            detail = given.get("source") or given.get("trigger")
            named.append(given["hook_event_name"] + (f".{detail}" if detail else ""))
        return named
