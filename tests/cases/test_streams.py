"""Recorded input through the hook command: one event per fact, the same views however folded."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases.streams import STREAMS, Replay, recorded, remove
from tests.cases.world import RUN, World
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Callable

# What each call of a stream appends, in order; "-" is nothing. `sample` is the reading recorded
# before the fact; `advised` and `injected` record the messages the fact led to.
FACTS: dict[str, str] = {
    "headless-auto-compact-mid-turn": """
        session.started | prompt.submitted | sample turn.ended | session.ended
        session.started | prompt.submitted | sample turn.ended | session.ended
        session.started | prompt.submitted | - | sample tool.finished advised | -
        compact.started checkpoint | compact.summarized | session.started injected | compact.finished
        sample turn.ended | session.ended""",
    "headless-work-and-manual-compact": """
        session.started | prompt.submitted | - | sample tool.finished | - | tool.finished | -
        sample turn.ended | session.ended
        session.started | prompt.submitted | - | sample tool.finished | - | tool.finished | -
        sample turn.ended | session.ended
        session.started | prompt.submitted | - | sample tool.failed | - | tool.finished | -
        sample turn.ended | session.ended
        session.started | prompt.submitted | - | subagent.started | subagent.ended
        sample tool.finished | - | sample turn.ended | session.ended
        session.started | compact.started checkpoint | compact.summarized
        session.started injected injected | compact.finished | session.ended
        session.started | sample prompt.submitted | sample turn.ended | session.ended""",
    "interactive-compact-command-clear-exit": """
        session.started | prompt.submitted | sample turn.ended
        compact.started checkpoint | compact.summarized | session.started | compact.finished
        sample prompt.submitted | command.expanded | sample turn.ended | session.ended
        session.started | prompt.submitted | sample turn.ended | session.ended""",
}
_WORDS = {
    "sample": ["pressure.sampled"],
    "checkpoint": ["checkpoint.saved"],
    "advised": ["advice.given", "checkpoint.saved"],
    "injected": ["context.injected"],
    "-": [],
}


def expected(name: str) -> list[list[str]]:
    """Expand a stream's table: the types appended by each call."""
    cells = FACTS[name].strip().replace("\n", "|").split("|")
    return [[kind for word in cell.split() for kind in _WORDS.get(word, [word])] for cell in cells]


@pytest.mark.parametrize(
    "inline", [pytest.param(False, marks=pytest.mark.long, id="process"), pytest.param(True, id="inline")]
)  # fmt: skip
@pytest.mark.parametrize("name", STREAMS)
def test_one_event_per_fact(name: str, inline: bool, make_world: Callable[..., World]) -> None:
    """Each call appends the listed events, and snapshot plus tail give the views of a full fold."""
    world = make_world(inline=inline)
    replay = Replay(world)
    calls = recorded(name)
    table = expected(name)
    assert len(calls) == len(table)
    known = 0
    for call, kinds in zip(calls, table, strict=True):
        replay.feed(call)
        types = world.types()
        assert (call, types[known:]) == (call, kinds)
        known = len(types)
        assert world.resumed_views() == world.views(), call


def test_the_command_itself(make_world: Callable[..., World]) -> None:
    """The shortest stream through real processes gives the same events and views."""
    name = STREAMS[2]
    world, other = make_world(), make_world(inline=True)
    for target in (world, other):
        replay = Replay(target)
        for call in recorded(name):
            replay.feed(call)
    assert world.types() == [kind for kinds in expected(name) for kind in kinds]
    assert world.resumed_views() == world.views()
    assert comparable(world) == comparable(other)


@pytest.mark.parametrize("name", STREAMS)
def test_a_doubled_call_has_one_effect(name: str, make_world: Callable[..., World]) -> None:
    """Of two identical calls in a row the second prints nothing, and the log stays the same."""
    once, twice = make_world(inline=True), make_world(inline=True)
    replays = Replay(once), Replay(twice)
    for call in recorded(name):
        said = replays[0].feed(call)
        again = replays[1].feed(call)
        assert again.out.replace(str(twice.base), "") == said.out.replace(str(once.base), ""), call
        assert not replays[1].feed(call).out, call
        assert twice.types() == once.types(), call
    assert comparable(twice) == comparable(once)
    assert twice.resumed_views() == twice.views()


