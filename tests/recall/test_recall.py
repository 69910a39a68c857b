"""How many of the facts a summary lost come back through the hooks, and in how many characters."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.cases.world import World
from tests.recall.english import CLIENT, SHOP
from tests.recall.german import FIRMWARE
from tests.recall.guide import GUIDE
from tests.recall.incident import INCIDENT
from tests.recall.japanese import ORDERS
from tests.recall.korean import PAYMENT
from tests.recall.operations import ANALYSIS, CLUSTER
from tests.recall.rust import DECODER
from tests.recall.session import Outcome, is_present, outcome
from tests.recall.spanish import GAME
from tests.support.examples import third

if TYPE_CHECKING:
    from collections.abc import Callable

SESSIONS = {
    "shop": SHOP,
    "client": CLIENT,
    "orders": ORDERS,
    "payment": PAYMENT,
    "cluster": CLUSTER,
    "analysis": ANALYSIS,
    "firmware": FIRMWARE,
    "incident": INCIDENT,
    "game": GAME,
    "decoder": DECODER,
    "guide": GUIDE,
}
ROOM = {"en": 3_000, "ja": 1_500, "ko": 1_500}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Outcome]:
    """Return a function that runs each session once, with and without its transcript."""

    @cache
    def run(name: str, *, transcript: bool = True) -> Outcome:
        world = World(tmp_path_factory.mktemp(name), inline=True)
        return outcome(world, SESSIONS[name], transcript=transcript)

    return run


def share(found: Outcome) -> float:
    """Return the share of the lost facts that come back."""
    missing = [probe for probe in found.lost if probe not in found.told]
    print(f"{len(found.told)} of {len(found.lost)}, {len(found.text)} characters; not: {missing}")
    return len(found.told) / len(found.lost)


@pytest.mark.parametrize("name", third(SESSIONS))
def test_what_the_summary_lost_is_told_again(name: str, found: Callable[..., Outcome]) -> None:
    """At least 85 % of the lost facts come back, 60 % from the log alone."""
    assert share(found(name)) >= 0.85
    assert share(found(name, transcript=False)) >= 0.6


@pytest.mark.parametrize("name", third(SESSIONS))
def test_it_takes_the_room_of_its_language(name: str, found: Callable[..., Outcome]) -> None:
    """The text is in the language of the prompts and within that language's size."""
    language, text = SESSIONS[name].language, found(name).text
    assert len(text) <= ROOM[language] * 1.1
    head = {"en": "Journal of this session", "ja": "このセッションの記録", "ko": "이 세션의 기록"}
    assert text.startswith(head[language])


@pytest.mark.parametrize("name", third(SESSIONS))
def test_it_tells_of_no_other_session(name: str, found: Callable[..., Outcome]) -> None:
    """Facts of other sessions are absent, so the rules of presence do not match by accident."""
    text = found(name).text
    foreign = [p for other, s in SESSIONS.items() if other != name for p in s.probes]
    assert [probe for probe in foreign if is_present(probe, text)] == []


def test_the_log_tells_a_refusal_only_through_the_transcript(found: Callable[..., Outcome]) -> None:
    """A refused call is known only through the transcript."""
    (refusal,) = [probe for probe in SHOP.probes if probe[0] == "refusal"]
    assert refusal in found("shop").told
    assert refusal not in found("shop", transcript=False).told
