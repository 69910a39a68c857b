"""The warm child records what the command hook would, each event once."""

from __future__ import annotations

import fcntl
import json
import socket
import threading
from typing import TYPE_CHECKING

import pytest

from tests.cases.world import World
from tests.hooks.warm.client import Child, Inline
from tests.hooks.warm.events import BASH, raw, tool
from tests.support.examples import scaled

if TYPE_CHECKING:
    from pathlib import Path

PROMPT = {"prompt": "Round the prices", "prompt_id": "p1"}
STOP = {"stop_hook_active": False, "last_assistant_message": "Done.", "prompt_id": "p1"}
CALLS: list[tuple[str, dict]] = [
    ("UserPromptSubmit", PROMPT),
    ("PostToolUse", {**BASH, "tool_response": {"stdout": "x" * 9_000}, "tool_use_id": "t1"}),
    ("PostToolUseFailure", {**BASH, "error": "Exit code 3", "tool_use_id": "t2"}),
    ("PostToolUseFailure", {**BASH, "error": "Exit code 3", "tool_use_id": "t2"}),
    ("SubagentStop", {"agent_id": "a1", "agent_type": "x", "last_assistant_message": "Ready."}),
    ("Stop", STOP),
    ("UserPromptSubmit", {**PROMPT, "prompt_id": "p2"}),
]


def full(world: World) -> None:
    """End the transcript with a reply that fills the context."""
    usage = {"input_tokens": 160_000, "output_tokens": 1}
    line = {
        "type": "assistant", "timestamp": "2026-11-21T08:59:00.000Z",
        "message": {"id": "m", "role": "assistant", "model": "claude-sonnet-4-5",
                    "content": [{"type": "text", "text": "ok"}], "usage": usage},
    }  # fmt: skip
    world.transcript().parent.mkdir(parents=True)
    world.transcript().write_text(json.dumps(line) + "\n")


def log(world: World) -> bytes:
    """Read the project's log."""
    (path,) = world.journal.glob("*/active.jsonl")
    return path.read_bytes()


def test_same_bytes_and_same_answers(tmp_path: Path) -> None:
    """The child records and answers the same bytes as the command hook."""
    found = []
    for way in ("command", "child"):
        world = World(tmp_path / "world")
        full(world)
        with Child(world) as child:
            answers = []
            for hook, fields in CALLS:
                given = raw(world, hook, **fields)
                answers.append(child.feed(given) if way == "child" else child.guard(given, None))
            # The first record has the journal's random id.
            found.append((answers, log(world).split(b"\n", 1)[1]))
        world.base.rename(tmp_path / way)
    assert found[0] == found[1]
    answers = found[0][0]
    assert b"additionalContext" in answers[0]  # it is the sibling of the silent ones
    assert not any(answers[1:])


@pytest.mark.parametrize("setting", ["", "[screen]\ntoast = false\n"])
def test_a_message_for_a_toast(world: World, setting: str) -> None:
    """A message to the person goes either to the module or with the answer, never both."""
    world.journal.mkdir(parents=True)
    (world.journal / "config.toml").write_text(setting)
    full(world)
    with Inline(world) as child:
        given = raw(world, "UserPromptSubmit", **PROMPT)
        status, text = child.post(given, number="17", toasts="1")
        answer = json.loads((child.folder / "17").read_text())
    number, *message = text.split("\n")
    assert (status, number) == (200, "17")
    assert "additionalContext" in answer["hookSpecificOutput"]
    assert bool(message) == (not setting)
    assert ("systemMessage" in answer) == bool(setting)
    (event,) = world.events("advice.given")
    assert [*message, *filter(None, [answer.get("systemMessage")])] == [event["said"]["message"]]


def test_every_event_of_the_module_was_taken(world: World) -> None:
    """Sibling: the child did record every event; the command hook was needed for none."""
    with Child(world) as child:
        assert [child.taken(raw(world, hook, **fields)) for hook, fields in CALLS] == [""] * len(
            CALLS
        )


def test_the_clients_own_figures(world: World) -> None:
    """Tokens, window and threshold the client reports are the reading, with the formula added."""
    with Inline(world) as child:
        child.taken(raw(world, "UserPromptSubmit", **PROMPT), "40000 200000 150000")
        child.taken(tool(world, 1), "41000 200000 0")
        child.taken(tool(world, 2), "41000 200000 0")
    first, second = world.events("pressure.sampled")
    assert (first["source"], first["tokens"], first["point"], first["window"]) == (
        "client", 40_000, 150_000, 200_000
    )  # fmt: skip
    assert ["compaction threshold", "150000", "Claude Code"] in first["terms"]
    assert ["formula", "167000", "differs from Claude Code's"] in first["terms"]
    assert (second["tokens"], second["point"]) == (41_000, 167_000)


