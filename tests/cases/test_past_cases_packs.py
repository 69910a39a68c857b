"""CN17, CN19: a pack that was sent to a session reaches it once."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from cli.scope import Scope
from journal.history.packs import Draft, queue
from tests.cases.past import injected
from tests.cases.table import Table
from tests.cases.world import OTHER, World

if TYPE_CHECKING:
    from pathlib import Path


CASES = Table()
PACK = "## Rounding\n\nPrices are rounded half up, per line. Source: shop#3."


def send(world: World, text: str = PACK, to: str = "", **more: Any) -> int:
    """Send a text to a session, as the page does; return the seq of the queued text."""
    world.after(seconds=1)
    env = world.env({"PATH": "/nonexistent"})
    scope = Scope(env, project=str(world.project), cwd=str(world.project))
    return queue(scope, to or world.sid, Draft("Rounding", text)._replace(**more))


@CASES.case("CN17")
def sent_once(world: World) -> None:
    """A queued text is injected with the next prompt, complete and once, under the event's name."""
    world.start()
    world.prompt("good morning")
    seq = send(world)
    reply = world.prompt()
    assert reply.output["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert PACK in reply.context
    assert f"#{seq}" in reply.context
    (record,) = injected(world, "pack")
    assert (record["reason"], record["sid"]) == (str(seq), world.sid)
    assert not world.prompt().out
    assert world.views()["queue"] == {}


@CASES.case("CN17-recovery")
def sent_with_a_recovery(world: World) -> None:
    """If a compaction comes before the next prompt, the queued text follows its recovery."""
    world.start()
    world.prompt("add codes to the cart")
    world.compacting()
    send(world)
    reply = world.start("compact")
    assert reply.context.index("add codes to the cart") < reply.context.index(PACK)
    world.compacted()
    assert PACK not in world.prompt().context


@CASES.case("CN17-clear")
def sent_to_a_lineage(world: World) -> None:
    """A queued text follows /clear into the new session, even if sent to the old id afterwards."""
    world.start()
    world.prompt("good morning")
    send(world, "before the clear")
    world.end("clear")
    world.start("clear", sid=OTHER)
    send(world, "after the clear")
    reply = world.prompt(sid=OTHER)
    assert reply.context.index("before the clear") < reply.context.index("after the clear")
    assert not world.prompt(sid=OTHER).out


@CASES.case("CN17-resume")
def sent_and_resumed(world: World) -> None:
    """A text sent to an ended session waits until that session is resumed and gets a prompt."""
    world.start()
    world.prompt("good morning")
    world.end()
    send(world)
    assert PACK not in world.start("resume").context
    assert PACK in world.prompt().context


@CASES.case("CN17-others", silent_beside="CN17")
def sent_to_somebody_else(world: World) -> None:
    """Other lineages, its own subagents and commands do not take a queued text."""
    world.start()
    world.prompt("good morning")
    world.start(sid=OTHER)
    send(world)
    assert not world.prompt("good morning", sid=OTHER).out
    assert not world.prompt(agent_id="a1", agent_type="x").out
    assert not world.tool().out
    for text in ("/journal:get last", "", "<task-notification>x</task-notification>"):
        assert not world.prompt(text).out, text
    assert PACK in world.prompt().context


@CASES.case("CN19")
def sent_before_a_restart(world: World) -> None:
    """After restarts, and with all derived files deleted, the text still arrives, exactly once."""
    world.start()
    world.prompt("good morning")
    send(world)
    for path in world.directory.glob("*"):
        if path.name not in ("active.jsonl", "lock"):
            _remove(path)
    assert PACK in world.prompt().context
    for path in world.directory.glob("snapshot*"):
        _remove(path)
    assert not world.prompt().out


def _remove(path: Path) -> None:
    assert "world-" in str(path)
    shutil.rmtree(path) if path.is_dir() else path.unlink()


@CASES.case("CN17-long")
def sent_whole(world: World) -> None:
    """The longest text allowed, in Japanese, arrives complete; other advice is shortened for it."""
    world.start()
    world.prompt("good morning")
    text = "認証の期限を直す。" * 999
    send(
        world,
        text,
        title="認証" * 40,
        sources=tuple(f"shop-0123456789abcdef#{n}" for n in range(9)),
    )
    world.reading(79)
    reply = world.prompt()
    assert text in reply.context
    assert "Context at the" not in reply.context
    assert "Context at the" in world.tool().context


@CASES.case("CN17-several")
def several_sent(world: World) -> None:
    """Several texts come oldest first, as many as fit; the others with the next prompt."""
    world.start()
    world.prompt("good morning")
    for letter in "abc":
        send(world, letter * 4000)
    reply = world.prompt()
    assert reply.context.index("a" * 4000) < reply.context.index("b" * 4000)
    assert "c" * 4000 not in reply.context
    assert "c" * 4000 in world.prompt().context
    assert not world.prompt().out


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(World)
