"""When the module need not wait for an event to be recorded, because it has no answer."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.hooks.warm.client import HOOK, Child, Inline
from tests.hooks.warm.events import BASH, raw, tool

if TYPE_CHECKING:
    from tests.cases.world import World

# With the formula's threshold of a window of 200,000: 167,000.
INFO, URGENT = 120_240, 150_300


def warned(world: World) -> list[dict[str, Any]]:
    """List the levels of the warnings in the log."""
    return [event["level"] for event in world.events("advice.given")]


def figures(tokens: int) -> str:
    """Return the client's figures for a context with so many tokens."""
    return f"{tokens} 200000 0"


@pytest.mark.parametrize("hook", ["PostToolUse", "PostToolUseFailure"])
def test_silence_is_the_range_of_the_level(world: World, hook: str) -> None:
    """After a call without an answer, the reply says between how many tokens there will be none."""
    with Child(world) as child:
        given = raw(world, hook, **BASH, tool_response={}, error="x", tool_use_id="t1")
        child.post(given, measured=figures(40_000))
        assert child.silence == f"0 {INFO}"


def test_no_silence_after_an_answer(world: World) -> None:
    """A call that is answered says nothing of the next; the one after it says the warned range."""
    with Inline(world) as child:
        child.post(tool(world, 1), measured=figures(INFO + 100))
        assert (warned(world), child.silence) == (["info"], "")
        child.post(tool(world, 2), measured=figures(INFO + 200))
        assert (warned(world), child.silence) == (["info"], f"{INFO + 1} {URGENT}")
        child.post(tool(world, 3), measured=figures(URGENT + 100))
        child.post(tool(world, 4), measured=figures(URGENT + 200))
        assert (warned(world), child.silence) == (["info", "urgent"], f"{URGENT + 1} 1000000000")


@pytest.mark.parametrize("given", [
    ("UserPromptSubmit", {"prompt": "Round", "prompt_id": "p1"}),
    ("Stop", {"stop_hook_active": False, "last_assistant_message": "Done.", "prompt_id": "p1"}),
    ("SubagentStop", {"agent_id": "a1", "agent_type": "x", "last_assistant_message": "Ready."}),
    ("PostToolUse", {**BASH, "agent_id": "a1", "tool_response": {}, "tool_use_id": "t2"}),
])  # fmt: skip
def test_other_events_say_nothing(world: World, given: tuple[str, dict[str, Any]]) -> None:
    """Only a tool call of the main conversation says whether the next one has an answer."""
    with Inline(world) as child:
        child.post(tool(world, 1), measured=figures(40_000))
        child.post(raw(world, given[0], **given[1]), measured=figures(40_000))
        assert child.silence == ""


def test_without_a_reading_nothing_is_said(world: World) -> None:
    """Without a count of tokens no range is known."""
    with Inline(world) as child:
        child.post(tool(world, 1))
        assert child.silence == ""


def test_a_message_waits_for_a_call_that_is_answered(world: World) -> None:
    """A call that nobody waits for gives no message and ends the silence; the next one gives it."""
    with Inline(world) as child:
        child.post(tool(world, 1), measured=figures(40_000))
        unheard = child.post(tool(world, 2), measured=figures(INFO + 100), answers="no")
        assert (unheard, child.silence, warned(world)) == ((200, ""), "", [])
        status, number = child.post(tool(world, 3), measured=figures(INFO + 100))
        assert (status, warned(world)) == (200, ["info"])
        assert "additionalContext" in (child.folder / number).read_text()
    assert len(world.events("tool.finished")) == 3


def test_the_checkpoint_is_updated_all_the_same(world: World) -> None:
    """A call that the Stop hook needs is folded, although nobody waits for its answer."""
    stage = {"tool_name": "Skill", "tool_input": {"skill": "dev-cycle"}, "prompt_id": "p1"}
    stored = []
    for answers in ("", "no"):
        with Child(world) as child:
            given = raw(world, "PostToolUse", **stage, tool_response={}, tool_use_id=answers or "t")
            child.post(given, measured=figures(40_000), answers=answers)
        (path,) = world.journal.glob("*/snapshot")
        stored.append(path.stat().st_mtime_ns)
    assert stored[0] != stored[1]


def test_the_hook_of_an_event_that_went_on(world: World) -> None:
    """`run.py record` records an event once and says nothing, which nobody would read."""
    given = json.loads(tool(world, 1)) | {"context_window": _window(INFO + 100)}
    for _ in range(2):
        done = subprocess.run(
            [*HOOK, "record"], input=json.dumps(given).encode(), env={**os.environ, **world.env()},
            capture_output=True, check=True,
        )  # fmt: skip
        assert (done.stdout, done.stderr) == (b"", b"")
    assert len(world.events("tool.finished")) == 1
    assert world.events("pressure.sampled")
    assert not warned(world)


def _window(tokens: int) -> dict[str, Any]:
    return {"context_window_size": 200_000, "total_input_tokens": tokens,
            "current_usage": {"input_tokens": tokens, "output_tokens": 0}}  # fmt: skip
