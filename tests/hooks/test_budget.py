"""Over their time budget hooks shorten records of tool calls, never what compactions need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.events.hook_input import BUILDERS, build
from tests.journal.events.hook_input.made import call_of
from tests.support.rows import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World

SECOND = 1_000_000
EDIT = {"tool_name": "Edit", "tool_input": {"file_path": "/p/a.py"}, "tool_response": {"ok": 1}}
BASH = {
    "tool_name": "Bash",
    "tool_input": {"command": "pytest -q tests"},
    "tool_response": {"stdout": "== 2 failed, 1 passed =="},
    "duration_ms": 7,
}
TODO = {
    "tool_name": "TodoWrite",
    "tool_input": {"todos": [{"content": "round the cart", "status": "pending"}]},
    "tool_response": {},
}
ASK = {"tool_name": "AskUserQuestion", "tool_input": {}, "tool_response": {"answers": {"q": "a"}}}
READ = {"tool_name": "Read", "tool_input": {"file_path": "/p/b"}, "tool_response": "x" * 500}
FAILED = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "error": "no such file"}


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    """A session whose hooks have not cost anything yet."""
    made = make_world(inline=True)
    made.start()
    return made


def spend(world: World, seconds: int, sid: str = "") -> None:
    """Charge the session's hooks this much time; a compaction stores it for the next calls."""
    event = {"type": "tool.finished", "tool": "Read", "us": seconds * SECOND}
    world.append({**event, **({"sid": sid} if sid else {})})
    world.compacting()


def _built(hook: str, fields: dict[str, Any], *, short: bool) -> list[dict[str, Any]]:
    call = call_of(hook, facts={"progress": [{"skill": "a"}]}, tool_use_id="t", **fields)
    call.short = short
    return build(call)


@each("hook", [hook for hook in BUILDERS if not hook.startswith("PostToolUse")])
def test_all_other_facts_stay_whole(hook: str) -> None:
    """Compactions, sessions, prompts, turns and subagents are recorded in full."""
    fields = {"prompt": "p", "source": "startup", "trigger": "auto", "compact_summary": "s",
              "last_assistant_message": "m", "message": "n", "reason": "other"}  # fmt: skip
    assert _built(hook, fields, short=True) == _built(hook, fields, short=False)


@pytest.mark.parametrize(
    ("hook", "fields", "left_out"),
    [
        ("PostToolUse", EDIT, {"input_size", "output_size"}),
        ("PostToolUse", BASH, {"target", "input_size", "output_size", "error"}),
        ("PostToolUse", TODO, {"input_size", "output_size"}),
        ("PostToolUse", READ, {"target", "input_size", "output_size", "digest"}),
        ("PostToolUseFailure", FAILED,
         {"target", "input_size", "output_size", "error"}),
    ],
)  # fmt: skip
def test_the_short_form_leaves_out_and_changes_nothing(
    hook: str, fields: dict[str, Any], left_out: set[str]
) -> None:
    """The short form keeps changed files, items and test outcomes; this test lists its omissions."""
    whole, short = (_built(hook, fields, short=short) for short in (False, True))
    assert whole[1:] == short[1:]
    assert short[0].pop("short") is True
    assert whole[0].keys() - short[0].keys() == left_out
    assert short[0].items() <= whole[0].items()


def test_what_the_person_answered_stays_whole() -> None:
    """An answer or an approved plan is the person's own text and is never shortened."""
    whole, short = (_built("PostToolUse", ASK, short=short) for short in (False, True))
    assert whole == short


def test_the_person_hears_it_once_and_tool_calls_get_short(world: World) -> None:
    """At 300 s the next prompt says so; tool calls are short from the next snapshot on."""
    world.tool("Read", file_path=str(world.project / "a"))
    spend(world, 300)
    assert "have used 300 s" in world.prompt().message
    assert world.prompt().message == ""
    world.tool("Read", file_path=str(world.project / "b"))
    world.tool("Edit", file_path=str(world.project / "c.py"))
    first, _spent, second, third = world.events("tool.finished")
    assert (first["target"], first.get("short")) == ("a", None)
    assert (second.get("target"), second["short"]) == (None, True)
    assert (third["target"], third["changed"], third["short"]) == ("c.py", True, True)
    world.compacting()
    assert len([e for e in world.events("advice.given") if e["what"] == "budget"]) == 1


@pytest.mark.parametrize(("seconds", "budget"), [(299, 300), (100_000, 0), (300, 301)])
def test_within_the_budget_nothing_changes(world: World, seconds: int, budget: int) -> None:
    """Below the budget, or with none (0), calls are recorded in full and nothing is printed."""
    (world.journal / "config.toml").write_text(f"[capture]\nbudget = {budget}\n")
    spend(world, seconds)
    assert world.prompt().message == ""
    world.tool("Read", file_path=str(world.project / "b"))
    assert world.events("tool.finished")[-1]["target"] == "b"


def test_each_session_has_a_budget_of_its_own(world: World) -> None:
    """One session's cost does not shorten another session's records."""
    spend(world, 400, sid="other")
    assert world.prompt().message == ""
    world.tool("Read", file_path=str(world.project / "b"))
    assert world.events("tool.finished")[-1]["target"] == "b"


def test_stats_and_doctor_show_it(world: World) -> None:
    """`journal stats hooks` counts the short records; the doctor names cost and budget."""
    from cli.doctor.installation import Installation
    from cli.doctor.stored import budget
    from cli.scope import Scope

    install = Installation(Scope(world.env(), cwd=str(world.project)))
    spend(world, 12)
    (row,) = budget(install)
    assert row.status == "ok"
    assert row.what.startswith("12.0 s of processor time in 1 call")
    assert row.what.endswith("budget 300 s")
    spend(world, 300)
    world.prompt()
    world.tool("Read", file_path=str(world.project / "b"))
    found = world.run("stats", "hooks", "--json").data
    assert [row["short"] for row in found["sessions"] if row["session"] == world.sid] == [1]
    (row,) = budget(install)
    assert row.status == "note"
    assert "312.0 s" in row.what
