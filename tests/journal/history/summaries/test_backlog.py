"""Summaries in the background of a start: one for each ended session, also if killed."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
import zlib
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from hooks.background import run_background
from journal.history.summaries.backlog import summarize_waiting
from journal.log.append import Writer
from journal.log.seal import seal
from projections.fold import Fold
from tests.cases.world import OTHER, ROOT, SID, World
from tests.projections.timeline import fields_of
from tests.support.examples import part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

THIRD = "33333333-aaaa-4bbb-8ccc-000000000003"
NOW = "2026-11-22T08:00:00.000Z"
SETTINGS = {"summary.auto": True, "append.sync": "none"}


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Return a world whose hooks run in this process."""
    return World(tmp_path, inline=True)


def work(world: World, sid: str = SID, prompt: str = "make the totals right", *,
         ended: bool = True) -> None:  # fmt: skip
    """Play a session: prompt, edit, stop and, if `ended`, its end."""
    world.sid = sid
    world.start()
    world.prompt(prompt)
    world.tool("Edit", file_path=str(world.project / "cart.py"))
    world.stop()
    if ended:
        world.end()


def index_of(world: World) -> Path:
    """Return the file of the search index, which knows the sessions to summarize."""
    return world.journal / "cache" / "sessions.sqlite"


def run(world: World, limit: int = 50, **more: int | str) -> int:
    """Summarize waiting sessions; return how many."""
    return summarize_waiting(str(world.directory), NOW, SETTINGS, limit, **more)


def about(world: World) -> list[str]:
    """Return the ids of the summarized sessions, in the order of the log."""
    return [event["of"] for event in world.events("session.summarized")]


def start_input(world: World, sid: str = THIRD, **more: object) -> bytes:
    """Return the input of a SessionStart as Claude Code sends it."""
    return json.dumps({"session_id": sid, "cwd": str(world.project), "source": "startup",
                       "hook_event_name": "SessionStart", **more}).encode()  # fmt: skip


def test_a_session_that_is_over_is_summarised(world: World) -> None:
    """The summary of an ended session names the request, the changed files and its last seq."""
    work(world)
    last = world.events()[-1]["seq"]
    assert run(world) == 1
    event = world.one("session.summarized")
    assert (event["of"], event["upto"], event["engine"]) == (SID, last, "extractive")
    assert event["title"] == "make the totals right"
    assert event["files"] == ["cart.py"]
    assert event["sid"] == ""


def test_an_open_session_is_left_alone(world: World) -> None:
    """A session without an end is not summarized, however long ago its last event was."""
    work(world, ended=False)
    before = (world.directory / "active.jsonl").read_bytes()
    assert run(world) == 0
    world.after(days=3)
    assert run_background(start_input(world), world.env()) == 0
    assert (world.directory / "active.jsonl").read_bytes() == before


def test_another_session_that_is_idle_is_untouched(world: World) -> None:
    """CN21: a start beside a session idle for an hour neither ends nor summarizes it."""
    work(world, ended=False)
    world.after(hours=1)
    world.start(sid=OTHER)
    assert run_background(start_input(world, OTHER), world.env()) == 0
    assert world.events("session.ended") == []
    assert about(world) == []


def test_an_end_that_was_inferred_counts(world: World) -> None:
    """A session that died is summarized once an inferred end is recorded."""
    work(world, ended=False)
    world.append({"type": "session.ended", "inferred": True, "sid": SID})
    assert run(world) == 1


def test_twice_is_once(world: World) -> None:
    """A second run appends nothing, with or without its cache."""
    work(world)
    assert [run(world), run(world)] == [1, 0]
    index_of(world).unlink()
    assert run(world) == 0
    assert about(world) == [SID]


