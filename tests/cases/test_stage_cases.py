"""DC01 to DC30: the dev cycle and its gate, through hooks, status line and commands.

A reading comes from the status line (the documented source), from the transcript, or, in cases
about it, from a `context_window` in a hook's input, which the client does not send today.
"""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.workshop import STAGES, THIRD, Workshop
from tests.cases.world import OTHER, SID

CASES = Table()
RUNNING = {"id": "a", "type": "subagent", "status": "running"}


def gate(world: Workshop, sid: str | None = None) -> dict:
    """Return the session's cycle from the views."""
    return world.views()["stage"]["sessions"][world.sid if sid is None else sid]


def used(percent_left: object) -> dict:
    """Build the context_window of a hook input that has one."""
    return {
        "context_window": {"context_window_size": 200_000, "remaining_percentage": percent_left}
    }


@CASES.case("DC01", silent_beside="DC09-sprint")
def no_cycle(world: Workshop) -> None:
    """Without a cycle a tool call is one event, and no event is about budgets."""
    world.start()
    world.prompt()
    assert not world.tool(command="ls").out
    assert world.types()[-1] == "tool.finished"
    assert not world.events("pressure.sampled", "stage.started")
    assert world.views()["stage"] == {}


@CASES.case("DC02")
def a_reading_is_kept(world: Workshop) -> None:
    """A reading is stored with its time; the view shows it with the stage it was taken in."""
    world.start()
    world.order("stage", "start")
    world.left(65.3)
    world.tool(command="ls")
    assert world.one("pressure.sampled")["tokens"] == 57_949
    view = world.view("stage")
    assert (view["stage"], view["remaining"]) == ("sprint", 65.3)
    assert view["read_at"].startswith("2026-11-21T09:00:0")
    assert "65.3% left until compaction" in world.order("stage", "status").out


@CASES.case("DC02-hook-input")
def a_reading_in_the_input(world: Workshop) -> None:
    """A reading in a tool call's own input is stored too, in case the client ever sends it."""
    world.start()
    world.order("stage", "start")
    world.tool()
    world.hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t",
               tool_response={"stdout": ""}, **used(65.3))  # fmt: skip
    assert world.one("pressure.sampled")["source"] == "hook"
    assert world.view("stage")["remaining"] == 58.4


@CASES.case("DC03")
def the_documented_input(world: Workshop) -> None:
    """The documented payload has no budget: the gate and the status call the budget unknown."""
    world.start()
    world.done("sprint")
    world.tool(command="ls")
    assert not world.events("pressure.sampled")
    view = world.view("stage")
    assert (view["remaining"], view["room"]) == (None, None)
    assert view["unknown"]
    assert "unknown" in world.order("stage", "status").out
    reply = world.stop()
    assert set(reply.output) == {"systemMessage"}
    assert "unknown" in reply.message
    world.prompt()
    assert not world.stop().out


@CASES.case("DC03-transcript")
def another_source(world: Workshop) -> None:
    """Without the status line, the last usage in the transcript is the reading."""
    world.start()
    world.done("sprint")
    world.reading(20)
    assert "journal stage start audit" in world.stop().context
    assert world.one("pressure.sampled")["source"] == "transcript"


@CASES.case("DC04")
def readings_side_by_side(world: Workshop) -> None:
    """Readings 5 s and 31 s apart are both recorded (no throttle is needed); the newest counts."""
    world.start()
    world.order("stage", "start")
    world.left(60)
    world.after(seconds=4).left(10)
    world.after(seconds=30).left(9)
    assert [e["tokens"] for e in world.events("pressure.sampled")] == [66_800, 150_300, 151_970]
    world.left(9)
    assert len(world.events("pressure.sampled")) == 3
    assert world.view("stage")["remaining"] == 9.0


@CASES.case("DC05", silent_beside="DC02-hook-input")
def other_tools(world: Workshop) -> None:
    """Agent, Skill and MCP tools are recorded like any other, without error and without reading."""
    world.start()
    world.order("stage", "start")
    for name in ("Agent", "Skill", "mcp__x__y"):
        world.tool(name, {"status": "completed"}, description="d", skill="tidy")
    assert [event["tool"] for event in world.events("tool.finished")] == [
        "Agent", "Skill", "mcp__x__y",
    ]  # fmt: skip
    assert not world.events("pressure.sampled", "hook.failed")
    assert gate(world)["stage"] == "sprint"


