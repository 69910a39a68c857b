"""PX11 to PX25, XX06: the work log around a compaction, and what Claude gets back after it."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.world import OTHER, World

CASES = Table()


def headings(world: World) -> list[str]:
    """List the headings that the work log has now."""
    path = world.project / ".claude" / "context" / "progress.md"
    return [line[3:] for line in path.read_text().splitlines() if line.startswith("## ")]


@CASES.case("PX11")
def trims(world: World) -> None:
    """Of 15 entries the 10 newest stay; the event has the count and headings from before."""
    world.flow(15)
    before = headings(world)
    world.start()
    assert not world.compacting().out
    assert headings(world) == before  # it may still fail
    world.start("compact")
    assert headings(world) == before[:10]
    started = world.one("compact.started")
    saved = world.one("checkpoint.saved")
    assert (started["flow"]["entries"], saved["unpromoted"]) == (15, 15)
    assert started["headings"] == before[:3]
    trimmed = world.events("flow.trimmed")
    assert sorted(event["heading"] for event in trimmed) == sorted(before[10:])
    assert all("x" * 40 in event["text"] for event in trimmed)


@CASES.case("PX11-by-date")
def trims_by_date(world: World) -> None:
    """The newest entries by date stay, wherever they are in the file, even in its last lines."""
    days = [8, 1, 15, 3, 12, 5, 10, 2, 14, 7, 4, 11, 6, 13, 9]
    world.write("progress.md", "".join(f"## 2026-11-{day:02} S\n\nB\n\n" for day in days))
    world.start()
    world.compact()
    assert {heading[8:10] for heading in headings(world)} == {f"{day:02}" for day in range(6, 16)}
    assert world.one("compact.started")["headings"][0].startswith("2026-11-15")


@CASES.case("PX12", silent_beside="PX11")
def keeps_few(world: World) -> None:
    """A work log of five entries keeps every byte."""
    path = world.flow(5)
    before = path.read_bytes()
    world.start()
    assert not world.compacting().out
    assert path.read_bytes() == before
    assert not world.events("flow.trimmed")


@CASES.case("PX14", silent_beside="PX20")
def empty_compaction(world: World) -> None:
    """Without work log and learnings a compaction is recorded with zeros; no file is created."""
    world.start()
    assert not world.compacting().out
    started = world.one("compact.started")
    saved = world.one("checkpoint.saved")
    assert (saved["unpromoted"], started.get("headings", [])) == (0, [])
    assert not started.get("stock")
    assert not (world.project / ".claude").exists()


@CASES.case("PX15")
def manual(world: World) -> None:
    """A compaction's trigger and its custom instructions are recorded."""
    world.start()
    world.compacting("manual", custom_instructions="keep FOO")
    started = world.one("compact.started")
    assert (started["trigger"], started["instructions"]) == ("manual", "keep FOO")
    world.start("compact")
    world.compacting("auto")
    assert world.one("compact.started")["trigger"] == "auto"


@CASES.case("PX16")
def stock_counts(world: World) -> None:
    """The average covers confirmed learnings only; unverified ones are counted separately."""
    world.stock(confirmed=1, unverified=1, count=3)
    world.start()
    world.compacting()
    stock = world.one("compact.started")["stock"]
    assert (stock["total"], stock["unverified"], stock["average"]) == (2, 1, 3.0)


@CASES.case("PX17")
def promoted(world: World) -> None:
    """A compound since the previous compaction marks this compaction as promoted."""
    world.flow(5)
    world.start()
    world.compact()
    world.compound()
    world.compacting()
    assert world.one("checkpoint.saved")["promoted"] is True


@CASES.case("PX18")
def not_promoted(world: World) -> None:
    """A compound from before the previous compaction does not mark it as promoted."""
    world.flow(5)
    world.start()
    world.compound()
    world.compact()
    world.compacting()
    assert world.one("checkpoint.saved")["promoted"] is False


@CASES.case("PX19", silent_beside="PX20")
def compacting_is_silent(world: World) -> None:
    """PreCompact prints nothing without structured state: its output would go into the summary."""
    world.flow(15)
    world.stock()
    world.start()
    world.reading(78)
    world.prompt()
    for trigger in ("auto", "manual"):
        assert not world.compacting(trigger).out


@CASES.case("PX20")
def recovers(world: World) -> None:
    """After a compaction Claude gets the unsaved entries' headings, the request and the command."""
    world.flow(5)
    world.start()
    world.prompt("add discount codes")
    world.tool("Edit", file_path=str(world.project / "cart.py"))
    text = world.compact().context
    for part in ("5 work-log entries", "2026-11-20 Step 20", "2026-11-19 Step 19", "not saved as learnings",
                 "/journal:compound", "add discount codes", "cart.py", "automatically"):  # fmt: skip
        assert part in text, part
    assert "xxxx" not in text


