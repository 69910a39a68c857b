"""After /rewind: what it took out of the conversation does not come back by a compaction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.cases.world import World

GOAL = "Create the parser with ALPHA-1 and keep it small"
TAKEN_BACK = "Delete the parser again and use BETA-2 from the library"
WHY = "We chose BETA-2 instead of ALPHA-1 because the parser was not wanted at all."
NEXT = "Write the tests of the parser with GAMMA-3 now"


def write(world: World, *lines: dict[str, Any]) -> None:
    """Append lines to the transcript, as Claude Code writes them."""
    path = world.transcript()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")


def say(world: World, text: str, answer: str, number: int, after: str | None) -> None:
    """Do a turn as hooks and the transcript see it; `after` is what the prompt follows."""
    world.prompt(text)
    world.stop(last_assistant_message=answer)
    for who, parent, name, content in (
        ("user", after, f"p{number}", text),
        ("assistant", f"p{number}", f"a{number}", [{"type": "text", "text": answer}]),
    ):
        write(world, {"parentUuid": parent, "isSidechain": False, "type": who, "uuid": name,
                      "timestamp": world.iso, "message": {"role": who, "content": content}})  # fmt: skip


def test_what_a_rewind_took_out(world: World) -> None:
    """Prompts and answers behind the point of the rewind are told neither now nor later."""
    world.start()
    say(world, GOAL, "Created.", 1, None)
    say(world, TAKEN_BACK, WHY, 2, "a1")
    say(world, NEXT, "Written.", 3, "a1")
    for _ in range(2):
        world.compacting()
        text = world.start("compact").context
        world.compacted()
        assert NEXT in text
        assert "ALPHA-1" in text
        assert "BETA-2" not in text
        world.prompt("go on then")


def test_a_rewind_to_the_first_prompt(world: World) -> None:
    """Nothing of what it took out is told: neither goal nor answer."""
    world.start()
    say(world, GOAL, "Created.", 1, None)
    say(world, TAKEN_BACK, WHY, 2, "a1")
    say(world, NEXT, "Written.", 3, "a2")
    mark = {"type": "last-prompt", "leafUuid": "00000000-0000-0000-0000-000000000000",
            "explicit": True, "sessionId": world.sid}  # fmt: skip
    write(world, mark)
    world.compacting()
    text = world.start("compact").context
    assert NEXT in text
    assert "ALPHA-1" not in text
    assert "BETA-2" not in text


def test_a_prompt_that_a_hook_blocked(world: World) -> None:
    """Claude never saw it, and a compaction does not show it either."""
    world.start()
    say(world, GOAL, "Created.", 1, None)
    world.prompt(TAKEN_BACK)
    line = {"parentUuid": "a1", "type": "system", "subtype": "informational", "uuid": "b1",
            "content": "UserPromptSubmit operation blocked by hook:\n[x]: no\n\n"
                       f"Original prompt: {TAKEN_BACK}"}  # fmt: skip
    write(world, line)
    world.compacting()
    text = world.start("compact").context
    assert GOAL in text
    assert "BETA-2" not in text
