"""The self-test passes the real hooks and reports what is wrong with faulty ones."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from cli.doctor import selftest
from cli.doctor.installation import Installation
from cli.error import FINDINGS, OK
from cli.scope import Scope
from cli.setup import selftest as command
from journal.errors import JournalError
from tests.cases.world import ROOT, RUN, World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TWICE = """
import json, os, sys
sys.path.insert(0, {root!r})
from journal.log.append import Writer
from journal.home import project_of
given = json.load(sys.stdin)
name = project_of(given["cwd"], os.environ).name
with Writer(os.environ["JOURNAL_HOME"] + "/" + name, "2026-01-01T00:00:00.000Z") as writer:
    event = dict(type="note", v=1, sid="", use=given["tool_use_id"])
    writer.append(event, event)
"""
TORN = """
import glob, os, sys
sys.path.insert(0, {root!r})
from hooks.capture import capture
capture(sys.stdin.buffer.read(), os.environ)
with open(glob.glob(os.environ["JOURNAL_HOME"] + "/*/active.jsonl")[0], "ab") as log:
    log.write(b"not a record" + bytes([10]))
"""
# What a hook does wrong, and the row that says so.
BROKEN = {
    "records nothing": ("pass", "records"),
    "records twice": (TWICE, "records"),
    "damages the log": (TORN, "log"),
    "fails": ("raise SystemExit(1)", "race"),
}


@pytest.fixture
def install(make_world: Callable[..., World], monkeypatch: pytest.MonkeyPatch) -> Installation:
    """Build a machine whose hooks are those of the checkout."""
    world = make_world()
    made = Installation(Scope({**world.env(), "PATH": os.environ["PATH"]}, cwd=str(world.project)))
    made.top, made.command = str(ROOT), [sys.executable, "-I", "-S", str(RUN)]
    monkeypatch.setattr("cli.doctor.installed.Installation", lambda *_: made)
    return made


@pytest.fixture
def is_brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill no call: the first one ends then, and shows what the hook does."""
    monkeypatch.setattr(selftest, "_KILLED", 0.0)


def _failing(found: selftest.SelfTest) -> list[str]:
    return [row.name for row in selftest.rows(found) if row.status != "ok"]


def test_nothing_is_lost_and_nothing_is_left(install: Installation) -> None:
    """Each acknowledged call is recorded once, and the temporary directory is gone."""
    os.makedirs(install.home, mode=0o700)
    found = selftest.run(install, seconds=0.5, writers=3)
    assert _failing(found) == []
    assert found.acknowledged == found.found > 0
    assert found.calls == found.acknowledged + found.killed
    assert (found.missing, found.doubled, found.damaged) == (0, 0, 0)
    assert found.excludes
    assert found.sync_ms is not None
    assert found.hook_ms > 0
    assert os.listdir(install.home) == []


@pytest.mark.usefixtures("is_brief")
@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_hook_is_found(install: Installation, tmp_path: Path, what: str) -> None:
    """A hook that loses, doubles, damages or fails is reported, with what to do."""
    program, row = BROKEN[what]
    script = tmp_path / "hook.py"
    script.write_text(program.format(root=str(ROOT)))
    install.command = [sys.executable, "-I", "-S", str(script)]
    found = selftest.run(install, seconds=0.1, writers=3)
    assert row in _failing(found)
    assert all(each.remedy for each in selftest.rows(found) if each.status != "ok")


@pytest.mark.usefixtures("is_brief")
def test_a_lock_that_keeps_nobody_out_is_found(
    install: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another process can take a lock that this one holds, the row says so."""
    monkeypatch.setattr(selftest, "_TRY_LOCK", "pass")
    found = selftest.run(install, seconds=0.1, writers=3)
    assert _failing(found) == ["lock"]


def test_only_the_directory_that_was_made_is_removed(tmp_path: Path) -> None:
    """If another directory or a link is in its place, it stays and is reported."""
    made = selftest._throwaway(str(tmp_path))
    folder = made.__enter__()
    os.rename(folder, folder + ".old")
    os.mkdir(folder)
    with open(os.path.join(folder, "mine"), "w", encoding="ascii"):
        pass
    with pytest.raises(JournalError, match="was not removed"):
        made.__exit__(None, None, None)
    assert os.listdir(folder) == ["mine"]


@pytest.mark.parametrize("good", [True, False])
def test_the_command_says_so(
    install: Installation, monkeypatch: pytest.MonkeyPatch, good: bool,
    make_world: Callable[..., World], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """`journal doctor --selftest` prints the counts; its exit code is 1 after a failure."""
    from cli.scope import Scope

    made = selftest.SelfTest(
        calls=5, acknowledged=4, killed=1, found=4 if good else 3, missing=0 if good else 1,
        excludes=True, sync_ms=0.1, hook_ms=20.0, floor_ms=10.0, ratio=2.0,
    )  # fmt: skip
    monkeypatch.setattr(selftest, "run", lambda _: made)
    env = dict(install.env)
    assert command(Scope(env, cwd=str(ROOT)), client="") == (OK if good else FINDINGS)
    shown = capsys.readouterr().out
    assert ("4 acknowledged, 4 found, 0 missing" in shown) == good
    assert ("set JOURNAL_HOME to a local directory" in shown) != good
    assert command(Scope(env, cwd=str(ROOT), json=True), client="") == (OK if good else FINDINGS)
    assert f'"ok": {str(good).lower()}' in capsys.readouterr().out
