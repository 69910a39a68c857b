"""What the real hook command does with invalid input: it does nothing, and one record says so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from journal.log.read import Reader
from tests.support.examples import scaled

if TYPE_CHECKING:
    from tests.cases.world import World

LARGE = scaled(50, 8) * 1024 * 1024
BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "blank": (b" \n\t\n", "empty"),
    "text": (b"hello\n", "not JSON"),
    "cut": (b'{"hook_event_name":"Stop","session_id":"s"', "not JSON"),
    "two": (b'{"hook_event_name":"Stop"}{"hook_event_name":"Stop"}', "not JSON"),
    "utf8": (b'{"hook_event_name":"Stop","session_id":"\xff"}', "not UTF-8"),
    "utf16": ('{"hook_event_name":"Stop"}'.encode("utf-16"), "not UTF-8"),
    "nul": (b"\0" * 4096, "not JSON"),
    "list": (b"[1,2]", "not a JSON object"),
    "string": (b'"Stop"', "not a JSON object"),
    "null": (b"null", "not a JSON object"),
    "nan": (b"NaN", "not JSON"),
    "deep": (b"[" * 200_000, "not JSON"),
    "deep-object": (b'{"a":' * 50_000, "not JSON"),
    "digits": (b"1" * 10_000, "not JSON"),
    "no-event": (b'{"session_id":"s","prompt":"x"}', "no hook_event_name"),
    "event-number": (b'{"session_id":"s","hook_event_name":7}', "no hook_event_name"),
    "event-null": (b'{"session_id":"s","hook_event_name":null}', "no hook_event_name"),
}


@pytest.mark.parametrize("raw, error", BAD.values(), ids=BAD)
def test_one_record_says_so(raw: bytes, error: str, inline: World) -> None:
    """The hook exits 0, prints nothing, and appends one hook.failed with the reason."""
    reply = inline.feed(raw, "")
    assert (reply.out, reply.err, reply.code) == ("", "", 0)
    assert inline.types() == ["hook.failed"]
    assert error in inline.one("hook.failed")["error"]


@pytest.mark.parametrize("name", ["Nonsense", "../../x", "PreToolThought"])
def test_an_unknown_event_is_kept_as_what_it_is(name: str, world: World) -> None:
    """An unknown hook event is stored with its members, bounded and redacted, and without output."""
    token = "ghp_" + "a1B2" * 9
    members = {"depth": 3, "note": "x" * 9_000, "about": {"path": "a.py"}, "key": token}
    raw = {"session_id": "s", "hook_event_name": name, "cwd": str(world.project), **members}
    reply = world.feed(json.dumps(raw).encode(), "")
    assert (reply.out, reply.err, reply.code) == ("", "", 0)
    event = world.one("hook.received")
    assert (event["hook"], event["sid"]) == (name, "s")
    assert '"depth":3' in event["input"]
    assert len(event["input"]) <= 2_000 < event["size"]
    assert token not in json.dumps(world.events())


def test_good_input_after_bad(world: World) -> None:
    """Invalid input before and after a valid call does not change its answer."""
    world.inline = True
    world.flow(2)
    world.feed(b"\xff\xff")
    assert "2 work-log entries" in world.start().context
    world.feed(b"{")
    world.worked()
    assert world.stop().message
    kinds = ["hook.failed", "session.started", "context.injected", "hook.failed"]
    assert world.types()[:4] == kinds


def test_many_megabytes_of_a_file_read(world: World) -> None:
    """A tool response of many MB is recorded by its size and digest, in a short record."""
    size = LARGE
    payload = {
        "session_id": "s", "cwd": str(world.project), "hook_event_name": "PostToolUse",
        "tool_name": "Read", "tool_input": {"file_path": "big"}, "tool_use_id": "t",
        "tool_response": {"type": "text", "file": {"content": "x" * size}},
    }  # fmt: skip
    reply = world.feed(json.dumps(payload).encode(), "PostToolUse")
    assert reply.out == ""
    event = world.one("tool.finished")
    assert (event["output_size"], event["target"]) == (size, "big")
    assert (world.directory / "active.jsonl").stat().st_size < 4096


def test_many_megabytes_of_rubbish(world: World) -> None:
    """Many MB of invalid JSON are recorded as one event with their size."""
    reply = world.feed(b"rubbish " * (LARGE // 8))
    assert reply.out == ""
    assert world.one("hook.failed")["size"] == LARGE
    assert (world.directory / "active.jsonl").stat().st_size < 4096


def test_members_of_the_wrong_type_cost_no_others(world: World) -> None:
    """Members of a wrong type are left out; the other members of the call are recorded."""
    world.inline = True
    world.hook("PostToolUse", tool_name="Bash", tool_input=["no"], tool_response=7,
               duration_ms="long", tool_use_id={"a": 1}, prompt_id=[])  # fmt: skip
    event = world.one("tool.finished")
    assert event["tool"] == "Bash"
    assert not {"ms", "use", "target", "prompt"} & set(event)
    world.hook("UserPromptSubmit", prompt=None, transcript_path=5)
    assert world.one("prompt.submitted").get("size", 0) == 0
    world.hook("PreCompact", trigger=["auto"], custom_instructions={"a": 1})
    assert world.one("compact.started").get("trigger", "") == ""
    path = f"docs/plans/.cpm-progress-{world.sid}.md"
    world.hook("PostToolUse", tool_name=["Write"], tool_input={"file_path": path})
    assert not (world.journal / "hook-errors.log").exists()


@pytest.mark.parametrize(
    "sid",
    [
        "../../../../escape",
        "/etc/passwd",
        "a\0b",
        "x" * 300,
        "😀" * 60,
        "a/b",
        "..",
        "\n",
        '"',
        "\ud800",
    ],
    ids=["up", "root", "nul", "long", "emoji", "slash", "dots", "newline", "quote", "surrogate"],
)
def test_an_id_is_never_a_path(sid: str, world: World) -> None:
    """A session of any name is recorded under the name or its digest, and no file gets the name."""
    world.inline = True
    before = {path for path in world.base.rglob("*") if world.journal not in path.parents}
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"):
        world.hook(event, sid=sid, source="startup", agent_id=..., prompt_id=sid, tool_use_id=sid)
    after = {path for path in world.base.rglob("*") if world.journal not in path.parents}
    assert after - before <= {world.journal.parent, world.journal}
    names = {path.name for path in world.journal.rglob("*") if path.is_file()}
    assert names <= {"active.jsonl", "lock", "missed", "snapshot", "settings.cache"}
    assert len({event["sid"] for event in world.events("session.started", "turn.ended")}) == 1
    assert world.one("session.started")["sid"]


def test_an_id_that_is_a_name_is_kept(world: World) -> None:
    """An ordinary id is recorded unchanged."""
    world.inline = True
    world.start()
    assert world.one("session.started")["sid"] == world.sid


def test_outside_a_project(world: World) -> None:
    """A call outside any project is recorded in the journal `unfiled`."""
    world.inline = True
    for at in ("/", str(world.home), "", "relative/dir", "/nonexistent\0", "/\ud800"):
        world.hook("Stop", cwd=at, env={"CLAUDE_PROJECT_DIR": None})
        world.after(seconds=20)
    reader = Reader(str(world.journal / "unfiled"))
    assert sum(b'"turn.ended"' in line for _, line in reader) >= 4
    assert reader.found.complete
