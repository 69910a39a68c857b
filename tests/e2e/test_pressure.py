"""Pressure warnings: given once when a level is crossed, by prompt or by tool call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from . import logbook as names
from .api import call
from .client import new_id
from .conversation import converse
from .scene import CALM, INFO, URGENT
from .wire import Reply

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = [pytest.mark.client, pytest.mark.usefixtures("small_window")]


def levels(logbook: Logbook) -> list[str]:
    """List the levels of the pressure warnings, in order."""
    given = logbook.events("advice.given")
    return [event[names.LEVEL] for event in given if event[names.WHAT] == "pressure"]


@pytest.mark.long
def test_calm_use_is_left_alone(client: Client, api: Api, logbook: Logbook) -> None:
    """Below the info level neither prompts nor tools get a warning."""
    sid = new_id()
    api.script(
        call("Bash", command="echo a", description="d", tokens=CALM), Reply("one", tokens=CALM)
    )
    converse(client, sid, "first", "second")
    assert client.context_texts(sid) == []
    assert levels(logbook) == []


def test_advice_with_the_next_prompt(client: Client, api: Api, logbook: Logbook) -> None:
    """Above the info level the next prompt gets the warning; a prompt after a resumption does not."""
    sid = new_id()
    api.script(*[Reply(f"answer {n}", tokens=INFO) for n in range(3)])
    converse(client, sid, "first", "second")
    (advice,) = client.context_texts(sid)
    assert [request.count(advice) for request in api.talk] == [0, 1]
    assert client.context_texts(sid, "UserPromptSubmit") == [advice]
    assert "22.4% left until compaction" in advice
    client.say("third", sid)
    assert client.context_texts(sid, "UserPromptSubmit") == [advice]
    assert api.last.count(advice) == 1  # the second prompt's warning
    assert levels(logbook) == ["info"]


@pytest.mark.long
def test_each_level_is_told_once(client: Client, api: Api, logbook: Logbook) -> None:
    """Crossing the urgent level after the info level gives a second warning, and no more."""
    sid = new_id()
    api.tokens(INFO, URGENT, URGENT, URGENT)
    converse(client, sid, "first", "second", "third", "fourth")
    assert levels(logbook) == ["info", "urgent"]
    assert len(client.context_texts(sid, "UserPromptSubmit")) == 2
    assert all(api.last.count(text) == 1 for text in client.context_texts(sid))


def test_advice_in_the_middle_of_a_turn(client: Client, api: Api, logbook: Logbook) -> None:
    """A level crossed between two tool calls is reported within the turn, once.

    The client writes a reply to the transcript in its own time: a quick first tool may end before.
    """
    sid = new_id()
    calls = [call("Bash", command=f"echo {n}", description="d", tokens=INFO) for n in range(3)]
    api.script("Done.", *calls)
    converse(client, sid, "first", "second")
    (advice,) = client.context_texts(sid)
    told = [r.count(advice) for r in api.talk[1:]]
    assert told in ([0, 1, 1, 1], [0, 0, 1, 1])
    assert levels(logbook) == ["info"]


@pytest.mark.long
def test_samples_are_kept(client: Client, api: Api, logbook: Logbook) -> None:
    """The journal has the readings behind a warning, with the threshold they relate to."""
    sid = new_id()
    api.script(Reply("ok", tokens=INFO))
    client.say("first", sid)
    client.say("second", sid)
    sampled = logbook.events("pressure.sampled")
    (reading, *_) = [e for e in sampled if INFO <= e[names.TOKENS] < INFO + 1_000]
    assert reading[names.POINT] == 67_000
    assert 77 <= reading[names.PRESSURE] < 79
