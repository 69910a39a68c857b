"""The plugin's module in the real client: what it records, and that no event depends on it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import threading
from pathlib import Path

import pytest

from .api import Api, call
from .client import REPO, Client, new_id, patient, wait_for
from .conversation import converse
from .logbook import Logbook
from .scene import WINDOW
from .terminal import Terminal
from .wire import Reply

pytestmark = pytest.mark.client

CALLS = 4


def children(client: Client) -> list[int]:
    """List a client's warm children, and for each its process that waits for requests."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command = (path / "cmdline").read_bytes()
            environment = (path / "environ").read_bytes()
        except OSError:
            continue
        if b"warm/child.py" in command and str(client.home).encode() in environment:
            found.append(int(path.name))
    return found


def has_socket(client: Client) -> bool:
    """Return whether a warm child of the client takes requests."""
    return any(sockets(client, pid) for pid in children(client))


def owner_of(client: Client) -> int:
    """Return the process id of the only Claude Code whose warm child runs."""
    processes = children(client)
    parents = {parent_of(pid) for pid in processes}
    (owner,) = parents.difference(processes)
    return owner


def parent_of(pid: int) -> int:
    """Return the id of the process that started this one."""
    return int(Path(f"/proc/{pid}/status").read_text().split("PPid:")[1].split()[0])


def summary(logbook: Logbook) -> list[tuple]:
    """List the events hooks recorded, except readings, costs and background work.

    A short run may end before its background work has.
    """
    left_out = {"pressure.sampled", "segment.opened", "segment.sealed", "files.changed",
                "session.summarized", "transcripts.checked"}  # fmt: skip
    return [
        (event["type"], event.get("tool"), event.get("target"), event.get("text"), event.get("ok"))
        for event in logbook.events()
        if event["type"] not in left_out and not event.get("via")
    ]


def script(api: Api, *, slow: str = "") -> None:
    """Script the model to read, write, fail and end its turn."""
    api.script(
        call("Read", file_path="notes.txt"), call("Bash", command=slow or "echo é"),
        call("Bash", command="exit 3"), call("Write", file_path="new.py", content="x = 1\n"),
        "Done.",
    )  # fmt: skip


def test_with_and_without_the_module(tmp_path: Path, api: Api, executable: Path) -> None:
    """With and without the module a session, compaction and resumption record the same events."""
    found = []
    for mods in (True, False):
        client = Client(tmp_path / str(mods), api.url, executable, mods=mods)
        sid = new_id()
        script(api)
        converse(client, sid, "first", "/compact")
        script(api)
        client.say("second", sid)
        assert not api.unused()
        found.append((summary(Logbook(client)), client))
    (with_it, client), (without, other) = found
    assert with_it == without
    read = [{event["source"] for event in Logbook(each).events("pressure.sampled")}
            for each in (client, other)]  # fmt: skip
    # In `claude -p` the process of the module starts after the first request.
    assert read[0] <= {"client", "transcript", "boundary"}
    assert read[1] <= {"transcript", "boundary"}
    assert children(client) == []


def test_the_child_is_killed(client: Client, api: Api, logbook: Logbook) -> None:
    """A child that dies mid-session loses no event and doubles none."""
    stop = threading.Event()
    killed: list[int] = []

    def kill() -> None:
        while not stop.wait(0.15):
            for pid in children(client):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        for number in range(12):
            once = (lambda: killed) if number == 3 else None
            api.script(call("Bash", command=f"echo {number}", once=once))
        api.script("Done.")
        client.say("go", new_id())
    finally:
        stop.set()
        thread.join()
    assert killed
    assert len(logbook.events("tool.finished")) == 12
    assert logbook.counts()["turn.ended"] == 1
    wait_for(lambda: not children(client), "a child runs on")


@pytest.mark.long
def test_the_socket_is_removed(client: Client, api: Api, logbook: Logbook) -> None:
    """Without its socket the child is unreachable, and the command hooks record."""
    removed = []

    def remove() -> None:
        wait_for(lambda: has_socket(client), "a child")
        for pid in children(client):
            for path in sockets(client, pid):
                path.unlink()
                removed.append(path)

    thread = threading.Thread(target=remove)
    thread.start()
    first = call("Bash", command="echo 1", once=lambda: removed)
    api.script(first, call("Bash", command="echo 2"), "Done.")
    client.say("go", new_id())
    thread.join()
    assert removed
    assert len(logbook.events("tool.finished")) == 2
    assert logbook.counts()["turn.ended"] == 1


