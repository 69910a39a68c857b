"""The warm child records what the command hook would, each event once, and ends with the client."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from hooks.warm import child as program
from hooks.warm.folder import Folder
from tests.cases.world import World
from tests.contract.test_off import copied
from tests.hooks.warm_child import GUARD, HOOK, Child

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROMPT = {"prompt": "Round the prices", "prompt_id": "p1"}
BASH = {"tool_name": "Bash", "tool_input": {"command": "ls é"}, "prompt_id": "p1"}
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


def raw(world: World, hook: str, **fields: object) -> bytes:
    """Build what Claude Code writes for one event."""
    known = {
        "session_id": world.sid, "transcript_path": str(world.transcript()),
        "cwd": str(world.project), "hook_event_name": hook,
    }  # fmt: skip
    return json.dumps({**known, **fields}, separators=(",", ":")).encode() + b"\n"


def tool(world: World, number: int) -> bytes:
    """Build a tool call that is unlike any other."""
    return raw(world, "PostToolUse", **BASH, tool_response={}, tool_use_id=f"toolu_{number}")


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
    with Child(world) as child:
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
    with Child(world) as child:
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
    with Child(world) as child:
        child.taken(tool(world, 1), "160000 200000 0")
    (event,) = world.events("pressure.sampled")
    assert (event["source"], event["tokens"]) == ("boundary", 9_000)


@pytest.mark.parametrize("measured", ["", "x", "1 2", "1 2 3 4", "-1 2 3", "9999999999 1 1"])
def test_figures_of_another_form(world: World, measured: str) -> None:
    """Figures that are not three numbers are ignored; the event is recorded."""
    with Child(world) as child:
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
    with Child(world) as child:
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
    with Child(world) as child:
        assert child.taken(body) == ""
        assert child.taken(tool(world, 1)) == ""


@pytest.mark.parametrize("line", [
    "GET /", "GET /1", "PUT /1", "POST /", "POST /x", "POST /../1", "POST /cancel/x", "POST /other/1",
    "POST /" + "1" * 40,
])  # fmt: skip
def test_what_is_no_request(world: World, line: str) -> None:
    """An unknown request gets 503 and records nothing."""
    with Child(world) as child:
        assert child.ask(line) == (503, "")
    assert not list(world.journal.glob("*/active.jsonl"))


def test_killed_while_it_works(world: World) -> None:
    """Wherever the child is killed, the event is recorded once after the command hook has run."""
    for number in range(6):
        with Child(world) as child:
            thread = threading.Thread(target=child.post, args=(tool(world, number),))
            thread.start()
            if number % 2:
                thread.join(0.004 * number)
            child.process.kill()
            thread.join()
            child.guard(tool(world, number), None)
    assert len(world.events("tool.finished")) == 6


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


def test_only_this_user(world: World) -> None:
    """The directory is 0700, the socket 0600, and a peer of another user is refused."""
    with Child(world) as child:
        assert stat.S_IMODE(os.stat(child.socket).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(os.path.dirname(child.socket)).st_mode) == 0o700
        assert stat.S_IMODE(child.folder.stat().st_mode) == 0o700
    one, other = socket.socketpair()
    with one, other:
        assert program._is_own(one)
        with patch("os.getuid", return_value=os.getuid() + 1):
            assert not program._is_own(one)


def test_a_directory_that_others_may_enter(tmp_path: Path) -> None:
    """A directory that others may enter is refused: another user could leave an answer there."""
    path = tmp_path / "warm" / "1"
    path.mkdir(parents=True)
    path.chmod(0o755)
    with pytest.raises(OSError, match="this user alone"):
        Folder(str(tmp_path), 1)


def test_a_long_path_has_its_socket_elsewhere(tmp_path: Path) -> None:
    """If its path is too long, the socket is in a new short directory that goes with the child."""
    folder = Folder(str(tmp_path / ("x" * 100)), 1)
    listener = folder.listen()
    assert len(folder.socket) < 104
    assert stat.S_IMODE(os.stat(os.path.dirname(folder.socket)).st_mode) == 0o700
    listener.close()
    folder.close()
    assert not os.path.exists(os.path.dirname(folder.socket))


def test_a_killed_childs_socket_is_removed(world: World, tmp_path: Path) -> None:
    """A later child removes a killed child's short directory; one in use stays."""
    more = {"CLAUDE_PLUGIN_DATA": str(tmp_path / ("x" * 100))}
    with Child(world, **more) as child:
        left = os.path.dirname(child.socket)
        with Child(world, **more) as other:
            assert os.path.isdir(left)
            assert os.path.exists(other.socket)
        child.process.kill()
        child.process.wait()
        assert os.path.isdir(left)
    with Child(world, **more) as last:
        last.taken(tool(world, 1))
        assert not os.path.exists(left)


