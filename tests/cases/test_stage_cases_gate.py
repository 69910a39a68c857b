"""DC01, DC08 to DC10, DC19 to DC23, DC27 to DC29: when a Stop asks for the next stage, and whom."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.workshop import STAGES, Workshop
from tests.cases.world import OTHER, SID

CASES = Table()
RUNNING = {"id": "a", "type": "subagent", "status": "running"}


@CASES.case("DC01", silent_beside="DC09-sprint")
def no_cycle(world: Workshop) -> None:
    """Without a cycle a tool call is one event, and no event is about budgets."""
    world.start()
    world.prompt()
    assert not world.tool(command="ls").out
    assert world.types()[-1] == "tool.finished"
    assert not world.events("pressure.sampled", "stage.started")
    assert world.views()["stage"] == {}


@CASES.case("DC08", silent_beside="DC09-sprint")
def stop_without_a_cycle(world: Workshop) -> None:
    """Without a cycle a Stop gets no answer, however little room is left."""
    world.start()
    world.prompt()
    world.left(3)
    assert not world.stop().out
    assert not world.events("stage.stopped")


def gate_asks_after(world: Workshop, stage: str) -> None:
    """After `stage`, with 80 % left, the gate asks for the next one by name, by default in a note."""
    following = STAGES[STAGES.index(stage) + 1]
    world.start()
    world.prompt()
    world.left(80)
    world.done(stage)
    reply = world.stop()
    assert "decision" not in reply.output
    for part in (following, "80.0%", f"journal stage start {following}"):
        assert part in reply.context, part
    world.configure('[stage]\ngate = "block"\n', own=True)
    world.prompt()
    blocked = world.stop()
    assert blocked.output["decision"] == "block"
    assert f"journal stage start {following}" in blocked.output["reason"]


for _stage in STAGES[:3]:

    def _asked(world: Workshop, stage: str = _stage) -> None:
        gate_asks_after(world, stage)

    _asked.__doc__ = gate_asks_after.__doc__
    CASES.case(f"DC09-{_stage}")(_asked)


@CASES.case("DC09-open")
def asked_about_an_open_stage(world: Workshop) -> None:
    """The gate asks about an open stage once, and not again until it is finished."""
    world.start()
    world.prompt()
    world.left(80)
    world.order("stage", "start")
    first = world.stop()
    assert "journal stage finish sprint" in first.context
    assert "journal stage start audit" not in first.context
    for _ in range(3):
        world.prompt()
        assert not world.stop().out
    world.order("stage", "finish")
    world.prompt()
    assert "journal stage start audit" in world.stop().context


@CASES.case("DC09-project")
def no_project_blocks(world: Workshop) -> None:
    """A project cannot make the gate block; only the person's own configuration can."""
    world.configure('[stage]\ngate = "block"\n')
    world.start()
    world.left(80)
    world.done("sprint")
    assert set(world.stop().output) == {"hookSpecificOutput"}


@CASES.case("DC09-cap", silent_beside="DC09-sprint")
def asked_so_often(world: Workshop) -> None:
    """The gate asks for a transition at most three times, far below the client's limit of eight."""
    world.start()
    world.left(80)
    world.done("sprint")
    said = []
    for _ in range(6):
        world.prompt()
        world.left(80)
        said.append(bool(world.stop().out))
    assert said == [True] * 3 + [False] * 3


@CASES.case("DC09-off", silent_beside="DC09-sprint")
def gate_off(world: Workshop) -> None:
    """Switched off, the gate prints nothing and stops nothing."""
    world.configure('[stage]\ngate = "off"\n')
    world.start()
    world.left(3)
    world.done("sprint")
    assert not world.stop().out
    assert world.cycle().get("status", "open") == "open"


@CASES.case("DC10", silent_beside="DC09-sprint")
def kept_going(world: Workshop) -> None:
    """A Stop the gate caused, one with a waiting task, and a subagent's Stop are not gated."""
    world.start()
    world.prompt()
    world.left(80)
    world.done("sprint")
    assert world.stop(last_assistant_message="Sprint is done.").context
    assert not world.stop(stop_hook_active=True).out
    assert not world.stop(background_tasks=[RUNNING]).out
    assert not world.stop(agent_id="a1", agent_type="x", last_assistant_message="A.").out
    assert not world.hook("SubagentStop", agent_id="a1", agent_type="x").out
    assert "audit" in world.stop().context


@CASES.case("DC19", silent_beside="DC09-sprint")
def no_json(world: Workshop) -> None:
    """A Stop with empty or invalid JSON gets no answer, and the cycle stays where it was."""
    world.start()
    world.left(80)
    world.done("sprint")
    for raw in (b"", b"{nonsense", b"[]", b"\xff"):
        assert not world.feed(raw, "Stop").out
    assert world.cycle()["stage"] == "sprint"
    assert "asked" not in world.cycle()
    assert "audit" in world.stop().context


