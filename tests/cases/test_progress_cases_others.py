"""CP11 to CP18, CP25, CP33 to CP37: progress that other sessions left, and how it is adopted.

The optional rule CP25 is not implemented, and its case proves it: no name of the person is shown.
"""

from __future__ import annotations

import re
from itertools import pairwise

from journal.workfiles.progress_file import LEGACY
from tests.cases.skills import crowd, own_file, timeless
from tests.cases.table import Table
from tests.cases.workshop import FOURTH, THIRD, Workshop
from tests.cases.world import OTHER, SID

CASES = Table()
NOBODY = "99999999-aaaa-4bbb-8ccc-000000000009"


@CASES.case("CP11")
def bounded(world: Workshop) -> None:
    """Own state, 12 stale, 6 fresh and a loop fit in 9,600 characters; cut lists say so."""
    world.loop()
    world.start()
    crowd(world)
    world.after(minutes=11)
    for source in ("startup", "resume"):
        reply = world.start(source)
        text = reply.context
        assert len(reply.out) <= 9_600
        assert "- 15 more: " in text
        assert text.count("progress adopt 0000") == 3
        order = [text.index(part) for part in ("loop is active", "own-skill", "FRESH", "more: ")]
        assert order == sorted(order)
        assert "loop is active" in text.split("\n")[1]
        world.end()
        world.stop()
        world.save("own-skill", 3 if source == "startup" else 4)
    world.compacting()
    reply = world.start("compact")
    assert len(reply.out) <= 9_600
    assert reply.context.index("loop is active") < reply.context.index("own-skill")
    assert "skill-3" not in reply.context


@CASES.case("CP11-documents")
def independent_of_documents(world: Workshop) -> None:
    """Progress files of 200 bytes and of 60 KB give the same output, byte for byte."""
    world.start()
    crowd(world, stale=4, fresh=4)
    (world.project / "docs" / "plans" / LEGACY).write_text("**Skill**: old\n")
    said = []
    for size in (200, 60_000):
        for path in (world.project / "docs" / "plans").iterdir():
            text = path.read_text().split("\n## Notes")[0]
            path.write_text(f"{text}\n## Notes\n\n{'x ' * (size // 2)}\n")
        replies = [world.start(), world.compacting(), world.start("compact"), world.compacted()]
        world.stop()
        said.append([timeless(reply.out) for reply in replies])
    assert "The latest summary is" in said[1].pop(2)  # of the previous compaction
    assert "own-skill" in said[0].pop(2)
    assert said[0] == said[1]
    assert said[0][0]


@CASES.case("CP11-long-summaries")
def long_summaries(world: Workshop) -> None:
    """Sixteen phases with the longest summaries get one bounded line each."""
    world.start()
    for phase in range(1, 17):
        world.save(phase=phase, summary=f"P{phase} " + "s" * 1_500, next="n" * 900)
    reply = world.compact()
    assert len(reply.out) <= 9_600
    for part in ("- Phase 16", "- Phase 5", 'Next action: "nnn'):
        assert part in reply.context, part
    assert "s" * 400 not in reply.context
    assert len(world.view("progress")["state"]["phases"]) == 16


@CASES.case("CP14")
def ages(world: Workshop) -> None:
    """Another session's state is fresh for 71 hours, stale after 72; one's own is never stale."""
    world.start()
    world.save()
    world.after(days=7)
    for sid, hours in ((OTHER, 1), (THIRD, 71)):
        world.save(sid=sid)
        world.after(hours=hours)
    text = world.start().context
    rows = {line: [sid for sid in (SID, OTHER, THIRD) if sid in line] for line in text.split("\n")}
    stale, fresh = text.index("STALE"), text.index("FRESH")
    assert "CURRENT" in text
    assert fresh < stale
    assert next("FRESH" in row for row, found in rows.items() if THIRD in found)
    assert next("STALE" in row for row, found in rows.items() if OTHER in found)
    assert sum(bool(found) for found in rows.values()) == 3  # its own state names its file
    listed = world.order("progress", "list", "--json").data
    assert [row["class"] for row in listed] == ["CURRENT", "FRESH", "STALE"]


@CASES.case("CP15")
def stale(world: Workshop) -> None:
    """A stale state is offered by name, to continue or to discard; it does not stop the session."""
    world.save("stories", 4, sid=OTHER)
    world.after(days=10)
    text = world.start().context
    (row,) = [line for line in text.split("\n") if line.startswith('- skill "stories"')]
    for part in ("phase 4", "10 days old", own_file(OTHER), OTHER):
        assert part in row, part
    assert "the user decides about each, continue or discard" in text
    assert not re.search(r"\brm\b|delete it|must|stop|halt|before you|do not", text.lower())


