"""Each event is in the log once, whatever happens to the session while the module records."""

from __future__ import annotations

import json
import shutil
import threading
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from .api import call
from .client import REPO, make_patient, new_id, patient, wait_for
from .terminal import Terminal
from .test_leftover import elsewhere
from .test_warm import children, has_socket, owner_of, sockets

if TYPE_CHECKING:
    from pathlib import Path

    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client


def finished_calls(client: Client) -> Counter[str]:
    """Count the tool calls that have a result, by id, in all transcripts."""
    transcripts = (client.home / ".claude" / "projects").glob("*/*.jsonl")
    lines = [json.loads(line) for path in transcripts for line in path.read_text().splitlines()]
    # A fork's transcript repeats the lines of the session it was forked from.
    found = {
        block["tool_use_id"]
        for line in lines
        if isinstance(content := (line.get("message") or {}).get("content"), list)
        for block in content
        if block.get("type") == "tool_result"
    }
    return Counter(found)


def assert_once(client: Client, logbook: Logbook, *, prompts: int, calls: int) -> None:
    """Check that the log has each call and prompt once, from hooks, and that no process remains."""
    events = logbook.events()
    assert not [event for event in events if event.get("via")]
    tools = [event for event in events if event["type"] in ("tool.finished", "tool.failed")]
    assert Counter(event["use"] for event in tools) == finished_calls(client)
    assert len(tools) == calls
    types = Counter(event["type"] for event in events)
    assert (types["prompt.submitted"], types["turn.ended"]) == (prompts, prompts)
    wait_for(lambda: not children(client), "a child runs on")


def turn(client: Client, api: Api, *commands: str) -> None:
    """Run a turn with these commands, once the child of the client's module takes requests."""
    first, *others = (call("Bash", command=command) for command in commands)
    first = replace(first, once=lambda: not client.mods or has_socket(client))
    api.script(first, *others, "Done.")


def test_resumed_and_forked(client: Client, api: Api, logbook: Logbook) -> None:
    """A session, its resumption and a fork record each event once."""
    sid = new_id()
    turn(client, api, "echo 0", "echo 1", "exit 3")
    client.say("first", sid)
    turn(client, api, "echo 0", "echo 2")
    client.say("second", sid)
    turn(client, api, "echo 0", "echo 3")
    fork = new_id()
    client.say("third", fork, fork_of=sid)
    assert not api.unused()
    assert_once(client, logbook, prompts=3, calls=7)
    assert logbook.counts(fork)["tool.finished"] == 2
    starts = [event["source"] for event in logbook.events("session.started")]
    assert starts == ["startup", "resume", "fork"]


@pytest.mark.long
def test_in_a_worktree(client: Client, api: Api, logbook: Logbook) -> None:
    """Sessions of main checkout and linked worktree share a journal; each keeps its own events."""
    client.git("worktree", "add", "-q", str(client.root / "tree"), "-b", "fix")
    there = elsewhere(client, "tree")
    there.plugins = client.plugins
    sids = []
    for number, machine in enumerate((client, there, client)):
        sids.append(new_id())
        turn(client, api, "echo 0", f"echo {number}")
        machine.say("go", sids[-1])
    assert_once(client, logbook, prompts=3, calls=6)
    assert [logbook.counts(sid)["tool.finished"] for sid in sids] == [2, 2, 2]
    branches = [event["branch"] for event in logbook.events("session.started")]
    assert branches == ["main", "fix", "main"]


@pytest.mark.usefixtures("tmux")
def test_cleared_in_a_terminal(client: Client, api: Api, logbook: Logbook) -> None:
    """/clear continues in the same process, with the same child, under another session."""
    client.plugins = tuple(patient(each, client.root) for each in client.plugins)
    with Terminal(client) as terminal:
        if client.mods:
            wait_for(lambda: children(client), "no child")
        turn(client, api, "echo 0", "echo 1")
        terminal.enter("first")
        terminal.wait_until(lambda: logbook.counts()["turn.ended"] == 1, "the first turn")
        before = owner_of(client) if client.mods else 0
        terminal.enter("/clear")
        terminal.wait_until(lambda: logbook.counts()["session.started"] == 2, "the cleared session")
        turn(client, api, "echo 0", "echo 2", "echo 3")
        terminal.enter("second")
        terminal.wait_until(lambda: logbook.counts()["turn.ended"] == 2, "the second turn")
        assert not client.mods or owner_of(client) == before
        terminal.enter("/exit")
        terminal.wait_until(lambda: logbook.counts()["session.ended"] == 2, "its end")
    assert_once(client, logbook, prompts=2, calls=5)
    first, second = logbook.events("session.started")
    assert logbook.counts(first["sid"])["tool.finished"] == 2
    assert logbook.counts(second["sid"])["tool.finished"] == 3


