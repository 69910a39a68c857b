"""CP01 to CP13, CP26 to CP29: what a start and a compaction say of a session's own progress."""

from __future__ import annotations

import json

from tests.cases.skills import crowd, own_file
from tests.cases.table import Table
from tests.cases.workshop import THIRD, Workshop
from tests.cases.world import OTHER, SID

CASES = Table()


def summarised(world: Workshop, text: str = "S.") -> None:
    """Record the summary of a compaction."""
    world.compacting()
    world.start("compact")
    world.compacted(summary=text)
    world.stop()


@CASES.case("CP01", silent_beside="CP02")
def identity(world: Workshop) -> None:
    """The session's id is in the environment of skills; without state nothing is said about it."""
    env_file = world.base / "env.sh"
    world.more["CLAUDE_ENV_FILE"] = str(env_file)
    assert not world.start().out
    assert f"export JOURNAL_SESSION='{SID}'" in env_file.read_text()
    world.save()
    assert world.one("progress.saved")["sid"] == SID


@CASES.case("CP02")
def own_and_other(world: Workshop) -> None:
    """After a compaction the session's own state is named and another session's is not."""
    for sid, skill in ((SID, "discover"), (OTHER, "stories")):
        world.start(sid=sid)
        world.save(skill, sid=sid)
    text = world.compact().context
    for part in ("discover", own_file(), "Do discover 2", "Found discover 1.", "docs/plans/01.md"):
        assert part in text, part
    for part in ("stories", own_file(OTHER), OTHER):
        assert part not in text, part


@CASES.case("CP03", silent_beside="CP02")
def only_others(world: Workshop) -> None:
    """If only other sessions have states, a compaction names none."""
    for sid in (SID, OTHER):
        world.start(sid=sid)
        world.save(sid=sid)
    world.start(sid=THIRD)
    world.compacting(sid=THIRD)
    assert not world.start("compact", sid=THIRD).out


@CASES.case("CP04", silent_beside="CP02")
def no_session(world: Workshop) -> None:
    """Bad JSON, an empty input, or one without a session presents no state as active."""
    world.start()
    world.save()
    for raw in (b"{nonsense", b"", b"null"):
        assert not world.feed(raw, "SessionStart").out
    for sid in ("", ..., None, 7):
        for source in ("compact", "startup"):
            world.after(minutes=1)
            said = world.hook("SessionStart", session_id=sid, source=source).text
            assert "CURRENT" not in said
            assert "Next action" not in said


@CASES.case("CP06")
def cleared_with_the_same_id(world: Workshop) -> None:
    """A clear that keeps the id names the session's own state."""
    world.start()
    world.save()
    world.end("clear")
    text = world.start("clear").context
    assert (
        f'Unfinished here (CURRENT): "discover", phase 1 ("Name 1"), output "docs/plans/01.md", state in "{own_file()}"'
        in text
    )


@CASES.case("CP06-new-id")
def cleared_with_a_new_id(world: Workshop) -> None:
    """A clear with a new id offers only the state it continues from, to take up or discard."""
    world.start()
    world.save()
    world.end("clear")
    text = world.start("clear", sid=OTHER).context
    assert f"journal progress adopt {SID}" in text
    assert f"journal progress discard {SID}" in text
    assert "CURRENT" not in text
    assert world.view("progress", sid=OTHER)["state"] is None
    world.compacting(sid=OTHER)
    assert "discover" not in world.start("compact", sid=OTHER).text


@CASES.case("CP06-fork", silent_beside="CP06-new-id")
def forked(world: Workshop) -> None:
    """A fork without a known origin is offered the state as another session's, some time later."""
    world.start()
    world.save()
    assert not world.start("fork", sid=OTHER).out
    text = world.after(minutes=10).start("fork", sid=THIRD).context
    assert "FRESH" in text
    assert f"journal progress adopt {SID}" in text
    assert "CURRENT" not in text


@CASES.case("CP07")
def state_and_summary(world: Workshop) -> None:
    """State and summary are both named, the state first, and neither document is included."""
    world.start()
    world.save(summary="Orders get lost.")
    body = world.project / own_file()
    body.write_text(body.read_text() + "\n## Notes\n\nBODY-OF-THE-FILE\n")
    summarised(world, "SUMMARY-BODY")
    text = world.compact().context
    state, summary = text.index(own_file()), text.index("journal events --type compact.finished")
    assert state < summary
    assert text.index("Orders get lost.") < summary
    assert "BODY-OF-THE-FILE" not in text
    assert "SUMMARY-BODY" not in text