@CASES.case("DC06")
def corrupt_store(world: Workshop) -> None:
    """A corrupt snapshot does no harm: the next reading is taken and acted on."""
    world.start()
    world.done("sprint")
    world.left(20)
    (world.directory / "snapshot").write_bytes(b'{"remaining": \x00\xff' * 300)
    world.left(65.3)
    world.tool(command="ls")
    assert world.view("stage")["remaining"] == 65.3
    assert "65.3%" in world.stop().context


@CASES.case("DC07", silent_beside="DC02-hook-input")
def no_number(world: Workshop) -> None:
    """A remaining percentage that is not a number, or impossible, is not a reading."""
    world.start()
    world.order("stage", "start")
    for value in ("x", "65", None, True, [], -1, 101, {"a": 1}):
        assert not world.hook("PostToolUse", tool_name="Bash", tool_input={"command": "ls"},
                              tool_response={}, tool_use_id=f"t{value}", **used(value)).out  # fmt: skip
    assert not world.events("pressure.sampled")
    assert world.view("stage")["remaining"] is None


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
    assert gate(world).get("status", "open") == "open"


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


@CASES.case("DC13")
def young_enough(world: Workshop) -> None:
    """A reading 100 s old is used, on both sides of the threshold."""
    for sid, left in ((SID, 3), (OTHER, 80)):
        world.start(sid=sid)
        world.done("sprint", sid=sid)
        world.prompt(sid=sid)
        world.left(left, sid=sid)
        world.after(seconds=99)
        world.stop(sid=sid)
    assert gate(world)["status"] == "stopped"
    assert gate(world, OTHER)["asked"] == ["next:audit"]


@CASES.case("DC13-open")
def too_old_for_an_open_stage(world: Workshop) -> None:
    """With an old reading the gate still asks about an open stage, and says the room is unknown."""
    world.start()
    world.order("stage", "start")
    world.prompt()
    world.left(3)
    world.after(seconds=300)
    assert "is left is unknown" in world.stop().context
    world.start(sid=OTHER)
    world.left(80, sid=OTHER)
    world.order("stage", "start", sid=OTHER)
    assert "unknown" not in world.stop(sid=OTHER).context


@CASES.case("DC13-stale")
def too_old(world: Workshop) -> None:
    """A reading 301 s old is unknown: no question, no stop, and one message to the person."""
    world.start()
    world.done("sprint")
    world.prompt()
    world.left(3)
    world.after(seconds=300)
    reply = world.stop()
    assert set(reply.output) == {"systemMessage"}
    assert "unknown" in reply.message
    assert not world.events("stage.stopped")


@CASES.case("DC14")
def newest_wins(world: Workshop) -> None:
    """A reading in the Stop's own input takes precedence over a stored one, however recent."""
    world.start()
    world.done("sprint")
    world.left(3)
    assert "journal stage start audit" in world.stop(**used(80)).context
    assert not world.events("stage.stopped")


@CASES.case("DC14-transcript")
def newest_of_two(world: Workshop) -> None:
    """So does the transcript's last reply: the status line's figure is from the turn before."""
    world.start()
    world.done("sprint")
    world.left(80)
    world.reading(80.995)
    assert "3.0%" in world.stop().message
    assert world.one("stage.stopped")["remaining"] == 3.0


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


@CASES.case("DC17")
def not_a_number(world: Workshop) -> None:
    """A Stop whose percentage is not a number counts as one without a reading, and says unknown."""
    world.start()
    world.done("sprint")
    reply = world.stop(**used("n/a"))
    assert "unknown" in reply.message
    assert not world.events("stage.stopped", "hook.failed")


@CASES.case("DC19", silent_beside="DC09-sprint")
def no_json(world: Workshop) -> None:
    """A Stop with empty or invalid JSON gets no answer, and the cycle stays where it was."""
    world.start()
    world.left(80)
    world.done("sprint")
    for raw in (b"", b"{nonsense", b"[]", b"\xff"):
        assert not world.feed(raw, "Stop").out
    assert gate(world)["stage"] == "sprint"
    assert "asked" not in gate(world)
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