def test_the_transcript_goes_first_after_a_compaction(world: World) -> None:
    """After a compaction the transcript's boundary is newer than the client's token count."""
    line = {"type": "system", "subtype": "compact_boundary",
            "compactMetadata": {"preTokens": 160_000, "postTokens": 9_000}}  # fmt: skip
    world.transcript().parent.mkdir(parents=True)
    world.transcript().write_text(json.dumps(line) + "\n")
    with Inline(world) as child:
        child.taken(tool(world, 1), "160000 200000 0")
    (event,) = world.events("pressure.sampled")
    assert (event["source"], event["tokens"]) == ("boundary", 9_000)


@pytest.mark.parametrize("measured", ["", "x", "1 2", "1 2 3 4", "-1 2 3", "9999999999 1 1"])
def test_figures_of_another_form(world: World, measured: str) -> None:
    """Figures that are not three numbers are ignored; the event is recorded."""
    with Inline(world) as child:
        assert child.taken(tool(world, 1), measured) == ""
    assert not world.events("pressure.sampled")
    assert len(world.events("tool.finished")) == 1


def test_too_late_is_not_recorded(world: World) -> None:
    """After its deadline the child appends nothing and says so: the event is the command hook's."""
    with Child(world) as child:
        given = tool(world, 1)
        assert child.post(given, ahead=-1_000) == (503, "")
        assert not world.events("tool.finished")
        child.guard(given, None)
        assert child.post(tool(world, 2)) == (200, "")
    assert len(world.events("tool.finished")) == 2


def test_a_cancelled_call_is_not_recorded(world: World) -> None:
    """Of a call and its cancellation the first wins, and each side learns which one did."""
    with Inline(world) as child:
        assert child.ask("POST /cancel/17") == (200, "1")
        assert child.post(tool(world, 1), number="17") == (503, "")
        assert not world.events("tool.finished")
        assert child.post(tool(world, 1), number="18") == (200, "")
        assert child.ask("POST /cancel/18") == (200, "0")
    assert len(world.events("tool.finished")) == 1


def test_a_taken_lock_is_the_command_hooks(world: World) -> None:
    """If another process holds the log the child gives up, and the hook writes to the spool."""
    with Child(world) as child:
        child.feed(tool(world, 1))
        (path,) = world.journal.glob("*/lock")
        with path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            assert child.taken(tool(world, 2)) is None
            child.guard(tool(world, 2), None)
        child.feed(tool(world, 3))
    assert len(world.events("tool.finished")) == 3


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"hook_event_name":"Stop"}'])
def test_what_is_no_event(world: World, body: bytes) -> None:
    """Invalid input is handled as by the command hook, and the child goes on."""
    with Inline(world) as child:
        assert child.taken(body) == ""
        assert child.taken(tool(world, 1)) == ""


@pytest.mark.parametrize("line", [
    "GET /", "GET /1", "PUT /1", "POST /", "POST /x", "POST /../1", "POST /cancel/x", "POST /other/1",
    "POST /" + "1" * 40,
])  # fmt: skip
def test_what_is_no_request(world: World, line: str) -> None:
    """An unknown request gets 503 and records nothing."""
    with Inline(world) as child:
        assert child.ask(line) == (503, "")
    assert not list(world.journal.glob("*/active.jsonl"))


def test_killed_while_it_works(world: World) -> None:
    """Wherever the child is killed, the event is recorded once after the command hook has run."""
    calls = scaled(6, 3)
    for number in range(calls):
        with Child(world) as child:
            thread = threading.Thread(target=child.post, args=(tool(world, number),))
            thread.start()
            if number % 2:
                thread.join(0.004 * number)
            child.process.kill()
            thread.join()
            child.guard(tool(world, number), None)
    assert len(world.events("tool.finished")) == calls


def test_parallel_calls(world: World) -> None:
    """Parallel calls, some also sent to the command hook, are recorded once each."""
    with Child(world) as child:
        threads = [
            threading.Thread(target=way, args=arguments)
            for number in range(6)
            for way, arguments in ((child.taken, (tool(world, number),)),
                                   (child.guard, (tool(world, number), None)))
        ]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(world.events("tool.finished")) == 6


def test_a_head_without_an_end(world: World) -> None:
    """A request whose head does not end is given up early, and the next one is taken."""
    with Child(world) as child:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(child.socket)
            connection.settimeout(8)
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                connection.sendall(b"x" * (64 << 20))
        assert child.taken(tool(world, 1)) == ""
