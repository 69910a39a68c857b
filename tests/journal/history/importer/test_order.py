"""The counts of a session do not depend on which of its files, or of its copies, is read first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.sessions import sessions_of
from tests.journal.history.importer.conftest import SID, Sandbox
from tests.journal.history.importer.lines import prompt, reply
from tests.support.command import run_command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from projections.session import Session

FORK = "f" + SID[1:]


def timed(line: dict[str, Any], minute: int, **more: Any) -> dict[str, Any]:
    """Return a line at a minute."""
    return {**line, "timestamp": f"2026-11-20T10:{minute:02d}:00.000Z", **more}


def sessions(sandbox: Sandbox) -> dict[str, Session]:
    """Return the project's sessions."""
    (log,) = sandbox.home.glob("*/imported")
    return {sid: item.session for sid, item in sessions_of(str(log.parent)).items()}


def changed(path: Path, day: int) -> None:
    """Set when a file was changed last."""
    os.utime(path, (86_400 * day,) * 2)


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=["session-first", "subagent-first"])
def test_the_times_of_a_session_are_those_of_all_its_files(
    sandbox: Sandbox, order: tuple[int, int]
) -> None:
    """A subagent's transcript, read before or after, moves neither start nor end inwards."""
    agent = sandbox.file.with_suffix("") / "subagents" / "agent-a1.jsonl"
    agent.parent.mkdir(parents=True)
    side = {"isSidechain": True, "agentId": "a1", "gitBranch": "side"}
    sandbox.write(
        timed(prompt(), 1, gitBranch="main"),
        timed(reply("m1"), 2, gitBranch="main"),
        timed(reply("m2", stop="end_turn"), 9, gitBranch="main"),
    )
    sandbox.write(timed(prompt("look", 7), 3, **side), timed(reply("m3"), 4, **side), to=agent)
    for path, day in zip((sandbox.file, agent), order, strict=True):
        changed(path, day)
    sandbox.run()
    session = sessions(sandbox)[SID]
    assert (session.started[11:16], session.last[11:16]) == ("10:01", "10:09")
    assert (session.branch, session.subagents) == ("main", 1)
    types = [
        event["type"] for event in sandbox.events() if event.get("agent") or event["type"][0] == "p"
    ]
    assert types[0] == "prompt.submitted"  # a turn's calls come after its prompt


def pytest_run(minute: int, *, failed: bool, **more: Any) -> list[dict[str, Any]]:
    """Return the lines of a run of tests at a minute."""
    use = f"t{minute}"
    call = reply(f"m{minute}", **more)
    call["message"]["content"] = [
        {"type": "tool_use", "id": use, "name": "Bash", "input": {"command": "pytest -q"}}
    ]
    result = {"type": "tool_result", "tool_use_id": use, "content": "done", "is_error": failed}
    return [timed(line, minute) for line in (call, prompt([result], 10 + minute, **more))]


@pytest.mark.parametrize("last", ["main", "subagent"])
def test_the_last_tests_of_a_session_are_the_last_by_time(sandbox: Sandbox, last: str) -> None:
    """Events of a subagent stand between those of the session that it worked for."""
    agent = sandbox.file.with_suffix("") / "subagents" / "agent-a1.jsonl"
    agent.parent.mkdir(parents=True)
    main, side = (9, 4) if last == "main" else (4, 9)
    more = {"isSidechain": True, "agentId": "a1"}
    sandbox.write(timed(prompt(), 1), *pytest_run(main, failed=main < side))
    sandbox.write(*pytest_run(side, failed=side < main, **more), to=agent)
    sandbox.run()
    calls = [event for event in sandbox.events() if event["type"].startswith("tool.")]
    assert [event["ts"][14:16] for event in calls] == ["04", "09"]
    where = ["--project", "/home/dev/shop", "--json"]
    (listed,) = run_command(["sessions", *where], sandbox.env, sandbox.top).data
    assert listed["outcome"] == "tests passed"