@CASES.case("PX20-once", silent_beside="PX20")
def recovers_once(world: World) -> None:
    """A compaction is reported once: neither a resume nor a second hook call repeats it."""
    world.flow(5)
    world.start()
    world.prompt("add discount codes")
    assert world.compact().context
    world.stop()
    world.end()
    assert "compacted" not in world.start("resume").text
    assert not world.prompt().out
    assert world.compact().context


@CASES.case("PX20-foreign", silent_beside="PX20")
def recovers_own(world: World) -> None:
    """Another session gets no recovery for it, even if its start has the source "compact"."""
    world.start()
    world.prompt("add discount codes")
    world.compact()
    for source in ("startup", "resume"):
        assert "discount" not in world.start(source, sid=OTHER).text
    assert "discount" not in world.start("compact", sid=OTHER).text


@CASES.case("PX20-early")
def recovers_without_post(world: World) -> None:
    """Recovery needs no PostCompact, which may come later or never."""
    world.flow(2)
    world.start()
    world.prompt("add discount codes")
    world.compacting()
    assert "discount codes" in world.start("compact").context


@CASES.case("PX21")
def recovers_promoted(world: World) -> None:
    """If everything is promoted, recovery says that knowledge is preserved and names the files."""
    world.flow(5)
    world.stock()
    world.start()
    world.compound()
    text = world.compact().context
    assert "is saved" in text
    for part in (".claude/context/progress.md", ".claude/context/learnings-feature.md"):
        assert part in text, part
    assert "/journal:compound" not in text


@CASES.case("PX21-once")
def names_each_work_file_once(world: World) -> None:
    """After a compound that read and wrote them, work log and learnings are named once each."""
    work_log, learnings = world.flow(5), world.stock()
    world.start()
    world.prompt("add discount codes to the cart")
    world.tool("Read", file_path=str(work_log))
    world.tool("Write", file_path=str(learnings))
    world.tool("Write", file_path=str(world.project / "cart.py"))
    world.compound()
    text = world.compact().context
    assert [text.count(path.name) for path in (work_log, learnings)] == [1, 1]
    assert "cart.py" in text


@CASES.case("PX22", silent_beside="PX24")
def nothing_stored(world: World) -> None:
    """In a project without journal or files a start prints nothing and creates nothing there."""
    assert not world.start().out
    assert [path.name for path in world.project.iterdir()] == [".git"]
    assert world.directory.stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o077 == 0 for path in world.directory.iterdir())


@CASES.case("PX24")
def lists(world: World) -> None:
    """A start lists paths, unsaved entries and safe learnings, but no contents."""
    world.flow(3)
    world.stock(confirmed=2, unverified=2)
    reply = world.start()
    for part in (".claude/context/progress.md", "3 work-log entries", ".claude/context/learnings-feature.md",
                 "2 confirmed, safe to rely on", "2 never confirmed"):  # fmt: skip
        assert part in reply.context, part
    assert "body" not in reply.context
    assert "xxxx" not in reply.context


@CASES.case("PX25")
def own_state_only(world: World) -> None:
    """A clear resets what its own lineage was already told, and no other lineage's state."""
    for sid in (world.sid, OTHER):
        world.start(sid=sid)
        world.reading(65, sid=sid)
        assert world.prompt(sid=sid).context
    world.end("clear")
    fresh = "33333333-aaaa-4bbb-8ccc-000000000003"
    world.start("clear", sid=fresh)
    world.reading(65, sid=fresh)
    assert "info" in world.prompt(sid=fresh).context
    assert not world.prompt(sid=OTHER).out
    assert world.views()["lineage"]["sessions"][fresh]["parent"] == world.sid


@CASES.case("XX06")
def attempts(world: World) -> None:
    """A compaction that failed counts as an attempt; one that succeeded counts once."""
    world.start()
    world.prompt()
    world.compacting()
    trail = world.views()["recovery"]["sessions"][world.sid]
    assert (trail["attempts"], trail.get("compactions", 0)) == (1, 0)
    world.after(seconds=30).compacting()
    world.start("compact")
    world.compacted()
    trail = world.views()["recovery"]["sessions"][world.sid]
    assert (trail["attempts"], trail["compactions"]) == (2, 1)
    world.compacting()
    assert world.start("compact").context
    world.compacted()
    trail = world.views()["recovery"]["sessions"][world.sid]
    assert (trail["attempts"], trail["compactions"]) == (3, 2)


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(World, "PX11")
