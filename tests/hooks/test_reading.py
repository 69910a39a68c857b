"""The reading the gate uses at a Stop: the turn's last reply, which is written a little later."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

import journal.transcript.caught_up
from tests.cases.workshop import Workshop

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def world(tmp_path: Path) -> Workshop:
    """A session with a transcript, on the machine's real clock."""
    made = Workshop(tmp_path, inline=True)
    made.more["JOURNAL_NOW"] = None
    made.now = datetime.now(UTC)
    made.start()
    made.prompt()
    made.reading(20)
    return made


def test_the_last_reply_is_waited_for(world: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply written while the Stop hook runs is the reading that counts."""
    world.done("sprint")
    waited = threading.Event()
    ask = journal.transcript.caught_up.caught_up

    def caught_up(path: str, text: str) -> bool:
        found = ask(path, text)
        if not waited.is_set():
            waited.set()
            world.reading(60)  # as the client does, after the hook's first read
        return found

    monkeypatch.setattr(journal.transcript.caught_up, "caught_up", caught_up)
    with world.transcript().open("a") as file:
        file.write('{"type":"user","message":{"role":"user","content":"go"}}\n')
    reply = world.stop(last_assistant_message="Done.")
    assert waited.is_set()
    assert "28.1%" in reply.message
    assert world.one("stage.stopped")["remaining"] == 28.1


@pytest.mark.parametrize(
    "how",
    [
        pytest.param("no cycle", id="no-cycle"),
        pytest.param("background", id="background"),
        pytest.param("gate off", id="gate-off"),
        pytest.param("clock given", id="clock-given"),
    ],
)
def test_nothing_is_waited_for_without_a_gate(
    world: Workshop, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """A Stop that the gate does not check takes the reading there is, without waiting."""
    if how != "no cycle":
        world.done("sprint")
    if how == "gate off":
        world.configure('[stage]\ngate = "off"\n')
    if how == "clock given":
        del world.more["JOURNAL_NOW"]
    fields = {
        "background": {"background_tasks": [{"id": "a"}]},
    }
    calls = []
    monkeypatch.setattr(
        journal.transcript.caught_up, "caught_up", lambda *_: calls.append(1) or True
    )
    world.stop(**fields.get(how, {}))
    assert calls == []
    assert world.events("turn.ended")


@pytest.mark.parametrize("read", [False, True], ids=["first reading", "read before"])
def test_the_prompt_after_a_switch_of_the_model(tmp_path: Path, read: bool) -> None:
    """The last reply is of the model before; what is left is that of the model from now on."""
    world = Workshop(tmp_path, inline=True)
    world.start()
    world.prompt()
    world.reading(77, model="claude-opus-5-5")
    if read:
        world.after(seconds=1).tool("Read")
    world.after(seconds=1).hook("PostModelSwitch", to_model="claude-sonnet-4-6")
    assert "of 167,000 tokens" in world.prompt("go on").context
    assert "pressure" not in world.after(seconds=1).prompt("go on").context
