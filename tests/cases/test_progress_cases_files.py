"""CP19 to CP24, CP31, CP32: progress files, old and damaged ones, and loops of other plugins.

The optional rule CP32 is not implemented, and its case proves it: no hook of another plugin is
called to find out what it does; its loop is detected by its file, announced at a start (CP24) and
respected by the guard (CP31).
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from cli import doctor
from cli.scope import Scope
from journal.workfiles.progress_file import LEGACY, file_name
from tests.cases.skills import own_file, timeless
from tests.cases.table import Table
from tests.cases.workshop import THIRD, Workshop
from tests.cases.world import OTHER, SID
from tests.support.doctor import one_round

if TYPE_CHECKING:
    from pathlib import Path


CASES = Table()


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
        assert timeless(again) == timeless(known)
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
    with one_round():
        doctor.examine(Scope(world.env({"PATH": os.environ["PATH"]}), cwd=str(world.project)))
    assert not mark.exists()


test_case, test_silence_has_a_sibling_that_speaks = CASES.tests(Workshop)
