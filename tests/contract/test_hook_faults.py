"""Every system call of every hook and of an import fails once: no harm and no silent loss."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from journal.log.verify import verify
from tests.cases.world import ROOT, World
from tests.contract.output_schema import problems
from tests.journal.log.faults import FAULTS, SHORT, TIMES, shim

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["shim"]

HOOKS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "resume"},
    "UserPromptSubmit": {"prompt": "go on", "prompt_id": "p9"},
    "UserPromptExpansion": {"command_name": "journal:status", "command_args": ""},
    "PostToolUse": {"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_use_id": "t9",
                    "tool_response": {"stdout": ""}},
    "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {"command": "x"}, "error": "no",
                           "tool_use_id": "t9"},
    "Stop": {"stop_hook_active": False, "last_assistant_message": "Done."},
    "StopFailure": {"error": "overloaded"},
    "PreCompact": {"trigger": "auto"},
    "PostCompact": {"trigger": "auto", "compact_summary": "<summary>S.</summary>"},
    "SubagentStart": {"agent_id": "a1", "agent_type": "x"},
    "SubagentStop": {"agent_id": "a1", "agent_type": "x", "last_assistant_message": "m"},
    "PostModelSwitch": {"old_model": "a", "new_model": "b"},
    "Notification": {"message": "m", "notification_type": "idle_prompt"},
    "SessionEnd": {"reason": "other"},
}  # fmt: skip
ALWAYS = ("open", "flock", "write")  # calls that every hook and every import makes
IN_DEFAULT = {("PostToolUse", "write", errno.ENOSPC), ("PostToolUse", "flock", errno.EIO),
              ("PreCompact", "write", errno.EIO), ("Stop", "pread", errno.EIO),
              ("SessionStart", "write", SHORT)}  # fmt: skip


def _cases() -> list[Any]:
    return [
        pytest.param(
            hook, call, code, id=f"{hook}-{call}-{errno.errorcode.get(code, 'short')}",
            marks=[] if (hook, call, code) in IN_DEFAULT else pytest.mark.long,
        )
        for hook in HOOKS
        for call, code in FAULTS
    ]  # fmt: skip


def _accounted(world: World) -> int:
    """Count events in the log, spool files, missed events and lines of the error log."""
    spool = list(world.journal.glob("*/spool/*.jsonl"))
    missed = sum(path.stat().st_size for path in world.journal.glob("*/missed"))
    gaps = sum(event["missed"] for event in world.events("journal.gap"))
    noted = world.journal / "hook-errors.log"
    lines = len(noted.read_text().splitlines()) if noted.exists() else 0
    return len(world.events()) + len(spool) + missed + gaps + lines


@pytest.mark.parametrize(("hook", "call", "code"), _cases())
def test_a_failing_call_never_harms_a_hook(
    make_world: Callable[..., World], shim: Path, hook: str, call: str, code: int
) -> None:
    """The hook exits 0, prints a valid answer or nothing, keeps the log valid and accounts for its event."""
    world = make_world(inline=True)
    world.worked()
    for nth in range(1, TIMES):
        before = _accounted(world)
        fault = {"LD_PRELOAD": str(shim), "FAULT": f"{call}:{nth}:{code}",
                 "FAULT_HOME": str(world.journal)}  # fmt: skip
        fields = {**HOOKS[hook], "tool_use_id": f"t{nth}", "prompt_id": f"p{nth}"}
        if "agent_id" in fields:
            fields["agent_id"] = f"a{nth}"
        payload = {"session_id": world.sid, "cwd": str(world.project), "hook_event_name": hook,
                   "transcript_path": str(world.transcript()), **fields}  # fmt: skip
        world.after(seconds=1)
        reply = world.feed(json.dumps(payload).encode(), hook, env=fault, checked=False)
        assert reply.code == 0
        assert reply.err in ("", "struck\n")
        assert problems(hook, reply.out) == []
        assert _accounted(world) > before, "an event is gone without a word"
        world.after(seconds=1)
        world.tool()
        assert verify(str(world.directory)).exit_code == 0
        if not reply.err:
            assert nth > 1 or call not in ALWAYS, "the fault never struck"
            return
    pytest.fail("the fault struck each time")


STEPS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233)  # an import makes several hundred calls
IMPORT = [
    pytest.param(
        call, code, id=f"{call}-{errno.errorcode.get(code, 'short')}",
        marks=[] if (call, code) == ("write", errno.EIO) else pytest.mark.long,
    )
    for call, code in FAULTS
]  # fmt: skip


@pytest.mark.parametrize(("call", "code"), IMPORT)
def test_a_failing_call_never_harms_an_import(
    make_world: Callable[..., World], shim: Path, call: str, code: int
) -> None:
    """A failed import says so and leaves valid logs; the next one adds what is missing, once."""
    world = make_world(inline=True)
    lines = [
        {"type": "user", "uuid": f"u{n}", "sessionId": world.sid, "cwd": str(world.project),
         "timestamp": f"2026-11-20T10:00:{n:02}.000Z", "isSidechain": False, "userType": "external",
         "message": {"role": "user", "content": f"prompt {n}"}}
        for n in range(5)
    ]  # fmt: skip
    world.transcript().parent.mkdir(parents=True)
    world.transcript().write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = [sys.executable, "-m", "cli", "import", "--json"]
    for nth in STEPS:
        env = {**world.env(), "PYTHONPATH": str(ROOT)}
        fault = {"LD_PRELOAD": str(shim), "FAULT": f"{call}:{nth}:{code}",
                 "FAULT_HOME": str(world.journal)}  # fmt: skip
        ran = subprocess.run(command, cwd=world.project, env={**env, **fault}, capture_output=True,
                             text=True, check=False, timeout=120)  # fmt: skip
        struck = "struck" in ran.stderr
        assert ran.returncode in (0, 1, 3), ran.stderr
        assert "Traceback" not in ran.stderr
        again = world.run("import", "--json")
        assert again.code == 0, again.err
        logs = list(world.journal.glob("*/imported"))
        assert len(logs) == 1
        assert verify(str(logs[0])).exit_code == 0
        text = (logs[0] / "active.jsonl").read_text()
        assert [text.count(f'"prompt {n}"') for n in range(5)] == [1] * 5
        if not struck:
            assert nth > 1 or call not in ALWAYS, "the fault never struck"
            return
        for path in sorted(world.journal.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
    pytest.fail("the fault struck each time")