def sockets(client: Client, pid: int) -> list[Path]:
    """List the sockets of a child, in the plugin's data directory or in a short directory."""
    data = client.home / ".claude" / "plugins" / "data"
    return [*data.glob(f"*/warm/*/s{pid}"), *Path("/tmp").glob(f"journal-warm-*/s{pid}")]


def test_a_large_event(client: Client, api: Api, logbook: Logbook) -> None:
    """The guard ends before it has read a large input; no error, and it is recorded once."""
    api.script(call("Write", file_path="large.txt", content="é" * 600_000), "Done.")
    assert not client.say("go", new_id()).faults
    (event,) = logbook.events("tool.finished")
    assert event["target"] == "large.txt"


@pytest.mark.usefixtures("tmux")
def test_the_client_is_killed(client: Client, api: Api, logbook: Logbook) -> None:
    """After kill -9 of the client its child ends; earlier events are in the log."""
    client.plugins = tuple(patient(each, client.root) for each in client.plugins)
    api.script(call("Bash", command="echo 1"), "One.")
    with Terminal(client) as terminal:
        terminal.enter("go")
        terminal.wait_for("One.")
        wait_for(lambda: logbook.events("turn.ended"), "no end of the turn")
        if client.mods:
            wait_for(lambda: children(client), "no child")
            os.kill(owner_of(client), signal.SIGKILL)
            wait_for(lambda: not children(client), "the child runs on")
    assert len(logbook.events("tool.finished")) == 1


def test_the_clients_threshold(client: Client, api: Api, logbook: Logbook) -> None:
    """From the second turn on the compaction threshold is the one Claude Code reports."""
    client.env |= WINDOW
    api.script(Reply("One.", tokens=20_000))
    tool = call("Bash", command="echo 1", tokens=30_000, once=lambda: has_socket(client))
    api.script(tool, Reply("Two.", tokens=40_000))
    sid = new_id()
    client.say("first", sid)
    client.say("second", sid)
    tokens = [event["tokens"] // 1000 for event in logbook.events("pressure.sampled")]
    assert tokens == sorted(tokens)
    assert {20, 30, 40} <= set(tokens)
    assert {event["point"] for event in logbook.events("pressure.sampled")} == {67_000}


def test_what_the_first_prompt_waits_for(client: Client) -> None:
    """The first request of `claude -p` waits for the module at its prompt, not at its start too."""
    client.say("one", new_id())
    (log,) = client.root.glob("debug-*")
    asked = re.findall(r"hooks module journal@inline (\S+) settled", log.read_text())
    assert asked[0] == "classic.UserPromptSubmit"


@pytest.mark.long
def test_ten_clients_at_once(tmp_path: Path, executable: Path) -> None:
    """Ten clients in one project record each event once and leave no process."""
    with Api() as api:
        client = Client(tmp_path, api.url, executable)
        for _ in range(10 * CALLS):
            api.script(call("Bash", command="sleep 0.3"))
        sids = [new_id() for _ in range(10)]
        threads = [threading.Thread(target=client.say, args=("go", sid)) for sid in sids]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        logbook = Logbook(client)
        tools = logbook.events("tool.finished")
        assert len(tools) == 10 * CALLS
        assert len({(event["sid"], event.get("use")) for event in tools}) == 10 * CALLS
        assert logbook.counts()["turn.ended"] == 10
        assert logbook.counts()["session.ended"] == 10
        wait_for(lambda: not children(client), "a child runs on")


def test_the_clients_own_tests(tmp_path: Path, client: Client) -> None:
    """`claude plugin test` runs the module's tests."""
    for name in (".claude-plugin", "hooks", "tests/mod"):
        shutil.copytree(REPO / name, tmp_path / "plugin" / name)
    code, out, err = client.run(
        [str(client.executable), "plugin", "test", str(tmp_path / "plugin")]
    )
    assert code == 0, out + err
    assert " 0 fail" in out + err
