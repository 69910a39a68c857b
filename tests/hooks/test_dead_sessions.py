"""When the end of a session that never said goodbye is inferred."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from journal.process import start_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World

OLD, NEW = "44444444-old", "55555555-new"


def gone() -> int:
    """Return the id of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def ends(world: World) -> list[tuple[str, str]]:
    """Return (session, reason) of the inferred ends."""
    return [(event["sid"], event["reason"]) for event in world.events("session.ended")
            if event.get("inferred")]  # fmt: skip


def begin(world: World, sid: str, pid: int | None) -> None:
    """Start a session in a process."""
    world.more["CLAUDE_PID"] = None if pid is None else str(pid)
    world.hook("SessionStart", sid=sid, source="startup")


@pytest.mark.parametrize(
    ("process", "found"),
    [("gone", [(OLD, "process gone")]), ("running", []), ("reused", [(OLD, "process gone")]),
     ("same", [(OLD, "same process")]), ("unknown", [])],
)  # fmt: skip
def test_the_process_decides(
    make_world: Callable[..., World],
    monkeypatch: pytest.MonkeyPatch,
    process: str,
    found: list[tuple[str, str]],
) -> None:
    """A session is over once its process is, or has started another session."""
    world = make_world(inline=True)
    own = os.getpid()
    assert start_of(own)
    pid = {"gone": gone(), "unknown": None}.get(process, own)
    if process == "reused":  # another process has the id now: its start differs from the recorded
        with monkeypatch.context() as patch:
            patch.setattr("journal.process.start_of", lambda _pid: 1)
            begin(world, OLD, pid)
    else:
        begin(world, OLD, pid)
    begin(world, NEW, own if process == "same" else os.getppid())
    assert ends(world) == found


@pytest.mark.parametrize(
    ("minutes", "work", "found"),
    [(9, True, []), (11, True, [(OLD, "silent")]), (11, False, [])],
    ids=["just now", "silent with work", "silent without work"],
)
def test_silence_decides_where_the_process_is_unknown(
    make_world: Callable[..., World], minutes: int, work: bool, found: list[tuple[str, str]]
) -> None:
    """Work must become available to others after ten minutes; a session without work stays open."""
    world = make_world(inline=True)
    begin(world, OLD, None)
    if work:
        world.order("unit", "start", "Cart", sid=OLD)
    world.after(minutes=minutes)
    begin(world, NEW, None)
    assert ends(world) == found


def test_an_end_is_inferred_once(make_world: Callable[..., World]) -> None:
    """The next start finds the session ended, and one that ended itself is left alone."""
    world = make_world(inline=True)
    begin(world, OLD, gone())
    begin(world, "66666666-ended", gone())
    world.hook("SessionEnd", sid="66666666-ended", reason="other")
    for sid in (NEW, "77777777-third"):
        begin(world, sid, os.getpid())
    assert ends(world).count((OLD, "process gone")) == 1
    assert "66666666-ended" not in [sid for sid, _ in ends(world)]
