"""Facts that a hook reads because its input lacks them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hooks.facts import pid_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cases.world import World

CLEARED = "33333333-aaaa-4bbb-8ccc-000000000003"


@pytest.mark.parametrize(
    ("text", "pid"),
    [("", 0), ("4711", 4711), ("-1", 0), ("1e3", 0), ("\u0661", 0), ("9" * 10, 0), ("12 ", 0)],
)
def test_a_process_id_is_a_plain_number(text: str, pid: int) -> None:
    """Anything else, also digits of another script, is no process."""
    assert pid_of({"CLAUDE_PID": text} if text else {}) == pid


def _previous(world: World) -> str:
    return str(world.events()[-1].get("previous", ""))


ENDED: dict[str, tuple[list[tuple[str, str, int]], str]] = {
    # (session, reason of its end, its process), and the predecessor of a /clear by process 7
    "of the same process": ([("a", "clear", 7), ("b", "clear", 8)], "a"),
    "the last of the same process": ([("a", "clear", 7), ("b", "clear", 7)], "b"),
    "the only one without a process": ([("a", "clear", 0)], "a"),
    "one of two without a process": ([("a", "clear", 0), ("b", "clear", 0)], ""),
    "of another process": ([("a", "clear", 8)], ""),
    "ended otherwise": ([("a", "other", 7)], ""),
}


@pytest.mark.parametrize("name", ENDED)
def test_the_session_that_clear_ended(make_world: Callable[..., World], name: str) -> None:
    """The predecessor is that of the same process, or the only candidate; it is never guessed."""
    ends, found = ENDED[name]
    world = make_world(inline=True)
    for sid, reason, pid in ends:
        world.more["CLAUDE_PID"] = str(pid) if pid else None
        world.hook("SessionStart", sid=sid, source="startup")
        world.hook("SessionEnd", sid=sid, reason=reason)
    world.more["CLAUDE_PID"] = "7"
    world.hook("SessionStart", sid=CLEARED, source="clear")
    assert _previous(world) == found


def test_a_session_has_one_successor(make_world: Callable[..., World]) -> None:
    """A session that another one has already continued is no candidate any more."""
    world = make_world(inline=True)
    world.more["CLAUDE_PID"] = None
    world.start()
    world.end("clear")
    for sid, found in (("b", world.sid), (CLEARED, "")):
        world.hook("SessionStart", sid=sid, source="clear")
        assert _previous(world) == found


@pytest.fixture
def client() -> Iterator[Callable[..., int]]:
    """Return a function that starts an idle process with these arguments; return its id."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> int:
        code = "import sys; print(flush=True); sys.stdin.read()"
        started.append(subprocess.Popen([sys.executable, "-c", code, *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE))  # fmt: skip
        out = started[-1].stdout
        assert out is not None
        out.readline()
        return started[-1].pid

    yield start
    for process in started:
        process.communicate()


@pytest.mark.parametrize(
    ("arguments", "found"),
    [(("--resume", "abc"), "abc"), (("-r", "abc"), "abc"), (("--resume=abc",), "abc"), ((), ""),
     (("--resume", "x" * 129), ""), (("--resume", "a\tb"), ""), (("--resume", CLEARED), "")],
    ids=["long", "short", "joined", "none", "too long", "not printable", "itself"],
)  # fmt: skip
def test_the_session_that_a_fork_came_from(
    make_world: Callable[..., World], client: Callable[..., int], arguments: tuple[str, ...],
    found: str,
) -> None:  # fmt: skip
    """It is the one on the client's own command line, if it can be an id of another session."""
    world = make_world(inline=True)
    world.more["CLAUDE_PID"] = str(client(*arguments))
    world.hook("SessionStart", sid=CLEARED, source="fork")
    assert _previous(world) == found


def test_work_files_are_read_where_they_matter(make_world: Callable[..., World]) -> None:
    """Starts, turn ends and compactions count the work log; prompts and tools do not read it."""
    world = make_world(inline=True)
    world.flow(3)
    world.stock()
    for act in (world.start, world.prompt, world.tool, world.stop, world.compacting):
        act()
    flows = {event["type"]: event.get("flow", {}).get("entries") for event in world.events()}
    assert flows["session.started"] == flows["turn.ended"] == flows["compact.started"] == 3
    assert flows["prompt.submitted"] is flows["tool.finished"] is None
    stocks = {event["type"]: "stock" in event for event in world.events()}
    assert (stocks["session.started"], stocks["turn.ended"]) == (True, False)
