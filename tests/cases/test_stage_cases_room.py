"""DC11, DC16: what happens to a dev cycle when little context is left."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.workshop import Workshop
from tests.cases.world import OTHER

CASES = Table()
LEFT_OUT = {
    "sprint": (14.9, 49.9, "audit, ship, retrospective"),
    "audit": (9.0, 29.9, "ship, retrospective"),
    "ship": (4.0, 14.9, "retrospective"),
}


def stopped(world: Workshop, stage: str, left: float, left_out: str) -> None:
    """Below the threshold the stop is allowed, and the person is told which stages are skipped."""
    world.start()
    world.prompt()
    world.left(left)
    world.done(stage)
    reply = world.stop()
    assert set(reply.output) == {"systemMessage"}
    for part in (f"{left}%", left_out, "journal stage resume"):
        assert part in reply.message, part
    event = world.one("stage.stopped")
    assert (event["reason"], event["remaining"]) == ("context_budget", left)
    assert ", ".join(event["skipped"]) == left_out
    world.prompt()
    assert not world.stop().out
    assert len(world.events("stage.stopped")) == 1


for _stage, (_low, _high, _out) in LEFT_OUT.items():

    def _default(
        world: Workshop, stage: str = _stage, left: float = _high, out: str = _out
    ) -> None:
        stopped(world, stage, left, out)

    def _lower(world: Workshop, stage: str = _stage, left: float = _low, out: str = _out) -> None:
        world.configure("[stage.thresholds]\nsprint = 15\naudit = 10\nship = 5\n")
        stopped(world, stage, left, out)

    _default.__doc__ = _lower.__doc__ = stopped.__doc__
    CASES.case(f"DC11-{_stage}")(_default)
    CASES.case(f"DC11-{_stage}-configured")(_lower)


@CASES.case("DC11-at-the-threshold")
def at_the_threshold(world: Workshop) -> None:
    """Exactly at the threshold there is still room: percentages are not rounded down."""
    world.configure("[stage.thresholds]\nsprint = 15\n")
    world.start()
    world.left(15)
    world.done("sprint")
    assert "journal stage start audit" in world.stop().context


@CASES.case("DC11-tokens")
def in_tokens(world: Workshop) -> None:
    """A threshold may be given in tokens, and another may apply to a long window."""
    world.configure("[stage.thresholds]\nsprint = 90000\n[stage.thresholds_long]\naudit = 7\n")
    world.start()
    world.left(54)
    world.done("sprint")
    assert "90,000 tokens" in world.stop().context
    world.start(sid=OTHER)
    world.left(8, sid=OTHER, window=1_000_000)
    world.done("audit", sid=OTHER)
    assert "journal stage start ship" in world.stop(sid=OTHER).context
    world.left(44)
    world.prompt()
    assert "90,000 tokens" in world.stop().message


@CASES.case("DC11-open")
def open_and_short(world: Workshop) -> None:
    """With an open stage and no room left the person decides: the turn is not continued."""
    world.start()
    world.left(30)
    world.order("stage", "start")
    reply = world.stop()
    assert set(reply.output) == {"systemMessage"}
    assert "sprint is still open" in reply.message
    assert not world.events("stage.stopped")


@CASES.case("DC11-open-long")
def open_and_short_by_another_threshold(world: Workshop) -> None:
    """The threshold in force decides whether there is room: a long window's, or one in tokens."""
    world.configure("[stage.thresholds]\nsprint = 90000\n[stage.thresholds_long]\nsprint = 7\n")
    world.start()
    world.left(44)
    world.order("stage", "start")
    assert "90,000 tokens" in world.stop().message
    world.start(sid=OTHER)
    world.left(8, sid=OTHER, window=1_000_000)
    world.order("stage", "start", sid=OTHER)
    assert "journal stage finish sprint" in world.stop(sid=OTHER).context


@CASES.case("DC16")
def metrics_survive(world: Workshop) -> None:
    """Metrics of a cycle survive a stop by budget and a resumption in another session."""
    world.start()
    world.left(9.9)
    world.done("sprint", metric="tests=41")
    assert "9.9%" in world.stop().message
    assert world.view("stage")["metrics"] == {"tests": 41}
    world.start(sid=OTHER)
    world.order("stage", "resume", sid=OTHER)
    world.left(90, sid=OTHER)
    world.order("stage", "finish", "--metric", "lines=7", sid=OTHER)
    assert world.view("stage", sid=OTHER)["metrics"] == {"tests": 41, "lines": 7}


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop, "DC11-sprint")
