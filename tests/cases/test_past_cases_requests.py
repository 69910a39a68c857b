"""CN14 to CN16: past sessions that a session's first request is offered."""

from __future__ import annotations

from journal.codec import digest
from tests.cases.past import LOGIN, injected, past
from tests.cases.table import Table
from tests.cases.workshop import THIRD
from tests.cases.world import World

CASES = Table()


def unoffered(world: World, about: dict | None = None) -> int:
    """Start a session, then end and summarise another; return the seq of the summary."""
    world.start()
    return past(world, about=about)


@CASES.case("CN14")
def first_request(world: World) -> None:
    """The first request brings up the past session its words match, and names that session."""
    seq = unoffered(world)
    past(world, THIRD, LOGIN)
    reply = world.prompt("the rounding of prices in the cart is wrong again")
    assert reply.output["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert "Round prices in the cart" in reply.context
    assert f"#{seq}" in reply.context
    assert "ログイン" not in reply.context
    (record,) = injected(world, "related")
    assert record["reason"] == f"at prompt: #{seq}"
    assert record["digest"] == "b2:" + digest(reply.context)


@CASES.case("CN14-japanese")
def first_request_in_japanese(world: World) -> None:
    """The same works for Japanese, which has no spaces between words."""
    unoffered(world)
    past(world, THIRD, LOGIN)
    reply = world.prompt("ログインの認証がまた失敗します")
    assert "ログイン画面の認証" in reply.context
    assert "Round prices" not in reply.context


@CASES.case("CN14-ordinary", silent_beside="CN14")
def ordinary_request(world: World) -> None:
    """A request of ordinary words matches nothing, however often those words occur."""
    unoffered(world)
    assert not world.prompt("please fix the failing test and run it again in the cart").out


@CASES.case("CN14-offered", silent_beside="CN14")
def offered_at_the_start_already(world: World) -> None:
    """What the start offered is not offered again."""
    past(world)
    assert world.start().context
    assert not world.prompt("the rounding of prices in the cart is wrong again").out


@CASES.case("CN14-off", silent_beside="CN14")
def requests_switched_off(world: World) -> None:
    """With `related.prompts` off the start offers and the first request does not."""
    (world.project / ".claude").mkdir(exist_ok=True)
    (world.project / ".claude" / "journal.toml").write_text("[related]\nprompts = false\n")
    unoffered(world)
    assert not world.prompt("the rounding of prices in the cart is wrong again").out
    assert world.start(sid=THIRD).context


@CASES.case("CN15", silent_beside="CN14")
def second_request(world: World) -> None:
    """A second request brings up nothing, whatever it says."""
    unoffered(world)
    assert not world.prompt("good morning").out
    assert not world.prompt("the rounding of prices in the cart is wrong again").out


@CASES.case("CN16", silent_beside="CN14")
def own_commands(world: World) -> None:
    """Commands, blank prompts and notifications are not requests and bring up nothing."""
    unoffered(world)
    words = "rounding of prices in the cart"
    for text in (f"/journal:get {words}", f"/review {words}", "", " \n\t",
                 f"<task-notification>{words}</task-notification>"):  # fmt: skip
        assert not world.prompt(text).out, text
    assert not injected(world, "related")


@CASES.case("CN16-then")
def a_command_is_no_request(world: World) -> None:
    """After a command, the first request in the person's own words brings up the past session."""
    seq = unoffered(world)
    assert not world.prompt("/journal:get last").out
    assert f"#{seq}" in world.prompt("the rounding of prices in the cart is wrong").context


@CASES.case("CN14-subagent", silent_beside="CN14")
def subagents_are_offered_nothing(world: World) -> None:
    """A subagent's prompt is not a request of the person and brings up nothing."""
    unoffered(world)
    text = "the rounding of prices in the cart is wrong again"
    assert not world.prompt(text, agent_id="a1", agent_type="x").out


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(World, "CN14")