@CASES.case("DC25")
def started_by_its_command(world: Workshop) -> None:
    """The explicit command starts one cycle, however often it comes and by whichever event."""
    world.start()
    for text in ("/journal:dev-cycle", "/dev-cycle", "/journal:dev-cycle add discounts"):
        world.prompt(text)
        world.hook("UserPromptExpansion", expansion_type="slash_command", command_args="",
                   command_name="journal:dev-cycle", command_source="plugin", prompt=text,
                   prompt_id=f"prompt-{world.turns}")  # fmt: skip
        world.order("stage", "start")
    assert len(world.events("stage.started")) == 1
    view = world.view("stage")
    assert (view["stage"], view["open"], view["status"]) == ("sprint", True, "open")
    world.left(80)
    assert "sprint is still open" in world.stop().context


@CASES.case("DC25-mention", silent_beside="DC25")
def mentioned(world: Workshop) -> None:
    """Mentioning the command does not run it: in a question, a list or another command's name."""
    world.start()
    for text in ("what does dev-cycle mean?", "what does /journal:dev-cycle do?", "dev-cycle",
                 "run /dev-cycle", " /dev-cycle", "/dev-cycles", "/other:dev-cycle",
                 "/dev-cycle-status", "<task-notification>/dev-cycle", "", "/"):  # fmt: skip
        assert not world.prompt(text).out
    world.tool("Skill", {"success": True}, skill="dev-cycle-help")
    assert not world.stop().out
    assert world.view("stage")["status"] == "none"


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


@CASES.case("DC30")
def told_after_a_compaction(world: Workshop) -> None:
    """SessionStart(compact), which the model reads, names the stage; PostCompact prints nothing."""
    world.start()
    world.order("stage", "start")
    assert not world.compacting().out
    text = world.start("compact").context
    assert "stage sprint, open" in text
    assert not world.compacted().out
    assert world.view("stage")["review_rounds"] == 2


@CASES.case("DC30-stopped")
def stopped_before_a_compaction(world: Workshop) -> None:
    """A cycle that stopped for lack of room is named after the compaction that made room."""
    world.start()
    world.left(80)
    world.done("sprint")
    world.order("stage", "stop", "--reason", "context_budget")
    text = world.compact().context
    assert "was stopped at sprint (too little context was left, " in text
    assert "left to do: audit, ship, retrospective. If the person wants it to go on" in text
    assert "`journal stage resume`" in text


@CASES.case("DC30-guidance")
def told_to_the_summary(world: Workshop) -> None:
    """With guidance on, the compaction is asked to keep the stage in its summary."""
    world.configure("[precompact]\nguidance = true\n", own=True)
    world.start()
    world.order("stage", "start")
    assert "stage sprint" in world.compacting().out


@CASES.case("DC30-none", silent_beside="DC30-guidance")
def nothing_to_tell(world: Workshop) -> None:
    """Without a cycle no stage is named, and three review rounds are the rule."""
    world.configure("[precompact]\nguidance = true\n", own=True)
    world.start()
    world.prompt("add codes")
    assert not world.compacting().out
    assert "stage" not in world.start("compact").context
    assert not world.compacted().out
    assert world.view("stage")["review_rounds"] == 3


@CASES.case("resumed")
def resumed_elsewhere(world: Workshop) -> None:
    """A start names a stopped cycle; resumed by command, it ends in the session it came from."""
    world.start()
    world.left(20)
    world.done("sprint")
    world.stop()
    world.end()
    offered = world.start(sid=OTHER).context
    assert "journal stage resume" in offered
    assert "stage sprint (stopped" in offered
    world.order("stage", "resume", sid=OTHER)
    assert gate(world)["moved_to"] == OTHER
    assert (gate(world, OTHER)["stage"], len(gate(world, OTHER)["spans"])) == ("audit", 2)
    assert "journal stage resume" not in world.start(sid=THIRD).text
    world.left(80, sid=OTHER)
    assert "journal stage finish audit" in world.stop(sid=OTHER).context
    world.prompt()
    assert not world.stop().out


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(
    Workshop, "DC01", "DC11-sprint", "DC23"
)
