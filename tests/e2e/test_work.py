"""Work with tools, as the journal records it: one event per fact, no message without a reason."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from . import logbook as names
from .api import call
from .client import new_id
from .conversation import Conversation
from .scene import CALM, WINDOW, days_in, heading, write_progress
from .terminal import Terminal
from .wire import Reply, Tool

if TYPE_CHECKING:
    from pathlib import Path

    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client


def test_a_turn_is_one_event_per_fact(client: Client, api: Api, logbook: Logbook) -> None:
    """Tools, a failure, the prompt and both ends of the session are one event each."""
    client.env |= WINDOW
    shop = client.project
    api.script(
        call("Bash", command="echo MARK-OUT", description="say it", tokens=CALM),
        call("Write", file_path=str(shop / "discount.py"), content="rate = 1\n", tokens=CALM),
        call(
            "Edit",
            file_path=str(shop / "discount.py"),
            old_string="rate = 1",
            new_string="rate = 2",
            tokens=CALM,
        ),
        call("Read", file_path=str(shop / "cart.py"), tokens=CALM),
        call("Bash", command="exit 3", description="fail", tokens=CALM),
        "All done.",
    )
    sid = new_id()
    client.say("Add discounts ASKED-1", sid)
    assert not api.unused()
    assert logbook.sids() == {sid}
    seqs = [event["seq"] for event in logbook.events()]
    assert seqs == list(range(1, len(seqs) + 1))
    done = logbook.events("tool.finished")
    assert [event[names.TOOL] for event in done] == ["Bash", "Write", "Edit", "Read"]
    assert "discount.py" in done[1][names.TARGET]
    (failed,) = logbook.events("tool.failed")
    assert "exit 3" in failed[names.TARGET]
    counts = logbook.counts()
    for once in ("session.started", "prompt.submitted", "turn.ended", "session.ended"):
        assert counts[once] == 1, once
    (asked,) = logbook.events("prompt.submitted")
    assert "ASKED-1" in asked[names.TEXT]
    assert client.context_texts(sid) == []
    assert not counts["advice.given"]
    assert not counts["hook.failed"]


def test_tools_side_by_side_lose_nothing(client: Client, api: Api, logbook: Logbook) -> None:
    """Hooks of parallel tools run at the same time, and each records its own event."""
    commands = [f"echo MARK-{n}" for n in range(6)]
    api.script(
        Reply(tools=tuple(Tool("Bash", {"command": c, "description": "d"}) for c in commands))
    )
    client.say("all at once", new_id())
    targets = [event[names.TARGET] for event in logbook.events("tool.finished")]
    assert sorted(targets) == commands
    seqs = [event["seq"] for event in logbook.events()]
    assert seqs == list(range(1, len(seqs) + 1))


@pytest.mark.long
def test_a_resumed_session_goes_on(client: Client, logbook: Logbook) -> None:
    """A resumed session is recorded as such, with the same id, and repeats no event."""
    sid = new_id()
    client.say("first ASKED-1", sid)
    client.say("second ASKED-2", sid)
    started = logbook.events("session.started")
    assert [event[names.SOURCE] for event in started] == ["startup", "resume"]
    assert logbook.sids() == {sid}
    asked = [event[names.TEXT] for event in logbook.events("prompt.submitted")]
    assert asked == ["first ASKED-1", "second ASKED-2"]
    assert logbook.counts()["turn.ended"] == 2


def test_a_fork_belongs_to_its_origin(client: Client, logbook: Logbook) -> None:
    """A forked session has its own id, and its lineage names the session it came from."""
    first, second, other = new_id(), new_id(), new_id()
    with Conversation(client, other) as session:
        session.say("unrelated")
        client.say("first", first)
        session.say("again unrelated")
    client.say("second", second, fork_of=first)
    forked = logbook.events("session.started", sid=second)
    assert [event[names.SOURCE] for event in forked] == ["fork"]
    lineage = logbook.lineage(second)
    assert first in lineage
    assert other not in lineage


def add_skill(project: Path, name: str) -> None:
    """Give the project a skill of its own."""
    path = project / ".claude" / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\nname: {name}\ndescription: {name} it\n---\nGo.\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("skill", "continued"),
    [
        pytest.param("implement", True, id="phase"),
        pytest.param("tidy", False, id="no phase", marks=pytest.mark.long),
    ],
)
def test_the_end_of_a_phase_suggests_promotion(
    client: Client, api: Api, logbook: Logbook, skill: str, continued: bool
) -> None:
    """After a phase the model is told once about unsaved entries; after other work it is not."""
    write_progress(client.project, (3, 4))
    add_skill(client.project, skill)
    api.script(call("Skill", skill=skill), "Built.")
    sid = new_id()
    with Conversation(client, sid) as session:
        session.say("build it")
        assert ("Stop hook additional context" in api.last.text) == continued
        session.say("and now")
    (used,) = [e for e in logbook.events("tool.finished") if e[names.TOOL] == "Skill"]
    assert skill in str(used)
    assert len(client.context_texts(sid, "Stop")) == continued


@pytest.mark.long
def test_two_sessions_at_once(client: Client, logbook: Logbook) -> None:
    """Sessions side by side in one project keep their own events in one gapless sequence."""
    ids = [new_id(), new_id(), new_id()]
    with ThreadPoolExecutor(len(ids)) as pool:
        list(pool.map(lambda sid: client.say(f"hello from {sid}", sid), ids))
    seqs = [event["seq"] for event in logbook.events()]
    assert seqs == list(range(1, len(seqs) + 1))
    for sid in ids:
        (asked,) = logbook.events("prompt.submitted", sid=sid)
        assert asked[names.TEXT].endswith(sid)
        assert logbook.counts(sid)["session.ended"] == 1


def test_a_journal_that_cannot_be_written(client: Client, api: Api, tmux: None) -> None:
    """If the journal cannot be written, work continues and the person sees that it is off."""
    blocked = client.root / "blocked"
    blocked.write_text("", encoding="utf-8")
    client.env["JOURNAL_HOME"] = str(blocked)
    api.script(call("Bash", command="echo a", description="d"), "All done.")
    assert client.say("work", new_id()).result == "All done."
    with Terminal(client) as terminal:
        terminal.wait_for("journal is off")


@pytest.mark.long
def test_promotion_by_the_model(client: Client, api: Api, logbook: Logbook) -> None:
    """The plugin's own command, run by the model, finds its session by itself."""
    programs = client.root / "programs"
    programs.mkdir()
    (programs / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    (programs / "python3").chmod(0o755)
    client.python = programs  # no `journal` in this folder, so the plugin's bin/ is used
    write_progress(client.project, (3, 4))
    api.script(call("Bash", command="journal compound --promoted 2", description="record"))
    sid = new_id()
    client.say("promote", sid)
    (ran,) = logbook.events("compound.ran")
    assert ran["sid"] == sid
    assert ran[names.PROMOTED] == 2


@pytest.mark.long
def test_the_compound_skill_knows_the_flow(client: Client, api: Api) -> None:
    """Promotion begins with the existing entries, not with a search for them."""
    path = write_progress(client.project, (3, 4))
    client.say("/journal:compound", new_id())
    assert heading(4) in api.last.text
    assert days_in(path.read_text(encoding="utf-8")) == [3, 4]