@CASES.case("DC20", silent_beside="DC22")
def unknown_stage(world: Workshop) -> None:
    """The command refuses an unknown stage; an unknown stage in the log starts no cycle."""
    world.start()
    world.left(80)
    said = world.run("stage", "start", "deploy")
    assert said.code == 2
    world.append({"type": "stage.started", "cycle": "c", "stage": "deploy"})
    assert not world.stop().out
    assert world.view("stage")["status"] == "none"
    assert world.one("stage.started")["stage"] == "deploy"


@CASES.case("DC20-corrupt")
def corrupt_record(world: Workshop) -> None:
    """A corrupt record is reported and preserved; the gate decides by the remaining records."""
    world.start()
    world.left(80)
    world.order("stage", "start")
    segment = world.directory / "active.jsonl"
    whole = segment.read_bytes()
    segment.write_bytes(whole.replace(b'"stage":"sprint"', b'"stage":"sXrint"'))
    (world.directory / "snapshot").unlink(missing_ok=True)
    assert not world.stop().out
    assert world.run("verify").code == 1
    assert b"sXrint" in segment.read_bytes()


@CASES.case("DC21")
def the_last_stage(world: Workshop) -> None:
    """A turn that ends in the retrospective, open or finished, completes the cycle for good."""
    world.start()
    world.left(2)
    world.done("ship")
    world.order("stage", "start", "retrospective")
    reply = world.stop()
    assert set(reply.output) == {"systemMessage"}
    assert "complete" in reply.message
    assert world.view("stage")["status"] == "complete"
    world.prompt()
    assert not world.stop().out


@CASES.case("DC21-complete", silent_beside="DC21")
def after_the_last_stage(world: Workshop) -> None:
    """A cycle that the command closed is complete, and no later Stop mentions it."""
    world.start()
    world.left(80)
    world.done("retrospective")
    assert not world.stop().out
    assert world.view("stage")["status"] == "complete"


@CASES.case("DC22")
def state_lost(world: Workshop) -> None:
    """The log alone holds the state: without snapshots, after minutes or days, the gate works."""
    world.start()
    world.done("sprint")
    for minutes in (0, 10, 14_400):
        world.after(minutes=minutes, seconds=1).start("resume")
        world.prompt()
        world.left(80 - minutes / 1000)
        (world.directory / "snapshot").unlink()
        assert "journal stage start audit" in world.stop().context, minutes


@CASES.case("DC23", silent_beside="DC09-sprint")
def another_session(world: Workshop) -> None:
    """One session's cycle does not affect another session of the project, whatever room is left."""
    world.start()
    world.left(80)
    world.done("sprint")
    world.start(sid=OTHER)
    for left in (80, 3):
        world.left(left, sid=OTHER)
        world.prompt(sid=OTHER)
        assert not world.stop(sid=OTHER).out
    assert not world.events("stage.stopped")
    assert "audit" in world.stop().context


@CASES.case("DC23-lineage")
def the_lineage(world: Workshop) -> None:
    """After /clear the cycle belongs to the new session; a fork leaves it in the old one."""
    world.start()
    world.done("sprint")
    world.end("clear")
    world.start("clear", sid=OTHER)
    world.left(80, sid=OTHER)
    world.left(80)
    assert not world.stop().out
    assert "audit" in world.stop(sid=OTHER).context
    assert world.view("stage")["moved_to"] == OTHER


@CASES.case("DC27", silent_beside="DC09-sprint")
def another_project(world: Workshop) -> None:
    """The same session in another project, or in none, is not asked about this cycle."""
    world.start()
    world.left(80)
    world.done("sprint")
    elsewhere = world.home / "other"
    (elsewhere / ".git").mkdir(parents=True)
    for folder in (elsewhere, world.home):
        env = {"CLAUDE_PROJECT_DIR": str(folder)}
        assert not world.stop(cwd=str(folder), env=env).out
    journals = [path.parent.name for path in world.journal.glob("*/active.jsonl")]
    assert sorted(name.rpartition("-")[0] for name in journals) == ["", "other", "shop"]


@CASES.case("DC28")
def its_own(world: Workshop) -> None:
    """Of two cycles the session's own is asked about, even if the other sorts first."""
    world.project = world.home / "my shop"
    (world.project / ".git").mkdir(parents=True)
    world.sid, foreign = OTHER, SID
    assert foreign < world.sid
    world.start(sid=foreign)
    world.start()
    world.left(80)
    world.left(80, sid=foreign)
    world.done("ship", sid=foreign)
    world.done("sprint")
    reply = world.stop()
    assert "journal stage start audit" in reply.context
    assert "retrospective" not in reply.context


@CASES.case("DC29")
def no_file_times(world: Workshop) -> None:
    """File times do not matter: set back by years, they change nothing."""
    world.start()
    world.left(80)
    world.done("sprint")
    for path in [*world.directory.iterdir(), world.project]:
        world.aged(path, 900)
    assert "journal stage start audit" in world.stop().context


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop, "DC01")
