"""For any input a hook exits 0, prints only valid output and leaves an intact, strictly typed log."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from journal.events.hook_input import BUILDERS
from journal.log.read import Reader
from journal.log.record import frame
from tests.cases.streams import STREAMS, Replay, recorded, remove
from tests.cases.world import SID, World
from tests.contract.output_schema import problems
from tests.contract.strict import violations
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Callable

EVENTS = (*BUILDERS, "PreToolUse", "PostToolBatch", "FileChanged", "Nonsense", "", "../x")
OURS = {"active.jsonl", "lock", "missed", "snapshot", "settings.cache", "hook-errors.log"}

INFINITE = "@@infinite@@"
"""Replaced by 1e999, which JSON can contain but Python's `json` would not write."""

texts = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "", " ", "../../../etc/passwd", "/etc/passwd", "a\0b", "/\0", "\ud800", "/\udcff/\ud800",
            "x" * 300, "😀" * 300, "é" * 5000, "\x1b[2J\r\n", '"\\"', "{", "</x>", "~", "-rf", "%s",
            "/proc/self/fd/0", "AKIAIOSFODNN7EXAMPLE", "CON", "." * 260, "/" * 300,
        ]
    ),
)  # fmt: skip
numbers = st.one_of(
    st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0, -1, 2**63, 10**12, INFINITE]),
)  # fmt: skip
junk = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)
MEMBERS = (
    "session_id", "transcript_path", "cwd", "prompt_id", "agent_id", "agent_type", "source", "model",
    "context_tokens", "session_title", "prompt", "command_name", "command_args", "tool_name",
    "tool_input", "tool_response", "tool_use_id", "duration_ms", "error", "is_interrupt",
    "stop_hook_active", "background_tasks", "last_assistant_message", "trigger",
    "custom_instructions", "compact_summary", "from_model", "to_model", "notification_type",
    "message", "reason", "permission_mode", "context_window", "session_crons", "expansion_type",
    "command_source", "agent_transcript_path", "seconds_since_last_response", "file_path", "event",
)  # fmt: skip
tools = st.fixed_dictionaries(
    {},
    optional={
        "tool_name": st.one_of(
            st.sampled_from(["Bash", "Skill", "Write", "TodoWrite", "TaskCreate", "TaskUpdate",
                             "TaskList", "Agent", "Read", "mcp__x__y"]),
            junk,
        ),
        "tool_input": st.one_of(
            st.dictionaries(
                st.sampled_from(["command", "file_path", "skill", "args", "todos", "taskId",
                                 "subject", "status", "description", "content"]),
                junk,
                max_size=5,
            ),
            junk,
        ),
        "tool_response": st.one_of(
            st.fixed_dictionaries(
                {},
                optional={
                    "stdout": junk, "status": junk, "task": junk, "tasks": st.lists(junk, max_size=3),
                    "file": junk, "content": junk, "type": junk,
                },
            ),
            junk,
        ),
    },
)  # fmt: skip
payloads = st.builds(
    lambda event, sid, some, tool: {"hook_event_name": event, "session_id": sid, **some, **tool},
    st.sampled_from(EVENTS),
    st.one_of(st.just(SID), texts),
    st.dictionaries(st.sampled_from(MEMBERS), junk, max_size=8),
    tools,
)


def tree(top: Path) -> set[str]:
    """Return every path below a folder."""
    return {str(path.relative_to(top)) for path in top.rglob("*")}


def hold(world: World) -> None:
    """Check that the log is intact and each record has exactly the members of its type."""
    for directory in world.journal.glob("*/"):
        reader = Reader(str(directory))
        wrong = [item for _, line in reader for item in violations(line)]
        assert wrong == []
        assert reader.found.complete, reader.found.listed


@pytest.mark.parametrize("name", STREAMS)
def test_recorded_input_makes_strict_events(name: str, make_world: Callable[..., World]) -> None:
    """Every record made from recorded input decodes without an unknown member."""
    world = make_world(inline=True)
    world.flow(12)
    world.stock()
    replay = Replay(world)
    for call in recorded(name):
        replay.feed(call)
    hold(world)
    assert len(world.events()) > 12