@pytest.mark.parametrize("event", ["SessionStart", "PreCompact", "Stop", "PostToolUse"])
def test_two_registrations_at_once(event: str, make_world: Callable[..., World]) -> None:
    """Of two processes started at the same time for one call one answers and appends one event."""
    world = make_world()
    world.flow(12)
    world.inline = True
    world.worked()
    world.reading(78)
    if event == "SessionStart":
        world.compacting()
    world.inline = False
    raw = {
        "SessionStart": b'"source":"compact"',
        "PreCompact": b'"trigger":"auto","custom_instructions":null',
        "Stop": b'"stop_hook_active":false,"last_assistant_message":"D.","prompt_id":"p"',
        "PostToolUse": b'"tool_name":"Bash","tool_input":{"command":"x"},"tool_response":"y",'
        b'"tool_use_id":"toolu_9"',
    }[event]
    head = (
        f'{{"session_id":"{world.sid}","cwd":"{world.project}","hook_event_name":"{event}",'
        f'"transcript_path":"{world.transcript()}",'
    )
    world.after(seconds=2)
    before = len(world.types())
    running = [
        subprocess.Popen([*world.python, str(RUN)], env=world.env(), cwd=world.project,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]  # fmt: skip
    for process in running:
        process.stdin.write(head.encode() + raw + b"}\n")
        process.stdin.close()
    outs = []
    for process in running:
        with process:
            outs.append(process.stdout.read())
            assert process.stderr.read() == b""
    fact = {
        "SessionStart": "session.started",
        "PreCompact": "compact.started",
        "Stop": "turn.ended",
        "PostToolUse": "tool.finished",
    }[event]
    assert world.types()[before:].count(fact) == 1
    assert sum(1 for out in outs if out) == (0 if event == "PreCompact" else 1)
    assert world.resumed_views() == world.views()


def test_the_second_of_two_finds_the_work_log_trimmed(make_world: Callable[..., World]) -> None:
    """A repeated start is recognised as the same call, even if the first one trimmed the work log."""
    world = make_world(inline=True)
    work_log = world.flow(45, size=400)
    world.worked()
    world.reading(78)
    world.compacting()
    world.after(seconds=2)
    whole = work_log.read_text()
    assert world.start("compact").out
    trimmed = work_log.read_text()
    assert trimmed != whole
    before = world.types()
    assert not world.start("compact").out
    assert (world.types(), work_log.read_text()) == (before, trimmed)


def _without_order(value: object) -> object:
    """Drop fields that are positions in the log, which another session's events shift."""
    if isinstance(value, dict):
        return {
            key: _without_order(item)
            for key, item in value.items()
            if key
            not in (
                "seq",
                "compact",
                "previous_compact",
                "checkpoint",
                "transcript",
                "summary_seq",
                "end",
                "asked",
            )
        }
    if isinstance(value, list):
        return [_without_order(item) for item in value]
    return value


def comparable(world: World, sid: str = "") -> dict:
    """Return views (of one session, or all) without this world's paths; for one, without seqs."""
    views = world.views()
    if sid:
        views = {
            name: _without_order(view["sessions"][sid])
            for name, view in views.items()
            if sid in view.get("sessions", {})
        }
    return json.loads(json.dumps(views).replace(str(world.base), ""))


@pytest.fixture(scope="module")
def alone() -> dict[str, dict]:
    """Return each session's views when its stream is the only one in the project."""
    found = {}
    for name in (STREAMS[0], STREAMS[2]):
        world = World(Path(tempfile.mkdtemp(prefix="journal-test-")), inline=True)
        replay = Replay(world)
        calls = recorded(name)
        for call in calls:
            replay.feed(call)
        for sid in {call.sid for call in calls}:
            found[sid] = comparable(world, sid)
        remove(world)
    return found


@given(st.lists(st.booleans(), min_size=20, max_size=34))
@examples(40, sample=2)
def test_interleaved_sessions_are_what_they_are_alone(
    alone: dict[str, dict], turns: list[bool]
) -> None:
    """With two streams interleaved at random, each session has the views it has alone."""
    left, right = recorded(STREAMS[0]), recorded(STREAMS[2])
    world = World(Path(tempfile.mkdtemp(prefix="journal-test-")), inline=True)
    try:
        replay = Replay(world)
        for turn in turns:
            queue = left if turn else right
            if queue:
                replay.feed(queue.pop(0))
        for call in [*left, *right]:
            replay.feed(call)
        assert {sid: comparable(world, sid) for sid in alone} == alone
        assert world.resumed_views() == world.views()
    finally:
        remove(world)
