"""CN01 to CN03, CN21: past sessions that a start offers."""

from __future__ import annotations

from journal.codec import digest
from tests.cases.past import LOGIN, ROUNDING, injected, past
from tests.cases.table import Table
from tests.cases.workshop import FOURTH, THIRD
from tests.cases.world import OTHER, World
from tests.support.code import copy_code

CASES = Table()


@CASES.case("CN01")
def plugin_folder_alone(world: World) -> None:
    """With the plugin's folders alone, a start exits 0, registers the session, offers the past."""
    place = world.base / "plugin"
    seq = past(world)
    if world.inline:
        return
    copy_code(place)
    world.python = [*world.python, "-B", "-c", _RUN.format(str(place / "hooks" / "run.py"))]
    reply = world.start()
    assert world.one("session.started")["sid"] == world.sid
    assert f"#{seq}" in reply.context


_RUN = "import runpy,sys; sys.argv=[{0!r}]; runpy.run_path({0!r}, run_name='__main__')"


@CASES.case("CN02")
def nothing_on_the_path(world: World) -> None:
    """Without any program on PATH a start still registers and offers."""
    seq = past(world)
    reply = world.start(env={"PATH": "/nonexistent"})
    assert world.one("session.started")["sid"] == world.sid
    assert f"#{seq}" in reply.context


@CASES.case("CN03", silent_beside="offer")
def resumed(world: World) -> None:
    """A resumed session with a known id is the same session, reopened once, without a new offer."""
    past(world)
    world.start()
    world.prompt()
    world.end()
    before = len(injected(world, "related"))
    reply = world.start("resume")
    assert "Past sessions" not in reply.context
    assert len(injected(world, "related")) == before
    nodes = world.views()["lineage"]["sessions"]
    assert list(nodes) == [OTHER, world.sid]
    assert nodes[world.sid].get("ended", "") == ""
    started = [event["sid"] for event in world.events("session.started")]
    assert started.count(world.sid) == 2


@CASES.case("CN21", silent_beside="offer")
def idle_sessions_stay_open(world: World) -> None:
    """A session that is idle for an hour is neither ended nor offered by another's start."""
    world.start(sid=OTHER)
    world.prompt("make the rounding of prices right", sid=OTHER)
    world.after(minutes=60)
    assert not world.start().out
    assert not world.events("session.ended")
    assert world.views()["lineage"]["sessions"][OTHER].get("ended", "") == ""


@CASES.case("offer")
def offered(world: World) -> None:
    """A start offers title, session, date, source event and the next command, and records it."""
    seq = past(world)
    reply = world.after(hours=20).start()
    for part in ("Round prices in the cart", OTHER[:8], "2026-11-21", f"#{seq}", "journal get",
                 "/journal:get", "cart.py"):  # fmt: skip
        assert part in reply.context, part
    (record,) = injected(world, "related")
    assert record["sid"] == world.sid
    assert record["reason"] == f"at start: #{seq}"
    assert record["digest"] == "b2:" + digest(reply.context)
    assert record["characters"] == len(reply.context) <= 1200


@CASES.case("offer-unsummarised")
def offered_without_summary(world: World) -> None:
    """A session that just ended and has no summary yet is offered by its end event."""
    world.start(sid=OTHER)
    world.prompt("make the rounding of prices right", sid=OTHER)
    world.tool("Edit", file_path=str(world.project / "cart.py"), sid=OTHER)
    world.end(sid=OTHER)
    end = world.one("session.ended")["seq"]
    reply = world.start()
    assert "make the rounding of prices right" in reply.context
    assert f"#{end}" in reply.context
    assert OTHER[:8] in reply.context


@CASES.case("offer-looked-only", silent_beside="offer-unsummarised")
def not_what_only_looked(world: World) -> None:
    """A session without changes and decisions is not offered."""
    world.start(sid=OTHER)
    world.prompt("make the rounding of prices right", sid=OTHER)
    world.tool("Read", file_path=str(world.project / "cart.py"), sid=OTHER)
    world.end(sid=OTHER)
    assert not world.start().out


@CASES.case("offer-off", silent_beside="offer")
def offer_switched_off(world: World) -> None:
    """With `related.enabled` off neither a start nor a first request offers a past session."""
    past(world)
    (world.project / ".claude").mkdir(exist_ok=True)
    (world.project / ".claude" / "journal.toml").write_text("[related]\nenabled = false\n")
    assert not world.start().out
    assert not world.prompt("is the rounding of prices in the cart right?").out
    assert not injected(world, "related")


@CASES.case("offer-own-lineage", silent_beside="offer")
def own_lineage(world: World) -> None:
    """A session's own lineage, as what it left at /clear, is never offered to it."""
    past(world, world.sid)
    assert "Past sessions" not in world.start("resume").context
    world.end("clear")
    assert not world.start("clear", sid=OTHER).out
    assert not world.prompt("round prices in the cart totals", sid=OTHER).out


@CASES.case("offer-twins")
def twins(world: World) -> None:
    """Of a session and a part exported from it only one is offered."""
    past(world)
    world.append({"type": "session.exported", "sid": OTHER, "of": OTHER, **ROUNDING, "seqs": [2]})
    past(world, THIRD, LOGIN)
    text = world.start().context
    assert text.count("Round prices in the cart") == 1
    assert "ログイン画面の認証" in text


@CASES.case("offer-nearest")
def nearest_first(world: World) -> None:
    """Sessions on the current branch are offered before newer ones on other branches."""
    past(world, OTHER, branch="fix/rounding")
    past(world.after(hours=2), THIRD, LOGIN)
    (world.project / ".git" / "HEAD").write_text("ref: refs/heads/fix/rounding\n")
    text = world.after(hours=1).start().context
    assert text.index(OTHER[:8]) < text.index(THIRD[:8])
    (world.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    text = world.start(sid=FOURTH).context
    assert text.index(OTHER[:8]) > text.index(THIRD[:8])


@CASES.case("offer-files")
def nearest_by_files(world: World) -> None:
    """An older session is offered if it worked on the files that others changed recently."""
    past(world, OTHER)
    past(world.after(hours=2), THIRD, LOGIN)
    past(world.after(hours=1), FOURTH, {**ROUNDING, "title": "Totals"})
    text = world.after(hours=1).start().context
    assert text.index(OTHER[:8]) < text.index(THIRD[:8])


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(World, "CN01")
