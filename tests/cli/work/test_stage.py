"""`journal stage …`: the course of a dev cycle."""

from __future__ import annotations

import pytest

from tests.cases.workshop import THIRD
from tests.cases.world import OTHER, SID, World
from tests.cli.work.steps import stage

STAGES = ["sprint", "audit", "ship", "retrospective"]


def test_a_cycle_goes_from_sprint_to_the_retrospective(shop: World) -> None:
    """Each stage is started and finished in turn; after the last the cycle is complete."""
    for name in STAGES:
        stage(shop, f"start {name}", f"finish {name}")
    view = shop.view("stage")
    assert view["status"] == "complete"
    assert [span["stage"] for span in view["spans"]] == STAGES
    assert all(span["finished"] for span in view["spans"])
    assert view["next"] is None


def test_beginning_twice_is_beginning_once(shop: World) -> None:
    """Starting the same stage or cycle again appends nothing and is not an error."""
    first = shop.run("stage", "start")
    assert first.code == 0
    assert "started sprint (cycle-" in first.out
    for again in (("start",), ("start", "sprint")):
        said = shop.run("stage", *again)
        assert said.code == 0
        assert "is open" in said.out
    assert len(shop.events("stage.started")) == 1


REFUSED = [
    pytest.param(["start"], "start audit", "sprint is still open", "stage finish sprint", id="open"),
    pytest.param(["start", "finish"], "start sprint", "sprint comes before audit", "start audit", id="again"),
    pytest.param(["start audit", "finish"], "start sprint", "sprint comes before ship", "start ship", id="back"),
    pytest.param(["start"], "finish audit", "audit is not the open stage", "finish sprint", id="other"),
    pytest.param(["start", "finish"], "finish", "sprint is finished already", "start audit", id="done"),
    pytest.param([], "finish", "no open cycle", "stage start", id="finish-none"),
    pytest.param([], "stop", "no open cycle", "stage start", id="stop-none"),
    pytest.param([], "resume", "no cycle of this project is stopped", "stage start", id="resume-none"),
    pytest.param([], "abandon", "no cycle to abandon", "stage status", id="abandon-none"),
    pytest.param(["start", "abandon"], "finish", "cycle-", "stage start", id="abandoned"),
    pytest.param(["start", "stop"], "start", "is stopped", "stage resume", id="stopped"),
]  # fmt: skip


@pytest.mark.parametrize("before, command, what, remedy", REFUSED)
def test_what_does_not_fit_is_refused(
    shop: World, before: list[str], command: str, what: str, remedy: str
) -> None:
    """Exit 1, nothing appended; stderr has the fault and what to do instead."""
    stage(shop, *before)
    seen = shop.types()
    said = shop.run("stage", *command.split())
    assert said.code == 1
    assert said.out == ""
    assert what in said.err
    assert remedy in said.err
    assert shop.types() == seen


USAGE = [
    pytest.param("start deploy", id="unknown-stage"),
    pytest.param("finish deploy", id="unknown-stage-finished"),
    pytest.param("start --metric tests", id="metric-without-value"),
    pytest.param("start --metric tests=many", id="metric-no-number"),
    pytest.param("start --metric tests=nan", id="metric-nan"),
    pytest.param("start --metric =3", id="metric-without-name"),
    pytest.param("resume cycle-99", id="no-such-cycle"),
    pytest.param("stop --reason because", id="unknown-reason"),
]


@pytest.mark.parametrize("command", USAGE)
def test_a_wrong_call_is_a_usage_error(shop: World, command: str) -> None:
    """Exit 2 and nothing appended."""
    seen = shop.types()
    assert shop.run("stage", *command.split()).code == 2
    assert shop.types() == seen


@pytest.mark.parametrize("command", ["start", "finish", "stop", "resume", "abandon"])
def test_a_cycle_belongs_to_a_session(shop: World, command: str) -> None:
    """Without a session it refuses and says so; with a named session it works."""
    seen = shop.types()
    said = shop.run("stage", command, sid=None)
    assert said.code == 2
    assert "none is given" in said.err
    assert "--session" in said.err
    assert shop.types() == seen
    assert shop.run("stage", "start", "--session", SID[:8], sid=None).code == 0
    assert shop.one("stage.started")["sid"] == SID


def test_stages_may_be_left_out_forward(shop: World) -> None:
    """The command names the skipped stages."""
    stage(shop, "start", "finish")
    said = shop.run("stage", "start", "retrospective")
    assert said.code == 0
    assert "skipped: audit, ship" in said.out
    begun = shop.run("stage", "start", "ship", sid=OTHER)
    assert "skipped: sprint, audit" in begun.out


def test_a_stop_keeps_what_was_measured_and_says_what_is_left(shop: World) -> None:
    """Metrics survive; the view has skipped stages, reason and remaining room."""
    shop.read(80)
    stage(shop, "start --metric tests=41", "finish --metric lines=120.5")
    said = shop.run("stage", "stop", "--reason", "context_budget")
    assert "remaining: audit, ship, retrospective" in said.out
    assert "journal stage resume" in said.out
    view = shop.view("stage")
    assert view["metrics"] == {"tests": 41, "lines": 120.5}
    assert (view["status"], view["reason"]) == ("stopped", "context_budget")
    assert view["skipped"] == ["audit", "ship", "retrospective"]
    assert view["next"] == "audit"
    assert view["remaining_at_stop"] == 4.2
    assert [item["session"] for item in view["stopped"]] == [SID]
    again = shop.run("stage", "stop")
    assert again.code == 0
    assert len(shop.events("stage.stopped")) == 1


