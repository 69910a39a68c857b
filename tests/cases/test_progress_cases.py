"""CP01 to CP37: progress of skills that work in phases, through hooks and commands.

Two optional rules are not implemented, and a case proves each. CP25: no name of the person is
shown. CP32: no hook of another plugin is called to find out what it does; its loop is detected by
its file, announced at a start (CP24) and respected by the guard (CP31).
"""

from __future__ import annotations

import json
import os
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from journal.workfiles.progress_file import LEGACY, file_name
from tests.cases.table import Table
from tests.cases.workshop import FOURTH, THIRD, Workshop
from tests.cases.world import OTHER, SID

if TYPE_CHECKING:
    from pathlib import Path

CASES = Table()
NOBODY = "99999999-aaaa-4bbb-8ccc-000000000009"


def own_file(sid: str = SID) -> str:
    """Return the path of a session's progress file, relative to the project."""
    return f"docs/plans/{file_name(sid)}"


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


def crowd(world: Workshop, *, stale: int = 12, fresh: int = 6, size: int = 20) -> None:
    """Create progress in `stale` old and `fresh` recent other sessions, and in this session."""
    for number in range(stale + fresh):
        if number == stale:
            world.after(hours=80)
        sid = f"{number:08}-aaaa-4bbb-8ccc-000000000000"
        world.save(f"skill-{number}", sid=sid, summary="b" * size, name="N" * min(size, 100),
                   next="n" * size)  # fmt: skip
    world.save("own-skill", 2, summary="b" * size, next="n" * size)


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
        said.append([_timeless(reply.out) for reply in replies])
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


def _timeless(text: str) -> str:
    return re.sub(r"#\d+|\d\d:\d\d UTC|compaction \d+ of this session", "", text)


@CASES.case("CP13")
def not_cut(world: Workshop) -> None:
    """Three states are listed in full, without a note about a cut."""
    world.start()
    crowd(world, stale=2, fresh=1)
    text = world.after(minutes=11).start().context
    assert text.count("progress adopt 0000") == 3
    assert " more" not in text


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
    assert "the person decides about each, continue or discard" in text
    assert not re.search(r"\brm\b|delete it|must|stop|halt|before you|do not", text.lower())


@CASES.case("CP16")
def fresh(world: Workshop) -> None:
    """A fresh state is marked as fresh; the person decides about it."""
    world.save("stories", 4, sid=OTHER)
    world.after(hours=5)
    text = world.start().context
    assert "FRESH" in text
    assert '"stories", phase 4' in text
    assert "the person decides" in text
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


@CASES.case("CP19")
def old_files(world: Workshop) -> None:
    """The output depends neither on file times nor on whether the file exists."""
    world.start()
    world.save()
    world.aged(world.project / own_file(), 30)
    assert f'state in "{own_file()}"' in world.compact().context
    (world.project / own_file()).unlink()
    world.stop()
    assert "Do discover 2" in world.compact().context


@CASES.case("CP20")
def without_a_session(world: Workshop) -> None:
    """A file that names no session is offered as nobody's, to any session, never as its own."""
    path = world.project / "docs" / "plans" / LEGACY
    path.parent.mkdir(parents=True)
    path.write_text("**Skill**: stories\n**Phase**: 3 — Who\n\nBODY\n")
    for sid, source in ((SID, "startup"), (OTHER, "clear"), (SID, "resume"), (THIRD, "fork")):
        world.prompt(sid=sid)
        text = world.start(source, sid=sid).context
        if source == "resume":
            continue  # it stands in the resumed history
        assert f'names no session, so it is not this session\'s own: "docs/plans/{LEGACY}"' in text
        assert '("stories", phase "3 Who")' in text
        assert "CURRENT" not in text
        assert "BODY" not in text
    world.compacting()
    text = world.start("compact").context
    assert "not this session's own" in text
    assert "Skill under way" not in text
    assert world.view("progress")["state"] is None


@CASES.case("CP20-edited", silent_beside="CP22-edited")
def edited_without_a_session(world: Workshop) -> None:
    """An edit of that file, or of another session's file, is not recorded as progress."""
    world.start()
    folder = world.project / "docs" / "plans"
    folder.mkdir(parents=True)
    for name in (LEGACY, file_name(OTHER)):
        (folder / name).write_text("**Skill**: stories\n**Phase**: 3\n")
        world.tool("Write", {"type": "create"}, file_path=str(folder / name))
    assert not world.events("progress.saved")