def ends_by_closing(child: Child) -> None:
    """Unload the module: nobody reads the child's output any more."""
    assert child.process.stdout is not None
    child.process.stdout.close()


def ends_by_signal(child: Child) -> None:
    """End the child as Claude Code does."""
    child.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("end", [ends_by_closing, ends_by_signal])
def test_it_ends(world: World, end: Callable[[Child], None]) -> None:
    """The child ends with its reader or by a signal, and leaves neither socket nor directory."""
    with Child(world) as child:
        end(child)
        assert child.process.wait(30) == 0
        assert not os.path.exists(child.socket)
        assert not child.folder.exists()  # no event was claimed


_PARENT = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
print(child.pid, child.stdout.readline().decode().strip(), flush=True)
os.kill(os.getpid(), 9)
"""


def test_it_ends_with_a_client_that_is_killed(world: World) -> None:
    """After kill -9 of the client no process is left, and no socket."""
    with Child(world) as child:
        env = {**child.env, "CLAUDE_PID": "1"}
    argv = [sys.executable, "-c", _PARENT, *child.process.args]
    done = subprocess.run(argv, env=env, stdout=subprocess.PIPE, text=True, timeout=30, check=False)
    pid, path = done.stdout.split()
    with suppress(ProcessLookupError, AttributeError):
        ended = os.pidfd_open(int(pid))
        import select

        assert select.select([ended], [], [], 5)[0], "it runs on"
        os.close(ended)
    assert not os.path.exists(path)


def test_it_ends_when_the_code_is_replaced(world: World, tmp_path: Path) -> None:
    """After an update a request is declined, so the command hook of the new code handles it."""
    root = copied(tmp_path / "code")
    with Child(world, root) as child:
        assert child.taken(tool(world, 1)) == ""
        path = root / "hooks" / "capture.py"
        path.write_bytes(path.read_bytes())
        assert child.taken(tool(world, 2)) is None
        assert child.process.wait(30) == 0


@pytest.mark.parametrize(
    "more", [{"JOURNAL_OFF": "1"}, {"CLAUDE_PLUGIN_DATA": ""}, {"CLAUDE_PID": "x"}]
)
def test_it_is_not_wanted(world: World, more: dict[str, str]) -> None:
    """Switched off, or without a directory, its exit code asks not to be started again."""
    with Child(world, **more) as child:
        assert child.socket == ""
        assert child.process.wait(30) == 3


def test_the_setting(world: World) -> None:
    """`capture.warm = false` leaves everything to the command hooks."""
    world.journal.mkdir(parents=True)
    (world.journal / "config.toml").write_text("[capture]\nwarm = false\n")
    with Child(world) as child:
        assert child.process.wait(30) == 3


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc")
def test_memory(world: World) -> None:
    """The child uses less than 40 MiB, also after calls."""
    with Child(world) as child:
        for number in range(20):
            child.taken(tool(world, number))
        with open(f"/proc/{child.process.pid}/status", encoding="ascii") as file:
            (size,) = [int(line.split()[1]) for line in file if line.startswith("VmRSS")]
    assert size < 40 * 1024


def test_answers_are_removed(tmp_path: Path) -> None:
    """Unread answers are removed after a minute, and so are an ended client's files."""
    folder = Folder(str(tmp_path), os.getpid())
    with open(folder.answer("17"), "w", encoding="ascii") as file:
        file.write("x")
    assert folder.claim("17")
    left = tmp_path / "warm" / "999999999"
    left.mkdir()
    (left / "17").write_text("x")
    when = os.stat(folder.answer("17")).st_mtime
    folder.tidy(when + 59)
    assert os.path.exists(folder.answer("17"))
    assert not folder.claim("17")
    folder.tidy(when + 62)
    folder.sweep()
    assert os.listdir(folder.path) == []
    assert not left.exists()
    assert os.path.isdir(folder.path)