@CASES.case("CP07-early")
def summary_before_its_hook(world: Workshop) -> None:
    """This compaction's summary is named even before PostCompact: its subagent delivered it."""
    world.start()
    world.save()
    world.compacting()
    world.hook("SubagentStop", agent_id="f", agent_type="", stop_hook_active=False,
               last_assistant_message="<summary>SUMMARY-BODY</summary>")  # fmt: skip
    text = world.start("compact").context
    seq = world.one("compact.summarized")["seq"]
    assert f"journal #{seq}" in text
    assert text.index(own_file()) < text.index(f"journal #{seq}")


@CASES.case("CP08")
def summary_only(world: Workshop) -> None:
    """Without a state only the summary is named."""
    world.start()
    summarised(world)
    text = world.compact().context
    assert "journal events --type compact.finished" in text
    assert "Skill under way" not in text
    assert "docs/plans" not in text


@CASES.case("CP09")
def state_only(world: Workshop) -> None:
    """Without a summary none is mentioned."""
    world.start()
    world.save()
    text = world.compact().context
    assert own_file() in text
    assert "compact.finished" not in text
    assert "summary of the latest" not in text


@CASES.case("CP13")
def not_cut(world: Workshop) -> None:
    """Three states are listed in full, without a note about a cut."""
    world.start()
    crowd(world, stale=2, fresh=1)
    text = world.after(minutes=11).start().context
    assert text.count("progress adopt 0000") == 3
    assert " more" not in text


@CASES.case("CP26")
def summary_kept(world: Workshop) -> None:
    """A summary is stored with its time and the compaction's trigger."""
    world.start()
    for trigger in ("auto", "manual"):
        world.compacting(trigger)
        world.start("compact")
        assert not world.compacted(trigger, summary=f"S-{trigger}").out
        event = world.one("compact.finished")
        assert (event["summary"], event["trigger"]) == (f"S-{trigger}", trigger)
        assert event["ts"].startswith("2026-11-21T09:00")
        world.stop()


@CASES.case("CP27")
def no_summary(world: Workshop) -> None:
    """A compaction without a summary stores none; the previous one stays."""
    world.start()
    summarised(world, "FIRST")
    for value in (..., "", "  \n", None, 7, ["x"]):
        world.hook("PostCompact", trigger="auto", compact_summary=value)
    for raw in (b"", b"{nonsense"):
        world.feed(raw, "PostCompact")
    assert [event["summary"] for event in world.events("compact.finished")] == ["FIRST"]


@CASES.case("CP28")
def summary_of_nobody(world: Workshop) -> None:
    """A summary without a session is stored without an owner and shown to nobody."""
    world.start()
    world.prompt("add codes")
    world.hook("PostCompact", session_id=..., trigger="auto", compact_summary="ORPHAN")
    assert world.one("compact.finished")["sid"] == ""
    assert "ORPHAN" not in str(world.view("recovery"))
    assert "compact.finished" not in world.compact().context


@CASES.case("CP29")
def two_summaries(world: Workshop) -> None:
    """Of two summaries the latest is shown; both are stored."""
    world.start()
    for text in ("FIRST", "SECOND"):
        summarised(world, text)
    assert world.view("recovery")["summary"] == "SECOND"
    seq = world.one("compact.finished")["seq"]
    assert f"journal #{seq}" in world.compact().context
    listed = json.loads(world.order("events", "--json", "--type", "compact.finished").out)
    assert [event["summary"] for event in listed[:2]] == ["FIRST", "SECOND"]


@CASES.case("guidance")
def guidance(world: Workshop) -> None:
    """Compaction guidance asks to keep the state's key facts: short plain text, no document."""
    world.configure("[precompact]\nguidance = true\n", own=True)
    world.start()
    world.save(summary="b" * 900, next="n" * 500)
    text = world.compacting().out
    for part in ("discover", "phase 1", "docs/plans/01.md", "nnn"):
        assert part in text, part
    assert len(text) <= 800
    assert not text.startswith("{")


@CASES.case("guidance-none", silent_beside="guidance")
def no_guidance(world: Workshop) -> None:
    """There is no guidance for another session's state or a closed one."""
    world.configure("[precompact]\nguidance = true\n", own=True)
    world.start()
    world.save()
    assert not world.compacting(sid=OTHER).out
    (world.project / "docs" / "plans" / "01.md").write_text("x")
    world.order("progress", "close")
    assert not world.compacting().out


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop, "CP02")