def test_a_summary_for_a_compaction_is_no_subagent(sandbox: Sandbox) -> None:
    """Its transcript lies beside those of subagents, and hooks count none."""
    agent = sandbox.file.with_suffix("") / "subagents" / "agent-acompact-1.jsonl"
    agent.parent.mkdir(parents=True)
    sandbox.write(prompt(), reply("m1"))
    sandbox.write(reply("m2", isSidechain=True, agentId="acompact-1"), to=agent)
    sandbox.run()
    assert sessions(sandbox)[SID].subagents == 0
    assert len(sandbox.events("usage.recorded")) == 2


def headless(sid: str, *minutes: int) -> list[dict[str, Any]]:
    """Return the lines that come before the first prompt in a transcript of `claude -p`."""
    return [timed({"type": "queue-operation", "sessionId": sid}, minutes[-1])]


def interactive(sid: str, *minutes: int) -> list[dict[str, Any]]:
    """Return those of a terminal's; minutes: of the prompts that have a snapshot so far."""
    return [
        {"type": "mode", "mode": "normal", "sessionId": sid},
        *(
            {"type": "file-history-snapshot", "snapshot": timed({"trackedFileBackups": {}}, at)}
            for at in minutes
        ),
    ]


def forked(
    sandbox: Sandbox, head: Callable[..., list[dict[str, Any]]] = headless, at: int = 5
) -> Path:
    """Write a session, a fork of it, and what the session went on with; return the fork's file.

    at: the minute of the fork.
    """
    own = [timed(prompt("one", 1), 1), timed(said("m1"), 2)]
    more = [timed(prompt("three", 3), 6), timed(said("m3"), 7)]
    fork = sandbox.file.with_name(f"{FORK}.jsonl")
    sandbox.write(
        *head(FORK, 1, at), *({**line, "sessionId": FORK} for line in (*own, *more)), to=fork
    )
    sandbox.write(*head(SID, 1), *own, timed(prompt("two", 2), 8), timed(said("m2"), 9))
    return fork


def said(name: str) -> dict[str, Any]:
    """Return a reply that ends its turn."""
    line = reply(name, stop="end_turn")
    line["message"]["content"] = [{"type": "text", "text": name}]
    return line


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=["fork-first", "fork-last"])
@pytest.mark.parametrize(("head", "at"), [(headless, 5), (interactive, 6)])
def test_what_a_fork_repeats_is_the_other_sessions(
    sandbox: Sandbox, order: tuple[int, int], head: Callable[..., list[dict[str, Any]]], at: int
) -> None:
    """Each prompt counts in the session it was asked in, whichever file was changed last."""
    for path, day in zip((forked(sandbox, head, at), sandbox.file), order, strict=True):
        changed(path, day)
    sandbox.run()
    found = sessions(sandbox)
    assert {sid: (item.prompts, item.turns) for sid, item in found.items()} == {
        SID: (2, 2), FORK: (1, 1),
    }  # fmt: skip
    assert (found[FORK].started[11:16], found[SID].started[11:16]) == (f"10:{at:02d}", "10:01")


def test_show_counts_what_sessions_counts(sandbox: Sandbox) -> None:
    """What a fork repeats is shown and marked, and counts neither as prompts nor as tokens."""
    forked(sandbox)
    sandbox.run()
    where = ["--project", "/home/dev/shop"]
    told = run_command(["show", FORK, *where], sandbox.env, sandbox.top).out
    assert "1 prompt, 0 tool calls, 0 compactions, 2 entries copied from another session" in told
    shown = run_command(["show", FORK, *where, "--json"], sandbox.env, sandbox.top).data
    assert [entry.get("copied", False) for entry in shown["entries"]] == [True, True, False, False]
    assert shown["tokens"]["output_tokens"] == 10
    assert shown["started"] == sessions(sandbox)[FORK].started


def test_an_imported_session_is_over_everywhere(sandbox: Sandbox) -> None:
    """It ended with its last activity, in the list as in the view."""
    sandbox.write(timed(prompt(), 1), timed(said("m1"), 2))
    sandbox.run()
    where = ["--project", "/home/dev/shop", "--json"]
    (listed,) = run_command(["sessions", *where], sandbox.env, sandbox.top).data
    (viewed,) = run_command(["view", "sessions", *where], sandbox.env, sandbox.top).data["sessions"]
    assert listed["ended"] == viewed["ended"] == viewed["last"]