@CASES.case("CP16")
def fresh(world: Workshop) -> None:
    """A fresh state is marked as fresh; the person decides about it."""
    world.save("stories", 4, sid=OTHER)
    world.after(hours=5)
    text = world.start().context
    assert "FRESH" in text
    assert '"stories", phase 4' in text
    assert "the user decides" in text
    assert "clean" not in text


@CASES.case("CP17", silent_beside="CP18")
def neither(world: Workshop) -> None:
    """Without other states both lists are absent; closed, adopted, discarded ones never appear."""
    world.start()
    assert not world.start().out
    for sid in (OTHER, THIRD):
        world.save(sid=sid)
    world.order("progress", "discard", THIRD, "--yes")
    world.start(sid=FOURTH)
    world.order("progress", "adopt", OTHER, sid=FOURTH)
    (world.project / "docs" / "plans" / "01.md").write_text("x")
    world.order("progress", "close", sid=FOURTH)
    world.after(days=4)
    assert not world.start("startup", sid=NOBODY).out


@CASES.case("CP18")
def own_and_stale(world: Workshop) -> None:
    """An own and a stale state are both named, the own one first, and nothing is blocked."""
    world.save("stories", sid=OTHER)
    world.after(days=4)
    world.start()
    world.save()
    reply = world.start()
    assert set(reply.output) == {"hookSpecificOutput"}
    assert reply.context.index("CURRENT") < reply.context.index("STALE")


@CASES.case("CP25", silent_beside="CP18")
def no_name(world: Workshop) -> None:
    """Optional and not implemented: no name of the person is looked up, shown or stored."""
    world.more |= {"USER": "Marion-Env", "CPM_USER_NAME": "Marion-Env"}
    (world.project / ".git" / "config").write_text("[user]\n\tname = Marion Git\n")
    world.start()
    world.save()
    said = [world.start(), world.prompt(), world.compacting(), world.start("compact")]
    assert any(reply.out for reply in said)
    raw = "".join(reply.out for reply in said) + str(world.events())
    assert "Marion" not in raw


@CASES.case("CP33")
def adopted(world: Workshop) -> None:
    """B gets A's state, A refers to B, and a chain of any length has exactly one live state."""
    world.start()
    world.save(phase=1)
    world.save(phase=2)
    before = world.view("progress")["state"]
    chain = [SID, OTHER, THIRD, FOURTH]
    for origin, taker in pairwise(chain):
        world.start(sid=taker)
        world.order("progress", "adopt", origin, sid=taker)
        assert world.run("progress", "adopt", origin, sid=NOBODY).code == 1
        state = world.view("progress", sid=taker)["state"]
        for member in ("skill", "phase", "name", "phases", "output", "next", "started"):
            assert state[member] == before[member], member
    states = world.view("progress", sid=None)["sessions"]
    assert [states[sid]["status"] for sid in chain] == ["adopted"] * 3 + ["live"]
    assert [states[sid]["by"] for sid in chain] == [OTHER, THIRD, FOURTH, None]
    assert "Do discover 3" in world.start("compact", sid=FOURTH).text
    world.compacting()
    assert "discover" not in world.start("compact").text


@CASES.case("CP33-refused", silent_beside="CP33")
def refused(world: Workshop) -> None:
    """Adopting an unknown state, one's own, or over one's own is refused; nothing is written."""
    world.start()
    world.save()
    world.save("stories", sid=OTHER)
    files = sorted(path.name for path in (world.project / "docs" / "plans").iterdir())
    before = world.types()
    for name in (NOBODY, SID, OTHER):
        assert world.run("progress", "adopt", name).code == 1
    assert world.types() == before
    assert sorted(path.name for path in (world.project / "docs" / "plans").iterdir()) == files
    assert world.view("progress")["state"]["skill"] == "discover"


@CASES.case("CP36")
def adopted_by_a_known_session(world: Workshop) -> None:
    """A known session without state, or with a closed skill, can adopt another's state."""
    world.start()
    world.save()
    world.start(sid=OTHER)
    world.prompt(sid=OTHER)
    world.order("progress", "adopt", SID, sid=OTHER)
    assert world.view("progress", sid=OTHER)["state"]["next"] == "Do discover 2"
    world.save("stories")
    (world.project / "docs" / "plans" / "01.md").write_text("x")
    world.order("progress", "close")
    world.order("progress", "adopt", OTHER)
    assert world.view("progress")["state"]["next"] == "Do discover 2"


@CASES.case("CP37", silent_beside="CP15")
def touched_again(world: Workshop) -> None:
    """The age counts from the last save: an old session that saved again is not stale."""
    world.save(sid=OTHER)
    world.after(days=5)
    world.save(phase=2, sid=OTHER)
    world.after(hours=71)
    assert "STALE" not in world.start().context
    assert world.order("progress", "list", "--json").data[0]["class"] == "FRESH"
    world.after(hours=2)
    assert "STALE" in world.start().context


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop)
