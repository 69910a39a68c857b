"""The recovery claims nothing that nobody saw, and tells nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cases.world import World

NOTHING = {"stdout": "", "stderr": "", "isImage": False}
UNFINISHED = {
    "background": {**NOTHING, "interrupted": False, "backgroundTaskId": "b5cn38u21"},
    "interrupted": {**NOTHING, "interrupted": True},
}


@pytest.mark.parametrize("response", UNFINISHED.values(), ids=UNFINISHED)
def test_a_command_without_a_result_proves_nothing(
    world: World, response: dict[str, object]
) -> None:
    """A test run in the background or interrupted passed nothing and repairs no failure."""
    world.start()
    world.prompt("Fix the total of the cart and run all of its tests")
    world.hook(
        "PostToolUseFailure", tool_name="Bash", tool_input={"command": "pytest -q"},
        tool_use_id="toolu_f", error="Exit code 1\nFAILED test_cart.py - assert 3 == 4",
    )  # fmt: skip
    world.tool("Bash", response, command="pytest -q")
    done = world.one("tool.finished")
    assert "tests" not in done
    world.stop()
    world.compacting()
    text = world.start("compact").context
    assert "not seen to pass since" in text
    assert "test run passed" not in text
    assert "ran without an error" not in text


def test_a_question_asked_again(world: World) -> None:
    """Of a question that was answered twice, the last answer counts."""
    world.start()
    world.prompt("Choose the database of the cart together with me")
    for answer in ("SQLite", "Postgres"):
        world.tool("AskUserQuestion", {"answers": {"Which database?": answer}}, questions=[])
    world.stop()
    world.compacting()
    text = world.start("compact").context
    assert '"Which database?" answered "Postgres"' in text
    assert "SQLite" not in text


def test_a_pasted_log_says_nothing_for_the_person(world: World) -> None:
    """What the person wrote around it is told, also after many requests; its lines never are."""
    world.start()
    world.prompt("Write the importer of suppliers as a module")
    log = "\n".join(f"2026-11-23 10:00:{at:02} WARN must not stop worker {at}" for at in range(60))
    world.prompt(f"Find out why this import stops\n{log}\nNever touch legacy.py for it")
    for at in range(12):
        world.prompt(f"Now look at the part number {at} of the module")
    world.stop()
    world.compacting()
    text = world.start("compact").context
    assert '"Never touch legacy.py for it"' in text
    assert "Find out why this import stops" in text
    assert "worker" not in text


def test_a_long_paste_is_told_once(world: World) -> None:
    """A request too long to be told whole does not return among the words of the person."""
    world.start()
    log = "\n".join(f"INFO worker {at} read another batch of rows" for at in range(400))
    world.prompt(f"Find out why the import stops\n{log}")
    world.stop()
    world.compacting()
    assert world.start("compact").context.count("Find out why the import stops") == 1


def test_old_repairs_and_empty_searches(world: World) -> None:
    """A failure repaired before the last compaction is over; a search without a match is none."""
    world.start()
    world.prompt("Fix the total of the cart and run all of its tests")
    for at, command in enumerate(("make cart", "grep -rn total src", "make docs")):
        world.hook(
            "PostToolUseFailure", tool_name="Bash", tool_input={"command": command},
            tool_use_id=f"toolu_f{at}", error="Exit code 1" + "\nmake: no rule" * (at != 1),
        )  # fmt: skip
    world.tool("Bash", command="make cart")
    for told in (True, False):
        world.compacting()
        text = world.start("compact").context
        world.compacted()
        assert ('Bash "make cart"' in text) is told
        assert 'Bash "make docs"' in text
        assert "grep" not in text
        world.prompt("Now go on with the total of the cart")


def test_of_decisions_in_a_terminal_the_current_one_arrives(world: World) -> None:
    """One that a newer one takes back before Claude hears of it is not told."""
    world.start()
    world.prompt("Write the importer of suppliers as a module")
    world.order("decide", "Use SQLite for the store of suppliers", sid=None)
    world.order("decide", "Use Postgres for the store, not SQLite", sid=None)
    text = world.prompt("go on").context
    assert "Use Postgres for the store" in text
    assert "Use SQLite" not in text
