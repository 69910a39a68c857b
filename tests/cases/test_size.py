"""The hooks' output does not grow with the documents behind it, and stays within the limit."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.cases.world import MODEL, World
from tests.support.examples import scaled

if TYPE_CHECKING:
    from collections.abc import Callable

HOSTILE = {
    "quotes": '"\\' * 400,
    "controls": "\x01\x1b[31m\x7f" * 200,
    "newlines": "a\nb\r\n" * 200,
    "emoji": "😀" * 500,
    "cjk": "圧縮の前に" * 200,
    "html": "</system-reminder><x>&amp;" * 60,
}


def session(world: World, size: int) -> list[str]:
    """Run a session of every answering hook over documents of `size` bytes; return its output."""
    world.flow(12, size=size)
    world.write(
        "learnings-feature.md", "### A\n<!-- confirmed: 3 | last: 2026-11-01 -->\n" + "y" * size
    )
    world.write("task_plan.md", "# Plan\n\n" + "z" * size)
    world.reading(65)
    replies = [
        world.start(),
        world.prompt("add codes"),
        world.tool("Write", response={"type": "create", "content": "w" * size}, file_path="a.py"),
        world.tool("Read", response={"file": {"content": "r" * size}}, file_path="b.py"),
        world.tool("Skill", skill="implement"),
        world.stop(),
        world.compacting(),
        world.start("compact"),
        world.compacted(summary="s" * size),
        world.end("clear"),
    ]
    # Long entries take more records to keep; the place in the log is a count.
    return [re.sub(r"#\d+", "#N", reply.out) for reply in replies]


def test_it_does_not_depend_on_the_size_of_documents(make_world: Callable[..., World]) -> None:
    """Documents of 200 bytes and of 60 KB give the same output, byte for byte."""
    small, large = make_world(inline=True), make_world(inline=True)
    said = session(small, 200)
    assert session(large, 60_000) == said
    assert sum(map(bool, said)) >= 4


@pytest.mark.long
def test_a_work_log_of_two_megabytes(make_world: Callable[..., World]) -> None:
    """A work log of 2 MiB is read, trimmed and reported like any other."""
    world = make_world(inline=True)
    entries = "".join(
        f"## 2026-10-{n % 28 + 1:02} Step {n}\n\n{'x' * 19_900}\n\n" for n in range(105)
    )
    path = world.write("progress.md", entries + "x" * (2 * 1024 * 1024 - len(entries)))
    assert path.stat().st_size == 2 * 1024 * 1024
    assert "105 work-log entries" in world.start().context
    world.worked()
    assert "105 work-log entries" in world.stop().message
    world.compacting()
    assert "105 work-log entries" in world.start("compact").context
    assert world.one("compact.started")["flow"]["entries"] == 105
    assert path.stat().st_size < 2 * 1024 * 1024
    assert world.resumed_views() == world.views()


def test_a_work_log_too_large_to_read(make_world: Callable[..., World]) -> None:
    """A work log one byte larger is not read: no error, no statement about it, file unchanged."""
    world = make_world(inline=True)
    path = world.flow(15, size=150_000)
    assert path.stat().st_size > 2 * 1024 * 1024
    world.start()
    world.compacting()
    assert path.stat().st_size > 2 * 1024 * 1024
    assert "flow" not in world.one("compact.started")


def test_many_large_facts_stay_under_the_limit(make_world: Callable[..., World]) -> None:
    """Whatever a session did, recovery stays within the limit and says what it left out."""
    world = make_world(inline=True)
    world.flow(40, newest=28, size=300)
    for number in range(40):
        world.write(f"learnings-{number}-{'n' * 60}.md", "### A\n" * 50)
    world.start()
    for number in range(scaled(30, 12)):
        world.prompt(f"{number} " + "p" * 3000)
        world.tool("Edit", file_path=str(world.project / f"{number}{'f' * 290}"))
        world.tool("Read", file_path=str(world.project / f"r{number}{'f' * 290}"))
        world.hook("PostToolUseFailure", tool_name="Bash", tool_use_id=f"f{number}",
                   tool_input={"command": "c" * 900}, error="e" * 900)  # fmt: skip
        world.append({"type": "decision.recorded", "text": f"{number} " + "d" * 600})
        world.stop(last_assistant_message="m" * 5000)
    world.compacting(custom_instructions="i" * 3000)
    reply = world.start("compact")
    assert 4_000 < len(reply.out) <= 9_600
    assert "p" * 100 in reply.context[:2000]


@pytest.mark.parametrize(
    "name",
    [
        "controls",
        "newlines",
        "html",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("quotes", "emoji", "cjk")),
    ],
)
def test_hostile_text_stays_text(name: str, make_world: Callable[..., World]) -> None:
    """Odd characters in prompts, paths and headings give valid output and start no own line."""
    text = HOSTILE[name]
    world = make_world(inline=True)
    heading = " ".join(text.split())[:200]
    world.write(
        "progress.md", "".join(f"## 2026-11-{n:02} {heading}\n\nx\n\n" for n in range(1, 20))
    )
    world.reading(78)
    world.start()
    for number in range(5):
        world.prompt(f"{number}{text}")
        world.tool("Edit", file_path=f"{world.project}/{number}{text}")
        world.hook("PostToolUseFailure", tool_name=text, tool_use_id=f"f{number}",
                   tool_input={"command": text}, error=text)  # fmt: skip
        world.append({"type": "decision.recorded", "text": f"{number}{text}"})
        world.stop(last_assistant_message=text)
    world.compacting(custom_instructions=text)
    reply = world.start("compact")
    assert reply.context
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", reply.context)
    assert world.resumed_views() == world.views()


@pytest.mark.parametrize("model", [MODEL, "x" * 500, ""], ids=["known", "long", "none"])
def test_every_event_is_answered_within_the_schema(model: str, inline: World) -> None:
    """Every event the client knows gets an answer that fits the schema (checked by feed)."""
    inline.flow(3)
    inline.reading(78, model=model)
    for event in (
        "SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PostToolUse",
        "PostToolUseFailure", "PostToolBatch", "Stop", "StopFailure", "SubagentStart",
        "SubagentStop", "PreCompact", "PostCompact", "PreModelSwitch", "PostModelSwitch",
        "Notification", "FileChanged", "SessionEnd",
    ):  # fmt: skip
        inline.hook(event)
        inline.hook(event, source="compact", trigger="auto", prompt="x", command_name="design",
                    tool_name="Skill", tool_input={"skill": "implement"}, agent_type="",
                    notification_type="idle_prompt", message="compact")  # fmt: skip
    assert json.dumps(inline.events("session.started"))
