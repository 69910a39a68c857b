"""Which event an explanation is about, and what the session knew before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.config.schema import DEFAULTS
from journal.errors import UsageError
from journal.history.replay.explain import Explained, explain_event, explain_imported
from journal.log.append import Writer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cases.world import World


@pytest.fixture
def warned(inline: World) -> World:
    """Return a world whose last prompt was answered with a warning."""
    inline.start()
    inline.prompt("fix it")
    inline.reading(91)
    inline.prompt("go on")
    return inline


def explained(world: World, seq: int) -> Explained:
    """Explain an event under the default settings."""
    return explain_event(str(world.directory), seq, DEFAULTS)


def test_a_message_leads_to_the_event_that_it_answers(warned: World) -> None:
    """The explanation of a message is that of the prompt before it; its own record stays known."""
    advice, prompt = (warned.events(kind)[-1] for kind in ("advice.given", "prompt.submitted"))
    found = explained(warned, advice["seq"])
    assert (found.asked["type"], found.step.seq) == ("advice.given", prompt["seq"])
    assert (found.hook, found.step.verdict, found.differs) == ("UserPromptSubmit", "same", False)
    assert explained(warned, prompt["seq"]).step.recorded == found.step.recorded


def test_what_the_session_knew_before(warned: World) -> None:
    """The last record of each deciding type before the event is shown, and none after it."""
    first, last = warned.events("prompt.submitted")
    assert list(explained(warned, first["seq"]).before) == ["session.started"]
    before = explained(warned, last["seq"]).before
    assert {"session.started", "pressure.sampled"} <= set(before)
    assert all(fields["seq"] < last["seq"] for fields in before.values())


@pytest.mark.parametrize("explain", [explain_imported, lambda *given: explain_event(*given, {})])
def test_an_event_that_is_not_there(warned: World, explain: object) -> None:
    """An unknown seq is an error that names the event."""
    with pytest.raises(UsageError, match=r"no event (i:)?9999"):
        explain(str(warned.directory), 9999)  # type: ignore[operator]


def test_an_imported_event_had_no_hook(tmp_path: Path) -> None:
    """An event of an imported log has its own step, without anything before it."""
    with Writer(str(tmp_path), "2026-11-21T09:00:00.000Z") as writer:
        event = {"type": "prompt.submitted", "v": 1, "sid": "s", "imported": True, "text": "go"}
        (seq,) = writer.append(event)
    found = explain_imported(str(tmp_path), seq)
    assert (found.asked["text"], found.before, found.step.answer) == ("go", {}, None)
    assert found.step.cite == f"i:{seq}"