def test_an_open_stage_is_the_first_to_resume(shop: World) -> None:
    """A stop within a stage leaves that stage to resume; after its end it does not."""
    stage(shop, "start", "finish", "start audit", "stop")
    assert shop.view("stage")["skipped"] == ["audit", "ship", "retrospective"]
    stage(shop, "resume")
    view = shop.view("stage")
    assert (view["status"], view["stage"], view["open"]) == ("open", "audit", True)
    stage(shop, "finish audit", "stop")
    assert shop.view("stage")["skipped"] == ["ship", "retrospective"]


def test_another_session_takes_a_stopped_cycle_up(shop: World) -> None:
    """It continues at the first skipped stage, with its metrics, and completes there."""
    stage(shop, "start --metric tests=41", "finish", "stop")
    shop.start(sid=OTHER)
    said = shop.run("stage", "resume", sid=OTHER)
    assert said.code == 0, said.err
    assert f"at audit, from session {SID}" in said.out
    there = shop.view("stage", sid=OTHER)
    assert (there["status"], there["stage"], there["metrics"]) == ("open", "audit", {"tests": 41})
    here = shop.view("stage")
    assert (here["status"], here["moved_to"], here["stopped"]) == ("moved", OTHER, [])
    late = shop.run("stage", "resume", sid=THIRD)
    assert late.code == 1
    named = shop.run("stage", "resume", here["cycle"], sid=THIRD)
    assert named.code in (1, 2)
    assert len(shop.events("stage.resumed")) == 1


def test_several_stopped_cycles_must_be_told_apart(shop: World) -> None:
    """Without a name it is a usage error that lists them; with one it resumes that cycle."""
    for sid in (SID, OTHER):
        stage(shop, "start", "stop", sid=sid)
    said = shop.run("stage", "resume", sid=THIRD)
    assert said.code == 2
    cycles = [item["cycle"] for item in shop.view("stage", sid=THIRD)["stopped"]]
    assert len(cycles) == 2
    assert all(cycle in said.err for cycle in cycles)
    assert shop.run("stage", "resume", cycles[0], sid=THIRD).code == 0
    assert shop.view("stage", sid=THIRD)["cycle"] == cycles[0]


def test_a_session_with_a_cycle_of_its_own_takes_no_other(shop: World) -> None:
    """A session with an open or stopped cycle cannot take another; after abandoning it, it can."""
    stage(shop, "start", "stop")
    stage(shop, "start", sid=OTHER)
    assert shop.run("stage", "resume", sid=OTHER).code == 1
    stage(shop, "stop", sid=OTHER)
    stopped = shop.view("stage")["stopped"]
    mine = next(item["cycle"] for item in stopped if item["session"] == SID)
    assert shop.run("stage", "resume", mine, sid=OTHER).code == 1
    stage(shop, "abandon", sid=OTHER)
    assert shop.run("stage", "resume", mine, sid=OTHER).code == 0


def test_a_stopped_cycle_can_be_given_up_by_name(shop: World) -> None:
    """Any session can abandon it, once; another session's open cycle cannot be abandoned."""
    stage(shop, "start", "stop")
    stage(shop, "start", sid=OTHER)
    [item] = shop.view("stage")["stopped"]
    theirs = shop.view("stage", sid=OTHER)["cycle"]
    assert shop.run("stage", "abandon", theirs, sid=THIRD).code == 1
    assert shop.run("stage", "abandon", item["cycle"], sid=THIRD).code == 0
    assert shop.view("stage")["status"] == "abandoned"
    assert shop.run("stage", "abandon", item["cycle"], sid=THIRD).code == 1
    assert shop.view("stage", sid=OTHER)["status"] == "open"


def test_the_gate_carries_on_where_the_command_left_off(shop: World) -> None:
    """A stage finished by command leads to the gate's question, for this session alone."""
    shop.prompt()
    shop.read(20)
    stage(shop, "start", "finish")
    shop.start(sid=OTHER)
    other = shop.stop(sid=OTHER)
    assert "stage" not in other.text
    own = shop.stop()
    assert "journal stage start audit" in own.context


def test_a_budget_stop_by_the_gate_is_resumed_by_the_command(shop: World) -> None:
    """The gate stops below the threshold; the command resumes the cycle in a new session."""
    shop.prompt()
    shop.read(60)
    stage(shop, "start --metric tests=1", "finish")
    assert "journal stage resume" in shop.stop().message
    assert shop.stop().text == ""
    shop.start(sid=OTHER)
    assert shop.run("stage", "resume", sid=OTHER).code == 0
    assert shop.view("stage", sid=OTHER)["metrics"] == {"tests": 1}


def test_the_explicit_command_does_not_replace_a_stopped_cycle(shop: World) -> None:
    """It starts a cycle if there is none; a stopped one stays and can be resumed."""
    shop.prompt("/journal:dev-cycle")
    first = shop.view("stage")["cycle"]
    assert first
    stage(shop, "stop")
    shop.prompt("/journal:dev-cycle")
    view = shop.view("stage")
    assert (view["cycle"], view["status"]) == (first, "stopped")
    shop.prompt("what does /journal:dev-cycle do?", sid=OTHER)
    assert shop.view("stage", sid=OTHER)["status"] == "none"
