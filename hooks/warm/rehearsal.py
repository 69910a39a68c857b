"""Warm up a waiting process before its request comes, by the steps of a call that write nothing.

A forked process copies each memory page at its first change, and reference counts change most pages
that a call touches. Copying them ahead of time keeps that out of the time a tool call waits.
Invariant: no event is appended and no lock taken; errors are ignored.
"""

from __future__ import annotations

from contextlib import suppress

from hooks.capture import Recording, parsed
from hooks.context import Context
from journal.codec import digest, dumps
from journal.events.hook_input import Call
from journal.log.record import prepare_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT = "a line of output\n" * 20


def rehearse(env: Mapping[str, str]) -> None:
    """Handle a tool call that never happened, up to the log."""
    project = env.get("CLAUDE_PROJECT_DIR", "")
    raw = dumps(
        {
            "session_id": env.get("CLAUDE_CODE_SESSION_ID", "rehearsal"),
            "transcript_path": "",
            "cwd": project,
            "hook_event_name": "PostToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": "true"},
            "tool_response": {"stdout": _TEXT, "stderr": "", "interrupted": False},
            "tool_use_id": "toolu_rehearsal",
            "duration_ms": 1,
        }
    )
    with suppress(Exception):
        data, fault = parsed(raw)
        context = Context(env, project, {"tokens": 1, "window": 200_000})
        call = Call(data, digest(raw), context.project.root, context.settings)
        recording = Recording(call, context)
        recording.prepare(raw, fault)
        recording.may_answer(b"")
        prepare_all([*filter(None, [recording.reading]), *recording.events], context.iso)