@CASES.case("CP22-edited")
def edited(world: Workshop) -> None:
    """An edit of the session's own file is saved as progress and named after a compaction."""
    world.start()
    path = world.project / own_file()
    path.parent.mkdir(parents=True)
    path.write_text("**Skill**: stories\n**Phase**: 3 — Who\n**Next Action**: Ask the shop\n")
    world.tool("Write", {"type": "create", "originalFile": None}, file_path=str(path))
    assert 'Next action: "Ask the shop"' in world.compact().context


def _unreadable(kind: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "broken link":
        path.symlink_to(path.parent / "nothing")
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "no text":
        path.write_bytes(b"\xff\x00\xfe" * 500)


@CASES.case("CP22")
def unreadable(world: Workshop) -> None:
    """Unreadable files are skipped, the others listed, and the folder may be missing."""
    world.save("stories", sid=OTHER)
    world.start()
    world.save()
    folder = world.project / "docs" / "plans"
    for kind in ("broken link", "folder", "pipe", "no text"):
        for name in (LEGACY, file_name(SID), file_name(OTHER)):
            _unreadable(kind, folder / name)
        text = world.after(minutes=11).start().context
        assert "CURRENT" in text, kind
        assert '"stories", phase 1' in text, kind
        for path in folder.iterdir():
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    folder.rmdir()
    assert "CURRENT" in world.after(minutes=1).start().context
    world.compacting()
    assert "Do discover 2" in world.start("compact").context


@CASES.case("CP23")
def root_variable_unset(world: Workshop) -> None:
    """Without the variable for the root, the root is found from the cwd, with the same result."""
    world.start()
    world.save()
    world.save("stories", sid=OTHER)
    below = world.project / "src" / "deep"
    below.mkdir(parents=True)
    known = world.start().context
    unset: dict[str, str | None] = {"CLAUDE_PROJECT_DIR": None}
    for cwd in (world.project, below):
        again = world.after(minutes=1).start(cwd=str(cwd), env=unset).context
        assert _timeless(again) == _timeless(known)
    elsewhere = world.home / "other"
    (elsewhere / ".git").mkdir(parents=True)
    assert not world.start(cwd=str(elsewhere), env=unset).out


@CASES.case("CP24")
def loop(world: Workshop) -> None:
    """Another plugin's loop comes first in the output, with iteration, maximum and promise."""
    world.flow(2)
    world.loop()
    lines = world.start().context.split("\n")
    for part in ("loop", "iteration 4 of 20", "ALL DONE"):
        assert part in lines[1], part


@CASES.case("CP24-none", silent_beside="CP24")
def no_loop(world: Workshop) -> None:
    """A finished loop, or a file that is not a loop, brings no warning."""
    path = world.loop()
    path.write_text(path.read_text().replace("iteration: 4", "iteration: 4\nactive: false"))
    (path.parent / "loop-notes.local.md").write_text("iteration: 4\n")
    assert not world.start().out


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


@CASES.case("CP31")
def guard(world: Workshop) -> None:
    """The guard answers RUN the first time, then SKIP; SUPPRESS in a loop; RUN if no session."""
    world.start()

    def word(sid: str | None = "") -> str:
        said = world.run("guard", "party-mode", sid=sid)
        assert said.code == 0
        return said.out.strip()

    assert [word(), word(), word(OTHER), word(OTHER)] == ["RUN", "SKIP", "RUN", "SKIP"]
    path = world.loop()
    assert [word(), word(THIRD)] == ["SUPPRESS", "SUPPRESS"]
    path.unlink()
    assert word(THIRD) == "RUN"
    before = world.types()
    assert [word(None), word(None)] == ["RUN", "RUN"]
    assert world.types() == before


@CASES.case("CP32", silent_beside="CP24")
def no_probe(world: Workshop) -> None:
    """Optional and not implemented: no hook of another plugin is run, here or by the doctor."""
    world.loop()
    mark = world.base / "ran"
    hook = world.project / ".claude" / "hooks" / "stop.sh"
    hook.parent.mkdir(parents=True)
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    setting = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": str(hook)}]}]}}
    (world.project / ".claude" / "settings.json").write_text(json.dumps(setting))
    world.start()
    assert not world.stop().out
    world.run("doctor")
    assert not mark.exists()


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


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(
    Workshop, "CP02", "CP04", "guidance"
)