def test_runs_at_once_append_once(world: World) -> None:
    """Several runs at the same time append one summary of each session."""
    for sid in (SID, OTHER, THIRD):
        work(world, sid)
    threads = [threading.Thread(target=run, args=(world,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(about(world)) == [SID, OTHER, THIRD]


def test_a_session_that_went_on_is_summarised_anew(world: World) -> None:
    """A resumed session gets a new summary of the whole when it ends again."""
    work(world)
    run(world)
    world.start("resume")
    assert run(world) == 0
    world.prompt("now add the tests")
    world.tool("Write", file_path=str(world.project / "test_cart.py"))
    world.end()
    assert run(world) == 1
    first, second = world.events("session.summarized")
    assert second["upto"] > first["upto"]
    assert "make the totals right" in second["summary"]
    assert "now add the tests" in second["summary"]
    assert second["files"] == ["test_cart.py", "cart.py"]


@pytest.mark.parametrize("act", ["prompt", "tool", "decide"])
def test_a_session_in_which_something_happened(act: str, world: World) -> None:
    """A session with one prompt, one tool call or one decision gets a summary."""
    world.start()
    if act == "prompt":
        world.prompt("hello")
    elif act == "tool":
        world.tool()
    else:
        world.append({"type": "decision.recorded", "text": "cents"})
    world.end()
    assert run(world) == 1


def test_a_session_in_which_nothing_happened(world: World) -> None:
    """A session that was only opened and closed gets no summary."""
    world.start()
    world.end()
    assert run(world) == 0


def test_an_end_of_a_session_nobody_knows(world: World) -> None:
    """CN12: an end without a session is recorded, and nothing is summarized."""
    assert not world.end(sid=OTHER).out
    assert [event["sid"] for event in world.events("session.ended")] == [OTHER]
    assert run(world) == 0


def test_the_rest_is_for_the_next_run(world: World) -> None:
    """A run makes at most `limit` summaries, latest sessions first."""
    sids = [f"{number:08}-aaaa-4bbb-8ccc-000000000000" for number in range(5)]
    for sid in sids:
        work(world, sid)
    assert [run(world, 2), run(world, 2), run(world, 2), run(world, 2)] == [2, 2, 1, 0]
    assert about(world) == [sids[4], sids[3], sids[2], sids[1], sids[0]]


def test_reading_is_bounded_and_goes_on(world: World) -> None:
    """A run that cannot read to the end writes nothing; the next one continues from there."""
    for number in range(20):
        work(world, f"{number:08}-aaaa-4bbb-8ccc-000000000000", "x" * 400)
    world.append(*({"type": "flow.noted", "text": "y" * 4000} for _ in range(100)))
    size = (world.directory / "active.jsonl").stat().st_size
    assert size > 3 * 128 * 1024
    rounds = 0
    while (made := run(world, 100, most=128 * 1024)) == 0:
        rounds += 1
        assert about(world) == []
        assert rounds < 20
    assert (rounds >= 2, made) == (True, 20)


def test_only_what_is_new_is_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its cache a run decodes only records from the last one it saw."""
    work(world)
    run(world)
    seen: list[int] = []
    feed = Fold.feed

    def counted(self: object, records: Iterator[tuple[int, bytes]]) -> object:
        rows = list(records)
        seen.extend(seq for seq, _ in rows)
        return feed(self, rows)

    monkeypatch.setattr("projections.fold.Fold.feed", counted)
    last = world.events()[-1]["seq"]
    work(world, OTHER)
    seen.clear()
    run(world)
    assert min(seen) == last
    index_of(world).unlink()
    seen.clear()
    run(world)
    assert min(seen) == 1


@pytest.mark.parametrize("damage", ["cut", "other log", "other code", "not ours", "sealed"])
def test_an_index_that_does_not_fit_costs_time_only(damage: str, world: World) -> None:
    """With an index that is cut, foreign, outdated or behind a seal the result is the same."""
    work(world)
    run(world)
    path = index_of(world)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:40])
    elif damage == "other log":
        with closing(sqlite3.connect(path)) as made, made:
            made.execute("update logs set files = '', checkpoint = ?",
                         [zlib.compress(b'[{"segment":1,"offset":9,"seq":3,"end":"00000000"},{}]')])  # fmt: skip
    elif damage == "other code":
        with closing(sqlite3.connect(path)) as made, made:
            made.execute("update facts set value = 'other' where name = 'code'")
    elif damage == "not ours":
        path.write_text("[1, 2]")
    else:
        seal(str(world.directory), NOW)
    work(world, OTHER)
    assert run(world) == 1
    assert about(world) == [SID, OTHER]
    assert run(world) == 0


def test_off_by_configuration(world: World) -> None:
    """With `summary.auto` off the background makes no summary."""
    work(world)
    assert summarize_waiting(str(world.directory), NOW, SETTINGS | {"summary.auto": False}, 9) == 0
    assert about(world) == []


@pytest.mark.parametrize(
    ("raw", "made"),
    [
        pytest.param({}, 1, id="start"),
        pytest.param({"source": "resume"}, 1, id="resume"),
        pytest.param({"session_id": SID, "source": "resume"}, 0, id="of itself"),
        pytest.param({"hook_event_name": "Stop"}, 0, id="another event"),
        pytest.param({"agent_id": "a1"}, 0, id="of a subagent"),
        pytest.param({"cwd": "/nonexistent"}, 1, id="project from the environment"),
    ],
)
def test_which_calls_do_it(raw: dict, made: int, world: World) -> None:
    """A start of the main thread makes summaries, except of the session that is resumed."""
    work(world)
    assert run_background(start_input(world, **raw), world.env()) == made


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff", b'{"hook_event_name":3}'])
def test_input_that_is_none(raw: bytes, world: World) -> None:
    """Input that cannot be parsed does nothing and creates no journal."""
    assert run_background(raw, world.env()) == 0
    assert not world.journal.exists()


@pytest.mark.parametrize("value", ["1", "yes"])
def test_the_switch_for_the_journals_own_runs(value: str, world: World) -> None:
    """With JOURNAL_OFF no hook records or answers, and the background makes no summary."""
    work(world)
    before = len(world.events())
    world.more = {"JOURNAL_OFF": value}
    world.flow(12)
    assert not world.start(sid=OTHER).out
    assert not world.prompt(sid=OTHER).out
    assert run_background(start_input(world), world.env()) == 0
    assert len(world.events()) == before
    world.more = {"JOURNAL_OFF": "0"}
    assert world.start(sid=OTHER).out
    assert run_background(start_input(world), world.env()) == 1


def command(world: World, raw: bytes, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run the background handler as Claude Code does."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "hooks" / "run.py"), "background"], input=raw,
        env=world.env(env), cwd=world.project, capture_output=True, timeout=60, check=False,
    )  # fmt: skip


def test_the_command_is_silent(world: World) -> None:
    """As a process the handler exits 0 and prints nothing, with good or broken input."""
    work(world)
    ran = command(world, start_input(world))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert about(world) == [SID]
    ran = command(world, b"\xff{")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert len(world.events("session.summarized")) == 1


def test_a_journal_that_cannot_be_written(world: World) -> None:
    """CN07: if the journal cannot be written, it exits 0, prints nothing and notes the error."""
    work(world)
    with Writer(str(world.directory), NOW):
        ran = command(world, start_input(world))
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    assert about(world) == []
    assert "Busy" in (world.journal / "hook-errors.log").read_text()
    assert run_background(start_input(world), world.env()) == 1


@pytest.mark.parametrize("moment", part([0.0, 0.02, 0.05, 0.08, 0.12], 3))
def test_killed_at_any_moment(moment: float, world: World) -> None:
    """After a kill at any moment the next run leaves exactly one summary per session."""
    for number in range(30):
        work(world, f"{number:08}-aaaa-4bbb-8ccc-000000000000")
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", str(ROOT / "hooks" / "run.py"), "background"],
        stdin=subprocess.PIPE, env=world.env(), cwd=world.project,
    )  # fmt: skip
    assert child.stdin
    child.stdin.write(start_input(world))
    child.stdin.close()
    try:
        child.wait(moment)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    run(world)
    assert len(about(world)) == len(set(about(world))) == 30


def test_the_end_of_a_session_is_one_append(world: World) -> None:
    """CN13: SessionEnd appends one event, whatever the reason, and summarizes nothing."""
    for reason in ("clear", "other", "prompt_input_exit", "logout"):
        world.start()
        world.prompt()
        before = len(world.events())
        assert not world.end(reason).out
        assert [event["type"] for event in world.events()[before:]] == ["session.ended"]


def test_private_files(world: World) -> None:
    """The index has mode 0600, and no temporary file is left."""
    work(world)
    run(world)
    assert oct(index_of(world).stat().st_mode & 0o777) == "0o600"
    assert os.listdir(index_of(world).parent) == ["sessions.sqlite"]


def test_a_part_that_was_exported_has_its_summary(world: World) -> None:
    """An exported part is not summarized: the export has written its summary."""
    world.start()
    body = fields_of(f"- 09:00 about exported {SID}")
    world.append({name: value for name, value in body.items() if name != "ts"})
    assert run(world) == 0