def install(client: Client) -> Path:
    """Copy the plugin, so that a test can change it while the client runs; return the copy."""
    installed = client.root / "plugin" / "journal"
    for name in ("journal", "projections", "hooks", "cli", "skills", "bin", ".claude-plugin"):
        ignore = shutil.ignore_patterns("__pycache__", "types")
        shutil.copytree(REPO / name, installed / name, ignore=ignore)
    if not client.mods:
        hooks = next(plugin for plugin in client.plugins) / "hooks" / "hooks.json"
        shutil.copy(hooks, installed / "hooks" / "hooks.json")
    make_patient(installed)
    client.plugins = (installed,)
    return installed


@pytest.mark.usefixtures("tmux")
def test_switched_off_in_the_middle(client: Client, api: Api, logbook: Logbook) -> None:
    """If Claude Code unloads the module mid-session, the child ends and the command hooks record."""
    path = install(client) / "hooks" / "hooks.json"
    with Terminal(client) as terminal:
        if client.mods:
            wait_for(lambda: children(client), "no child")
        turn(client, api, "echo 0", "echo 1")
        terminal.enter("first")
        terminal.wait_for("Done.")
        terminal.wait_until(lambda: logbook.counts()["turn.ended"] == 1, "the first turn")
        hooks = json.loads(path.read_text())
        hooks.pop("modules", None)
        path.write_text(json.dumps(hooks))
        terminal.enter("/reload-plugins")
        terminal.wait_for("Reloaded")
        wait_for(lambda: not children(client), "a child runs on")
        api.script(*(call("Bash", command=f"echo {number}") for number in range(3)), "Done.")
        terminal.enter("second")
        terminal.wait_until(lambda: logbook.counts()["turn.ended"] == 2, "the second turn")
        assert not children(client)
        terminal.enter("/exit")
        terminal.wait_until(lambda: logbook.counts()["session.ended"] == 1, "its end")
    assert_once(client, logbook, prompts=2, calls=5)


def test_updated_in_the_middle(client: Client, api: Api, logbook: Logbook) -> None:
    """If the plugin is replaced by another version mid-session, a child of that version follows."""
    installed = install(client)
    updated = client.root / "updated"
    shutil.copytree(installed, updated)
    manifest = updated / ".claude-plugin" / "plugin.json"
    told = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**told, "version": "99.0.0"}))
    (client.project / "update.sh").write_text(
        f"rm -r {installed}/hooks {installed}/.claude-plugin && cp -r {updated}/. {installed}\n"
    )
    seen: set[int] = set()
    stop = threading.Event()

    def watch() -> None:
        while not stop.wait(0.2):
            # A process that a child forks for a call has no socket of its own.
            seen.update(pid for pid in children(client) if sockets(client, pid))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        # Two starts of a child are 5 s apart at least; an event causes the second one.
        commands = ("sh update.sh", "echo 1", "sleep 5", "echo 2")
        api.script(
            call("Bash", command="echo 0", once=lambda: not client.mods or seen),
            *(call("Bash", command=command) for command in commands),
            call("Bash", command="echo 3", once=lambda: not client.mods or len(seen) == 2),
            "Done.",
        )
        client.say("go", new_id())
    finally:
        stop.set()
        thread.join()
    assert not api.unused()
    assert json.loads((installed / ".claude-plugin" / "plugin.json").read_text()) != told
    assert_once(client, logbook, prompts=1, calls=6)
    assert len(seen) == (2 if client.mods else 0)
