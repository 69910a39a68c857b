"""Packs: a saved or sent text arrives whole, and a refused one leaves nothing behind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cli.scope import Scope
from journal.errors import UsageError
from journal.history.packs import Draft, check, packs, queue, save
from projections.messages.message import TEXT_LIMIT, width
from tests.cases.world import OTHER, SID
from tests.support.examples import third

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World

TEXTS = {
    "short": "a line",
    "lines": "| a | b |\n" * 600,
    "quotes": '"\\' * 2_200,
    "controls": "\x01" * 1_400,
    "cjk": "認証の期限を直す。" * 1_000,
    "emoji": "😀" * 9_000,
    "nul": "a\0b" * 1_000,
    "surrogate": "\ud800 x",
}


@pytest.fixture
def shop(make_world: Callable[..., World]) -> World:
    """Return a world with one session."""
    world = make_world(inline=True)
    world.start()
    world.prompt("good morning")
    return world


def scope_of(world: World) -> Scope:
    """Return the scope of a command in the world's project."""
    world.after(seconds=1)
    return Scope(world.env(), project=str(world.project), cwd=str(world.project))


@pytest.mark.parametrize("text", third(TEXTS.values(), "sent"), ids=third(TEXTS, "sent"))
def test_a_sent_text_arrives_whole(text: str, shop: World) -> None:
    """Any text within the limit reaches the session unchanged."""
    sources = [f"shop-0123456789#{at}" for at in range(60)]
    seq = queue(scope_of(shop), SID, Draft("T" * 500, text, sources=tuple(sources)))
    records = shop.events("context.queued")
    assert records[0]["seq"] == seq
    assert [item for event in records for item in event.get("sources", [])] == sources
    assert "".join(event.get("text", "") for event in records) == text.replace("\ud800", "\ufffd")
    reply = shop.prompt()
    assert text.replace("\ud800", "\ufffd") in reply.context
    assert width(reply.context) <= TEXT_LIMIT
    assert json.loads(reply.out)["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"


@pytest.mark.parametrize("text", third(TEXTS.values(), "saved"), ids=third(TEXTS, "saved"))
def test_a_saved_text_is_read_whole(text: str, shop: World) -> None:
    """A saved pack is read with its text, sessions and sources, however many records it took."""
    sids = tuple(f"{at:08}-aaaa" for at in range(60))
    name, _ = save(scope_of(shop), Draft(" a\n title ", text * 3, sids, ("shop#1",)))
    save(scope_of(shop), Draft("other", "x"))
    found = packs(scope_of(shop))
    assert [pack.draft.title for pack in found] == ["other", "a title"]
    whole = (text * 3).replace("\ud800", "\ufffd")
    assert (found[1].id, found[1].draft) == (name, Draft("a title", whole, sids, ("shop#1",)))


REFUSED = {
    "empty": (SID, " \n", "nothing to send"),
    "long": (SID, "x" * 9_001, "9,001 characters"),
    "long-in-json": (SID, "\n" * 4_501 + "x", "9,003 characters"),
    "unknown": (OTHER, "x", f"no session {OTHER}"),
    "beginning": (SID[:8], "x", "no session"),
    "nobody": ("", "x", "no session (none)"),
    "quote": ('"sid":"x"', "x", "no session"),
}


@pytest.mark.parametrize("to, text, why", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_leaves_nothing(to: str, text: str, why: str, shop: World) -> None:
    """A refusal names its reason, exits 2 and appends no event, not even of the pack."""
    before = shop.events()
    for call in (
        lambda: check(scope_of(shop), to, text),
        lambda: queue(scope_of(shop), to, Draft("t", text)),
        lambda: save(scope_of(shop), Draft("t", text), to),
    ):
        with pytest.raises(UsageError, match=r"nothing|session|characters") as caught:
            call()
        assert why in caught.value.what
        assert caught.value.code == 2
    assert shop.events() == before


def test_a_pack_that_cannot_be_saved(shop: World) -> None:
    """An empty pack, or one longer than the limit, is refused."""
    before = shop.events()
    for text in ("", " \n", "x" * 200_001):
        with pytest.raises(UsageError):
            save(scope_of(shop), Draft("t", text))
    assert shop.events() == before
    save(scope_of(shop), Draft("t", "x" * 200_000))


def test_too_many_wait(shop: World) -> None:
    """A fifth waiting text for a session is refused until one is delivered; others may get it."""
    shop.start(sid=OTHER)
    for at in range(4):
        queue(scope_of(shop), SID, Draft(str(at), f"text {at}"))
    with pytest.raises(UsageError, match="4 texts wait"):
        queue(scope_of(shop), SID, Draft("5", "x"))
    queue(scope_of(shop), OTHER, Draft("5", "x"))
    assert "text 2" in shop.prompt().context
    queue(scope_of(shop), SID, Draft("5", "x"))


def test_saved_and_sent_in_one(shop: World) -> None:
    """Both records have the pack's id, and the queued one is delivered."""
    name, seq = save(scope_of(shop), Draft("T", "words", ("a",), ("shop#1",)), SID)
    assert shop.one("pack.saved")["pack"] == shop.one("context.queued")["pack"] == name
    assert shop.one("context.queued")["seq"] == seq
    assert "words" in shop.prompt().context
    assert shop.one("context.injected")["reason"] == str(seq)


def test_a_secret_across_a_cut_is_redacted(shop: World) -> None:
    """A text is redacted before it is cut into records."""
    secret = "AKIA" + "IOSFODNN7EXAMPLE"
    text = "あ" * 2_995 + f" {secret} " + "い" * 3_000
    queue(scope_of(shop), SID, Draft("t", text))
    assert len(shop.events("context.queued")) > 1
    assert secret not in shop.prompt().context
    joined = "".join(event["text"] for event in shop.events("context.queued"))
    assert secret not in joined
    assert joined.startswith("あ" * 2_995)


def test_a_text_nobody_measured_is_cut_and_said(shop: World) -> None:
    """A text that another program queued is cut to the limit, and says so."""
    shop.append({"type": "context.queued", "to": SID, "text": '"' * 9_000, "title": "t"},
                {"type": "context.queued", "to": SID, "text": "next", "title": "t"})  # fmt: skip
    assert "[cut here by the journal]" in shop.prompt().context
    assert "next" in shop.prompt().context
    assert not shop.fold().states["queue"].waiting