ECHO = ["sh", "-c", "echo ran; cat"]


def guarded(base: Path, given: bytes, *command: str) -> bytes:
    """Run the guard before a command."""
    env = {"PATH": os.environ["PATH"], "CLAUDE_PLUGIN_DATA": str(base), "CLAUDE_PID": "7"}
    return subprocess.run(
        ["sh", GUARD, *command], input=given, env=env, capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("child", ["none", "short events", "long events"])
@pytest.mark.parametrize("given", [
    b'{"session_id":"' + b"\xc3\xa9" * 60_000 + b'"}\n', b"", b"\n", b'{"a":1}', b"{}\n\n",
    b'{"journal":17,"x":"' + b"y" * 60 + b'"}\n', b'{"journal":"1x","x":"' + b"y" * 60 + b'"}\n',
    b'{"journal":"../x","x":"' + b"y" * 60 + b'"}\n', b'{"a":" \\n"}\n \n',
])  # fmt: skip
def test_the_guard_passes_everything_on(tmp_path: Path, given: bytes, child: str) -> None:
    """An event without the module's mark reaches the hook byte for byte, child or no child."""
    folder_of(tmp_path, child)
    # With `head` the shell drops the last line ends of an input shorter than 40 bytes.
    is_cut = child == "long events" and len(given) < 40
    wanted = given.rstrip(b"\n") if is_cut else given
    assert guarded(tmp_path, given, *ECHO) == b"ran\n" + wanted


@pytest.mark.parametrize("size", [100, 100_000])
@pytest.mark.parametrize("child", ["short events", "long events"])
def test_the_guard_ends(tmp_path: Path, child: str, size: int) -> None:
    """For a recorded event the guard starts nothing and prints the answer, if there is one."""
    (folder_of(tmp_path, child) / "17").write_text('{"systemMessage":"é"}')
    rest = b',"x":"' + b"y" * size + b'"}\n'
    assert guarded(tmp_path, b'{"journal":""' + rest, *ECHO) == b""
    assert guarded(tmp_path, b'{"journal":"17"' + rest, *ECHO).decode() == '{"systemMessage":"é"}'


def folder_of(base: Path, child: str) -> Path:
    """Create what a child leaves for the guard; return the directory of its answers."""
    folder = base / "warm" / "7"
    if child != "none":
        folder.mkdir(parents=True)
    if child == "long events":
        (folder / "large").touch()
    return folder


def test_the_guard_knows_long_events(world: World) -> None:
    """After a long event the guard reads by blocks, after a short one without a process."""
    with Child(world) as child:
        for length, expected in ((10, False), (9_000, True), (9_000, True), (10, False)):
            child.taken(raw(world, "UserPromptSubmit", prompt="x" * length, prompt_id=str(length)))
            assert (child.folder / "large").exists() == expected


def test_a_mark_reaches_no_hook(world: World) -> None:
    """If a marked event reaches the hook all the same, the hook leaves it to the module."""
    given = b'{"journal":"",' + tool(world, 1)[1:]
    subprocess.run(HOOK, input=given, env=world.env(), check=True)
    assert not list(world.journal.glob("*/active.jsonl"))