def test_a_strict_check_that_fails() -> None:
    """The check finds an extra member, also a nested one, and a wrong type."""
    good = {"ts": "t", "type": "turn.ended", "v": 1, "sid": "s", "flow": {"entries": 1}}
    assert violations(frame(1, good)[:-1]) == []
    assert violations(frame(1, {**good, "odd": 1})[:-1]) == ["turn.ended.odd is not a member"]
    nested = {**good, "flow": {"entries": 1, "odd": 1}}
    assert violations(frame(1, nested)[:-1]) == ["turn.ended.flow.odd is not a member"]
    assert "does not decode" in violations(frame(1, {**good, "size": "1"})[:-1])[0]


WRONG = (None, True, -1, 10**20, INFINITE, "\ud800\0", "x" * 300, [], ["x"], {"a": [1]}, [[None]])
INNER = {
    "tool_input": ("command", "file_path", "notebook_path", "pattern", "url", "query", "skill",
                   "args", "description", "subagent_type", "subject", "taskId", "status", "todos"),
    "tool_response": ("stdout", "content", "newString", "file", "status", "task", "tasks", "type"),
}  # fmt: skip
TOOLS = ("Bash", "Write", "Skill", "Agent", "TodoWrite", "TaskCreate", "TaskUpdate", "TaskList")


@pytest.mark.parametrize("every", [len(WRONG), pytest.param(1, marks=pytest.mark.long, id="all")])
@pytest.mark.parametrize("event", BUILDERS)
def test_each_member_of_each_wrong_kind(
    event: str, every: int, make_world: Callable[..., World]
) -> None:
    """Each member in turn gets values of wrong types, and every record still has its type.

    By default each member gets one of the values, one member another one than the next; members of
    a tool's input and result get them in one of the two events of tool calls.
    """
    world = make_world(inline=True)

    def feed(**fields: object) -> None:
        world.after(seconds=1)
        payload = {"hook_event_name": event, "session_id": SID, "cwd": str(world.project), **fields}
        raw = json.dumps(payload).replace(json.dumps(INFINITE), "1e999").encode()
        reply = world.feed(raw, event, checked=False)
        assert problems(event, reply.out) == [], fields

    members: list[tuple[str, ...]] = [(member,) for member in MEMBERS]
    if event == "PostToolUse" or (event == "PostToolUseFailure" and every == 1):
        members += [
            (tool, outer, name) for tool in TOOLS for outer in INNER for name in INNER[outer]
        ]
    for number, path in enumerate(members):
        for wrong in WRONG[number % every :: every]:
            if len(path) == 1:
                feed(**{path[0]: wrong})
            else:
                tool, outer, name = path
                feed(tool_name=tool, **{outer: {name: wrong}})
    hold(world)
    assert not (world.journal / "hook-errors.log").exists()


@given(st.lists(payloads, min_size=1, max_size=4), st.booleans())
@example(
    [{"hook_event_name": "PostToolUse", "session_id": SID, "tool_response": {"a": INFINITE}}], True
)
@example([{"hook_event_name": "Nonsense", "session_id": SID, "number": INFINITE}], True)
@example([{"hook_event_name": "Stop", "session_id": SID, "cwd": "/\0x"}], False)
@example([{"hook_event_name": "Stop", "session_id": SID, "cwd": "/\ud800"}], False)
@example([{"hook_event_name": "SessionStart", "session_id": SID, "transcript_path": "/a\0b"}], True)
@examples(100, sample=8)
def test_any_payload(calls: list[dict], named: bool) -> None:
    """Any payload gives no or valid output, typed events, and no file outside the journal.

    No id becomes a path, and a valid call of a known hook leaves at least one record.
    """
    world = World(Path(tempfile.mkdtemp(prefix="journal-test-")), inline=True)
    try:
        if not named:
            world.more = {"CLAUDE_PROJECT_DIR": None}
        before = tree(world.base)
        for payload in calls:
            world.after(seconds=20)
            raw = json.dumps(payload).replace(json.dumps(INFINITE), "1e999").encode()
            reply = world.feed(raw, payload["hook_event_name"], checked=False)
            assert problems(payload["hook_event_name"], reply.out) == [], payload
        hold(world)
        made = {
            path for path in tree(world.base) - before if not path.startswith("home/dev/.claude")
        }
        assert made == set()
        for path in world.journal.rglob("*"):
            assert path.is_dir() or path.name in OURS, path
        assert not (world.journal / "hook-errors.log").exists()
        records = sum(len(list(Reader(str(at)))) for at in world.journal.glob("*/"))
        # Without a summary the two that carry one may record nothing.
        always_recorded = set(BUILDERS) - {"PostCompact", "SubagentStop"}
        if any(payload["hook_event_name"] in always_recorded for payload in calls):
            assert records
    finally:
        remove(world)
