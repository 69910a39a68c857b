"""Past sessions at a start and at the first request; texts the person sent (CN01-03, CN14-21)."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from cli.scope import Scope
from journal.codec import digest
from journal.history.packs import queue
from tests.cases.table import Table
from tests.cases.world import OTHER, ROOT, World

if TYPE_CHECKING:
    from pathlib import Path


CASES = Table()
THIRD = "33333333-aaaa-4bbb-8ccc-000000000003"
FOURTH = "44444444-aaaa-4bbb-8ccc-000000000004"
PACK = "## Rounding\n\nPrices are rounded half up, per line. Source: shop#3."
ROUNDING = {
    "title": "Round prices in the cart", "files": ["src/cart.py", "src/totals.py"],
    "summary": "Rounding half up per line; the checkout totals agree with the invoice.",
    "decisions": ["Round per line, not per cart"], "engine": "extractive",
}  # fmt: skip
LOGIN = {
    "title": "ログイン画面の認証", "files": ["src/login.py"], "engine": "extractive",
    "summary": "認証トークンの期限切れを直した。",
}  # fmt: skip


def past(world: World, sid: str = OTHER, about: dict | None = None, **more: str) -> int:
    """Record a past session that ended and was summarised; return the seq of its summary."""
    world.start(sid=sid)
    world.prompt("make the rounding of prices right", sid=sid)
    world.tool("Edit", sid=sid, file_path=(about or ROUNDING)["files"][0])
    world.end(sid=sid)
    ended = world.events("session.ended")[-1]
    event = {"type": "session.summarized", "sid": sid, "of": sid, "upto": ended["seq"],
             "ended": ended["ts"], "branch": "main", **(about or ROUNDING), **more}  # fmt: skip
    return world.append(event)[0]


def send(world: World, text: str = PACK, to: str = "", **more: object) -> int:
    """Send a text to a session, as the page does; return the seq of the queued text."""
    world.after(seconds=1)
    env = world.env({"PATH": "/nonexistent"})
    scope = Scope(env, project=str(world.project), cwd=str(world.project))
    return queue(scope, to or world.sid, **{"title": "Rounding", "text": text, **more})


def injected(world: World, what: str) -> list[dict]:
    """Return the texts of one kind injected into this world's session."""
    return [
        event
        for event in world.events("context.injected")
        if (event["what"], event["sid"]) == (what, world.sid)
    ]


# -- a start registers the session, whatever the environment ---------------------------------------


@CASES.case("CN01")
def plugin_folder_alone(world: World) -> None:
    """With the plugin's folders alone, a start exits 0, registers the session, offers the past."""
    place = world.base / "plugin"
    for name in ("hooks", "journal", "projections"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    seq = past(world)
    if world.inline:
        return
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
    assert nodes[world.sid]["runs"] == 2


@CASES.case("CN21", silent_beside="offer")
def idle_sessions_stay_open(world: World) -> None:
    """A session that is idle for an hour is neither ended nor offered by another's start."""
    world.start(sid=OTHER)
    world.prompt("make the rounding of prices right", sid=OTHER)
    world.after(minutes=60)
    assert not world.start().out
    assert not world.events("session.ended")
    assert world.views()["lineage"]["sessions"][OTHER].get("ended", "") == ""


# -- the offer at a start ----------------------------------------------------------------------------


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


# -- the first request -------------------------------------------------------------------------------


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


# -- texts the person sent -------------------------------------------------------------------------


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
    send(world, text, title="認証" * 40, sources=[f"shop-0123456789abcdef#{n}" for n in range(9)])
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


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(World, "CN01", "offer", "CN14")
