"""How many of the facts a summary lost come back through the hooks, and in how many characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.recall.english import CLIENT, SHOP
from tests.recall.german import FIRMWARE
from tests.recall.guide import GUIDE
from tests.recall.incident import INCIDENT
from tests.recall.japanese import ORDERS
from tests.recall.korean import PAYMENT
from tests.recall.operations import ANALYSIS, CLUSTER
from tests.recall.rust import DECODER
from tests.recall.session import Session, is_present, outcome
from tests.recall.spanish import GAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World

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


def share(session: Session, world: World, *, transcript: bool = True) -> float:
    """Return the share of the lost facts that come back."""
    found = outcome(world, session, transcript=transcript)
    missing = [probe for probe in found.lost if probe not in found.told]
    print(f"{len(found.told)} of {len(found.lost)}, {len(found.text)} characters; not: {missing}")
    return len(found.told) / len(found.lost)


@pytest.mark.parametrize("name", SESSIONS)
def test_what_the_summary_lost_is_told_again(name: str, make_world: Callable[..., World]) -> None:
    """At least 85 % of the lost facts come back, 60 % from the log alone."""
    assert share(SESSIONS[name], make_world(inline=True)) >= 0.85
    assert share(SESSIONS[name], make_world(inline=True), transcript=False) >= 0.6


@pytest.mark.parametrize("name", SESSIONS)
def test_it_takes_the_room_of_its_language(name: str, make_world: Callable[..., World]) -> None:
    """The text is in the language of the prompts and within that language's size."""
    session = SESSIONS[name]
    text = outcome(make_world(inline=True), session).text
    assert len(text) <= ROOM[session.language] * 1.1
    head = {"en": "Journal of this session", "ja": "このセッションの記録", "ko": "이 세션의 기록"}
    assert text.startswith(head[session.language])


@pytest.mark.parametrize("name", SESSIONS)
def test_it_tells_of_no_other_session(name: str, make_world: Callable[..., World]) -> None:
    """Facts of other sessions are absent, so the rules of presence do not match by accident."""
    text = outcome(make_world(inline=True), SESSIONS[name]).text
    foreign = [p for other, s in SESSIONS.items() if other != name for p in s.probes]
    assert [probe for probe in foreign if is_present(probe, text)] == []


def test_the_log_tells_a_refusal_only_through_the_transcript(
    make_world: Callable[..., World],
) -> None:
    """A refused call is known only through the transcript."""
    (refusal,) = [probe for probe in SHOP.probes if probe[0] == "refusal"]
    assert refusal in outcome(make_world(inline=True), SHOP).told
    assert refusal not in outcome(make_world(inline=True), SHOP, transcript=False).told
