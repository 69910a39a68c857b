"""`journal pack`: the page's actions on sessions, from a shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import workspace as workspace  # noqa: PLC0414 (a fixture)
from tests.cli.past.test_search import SID, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.conftest import Workspace

OPEN = SID[:-1] + "9"


@pytest.fixture
def shop(workspace: Workspace) -> Iterator[Workspace]:
    """Two completed sessions and an open one."""
    recorded(workspace, SID, "fix the login redirect")
    workspace.at(60)
    recorded(workspace, SID[:-1] + "2", "write the price list")
    workspace.at(120)
    recorded(workspace, OPEN, "what did we do?", over=False)
    return workspace


def test_a_pack_is_made_listed_and_sent(shop: Workspace) -> None:
    """A saved pack is listed; a sent one is in the session's next prompt, once."""
    made = shop.journal(
        "pack", "make", "last", "2", "--title", "Two days", "--note", "Read this.", "--json"
    ).data
    assert made["title"] == "Two days"
    (listed,) = shop.journal("pack", "list", "--json").data
    assert (listed["pack"], listed["sessions"]) == (made["pack"], [SID[:-1] + "2", SID])
    assert "Two days" in shop.journal("pack", "list").out
    sent = shop.journal("pack", "send", made["pack"][:6], OPEN)
    assert sent.code == 0
    assert "next prompt or recovery" in " ".join(sent.out.split())
    answer = shop.hook("UserPromptSubmit", OPEN, prompt="go on")
    assert "Read this." in answer
    assert "fix the login redirect" in answer
    assert "Read this." not in shop.hook("UserPromptSubmit", OPEN, prompt="and on")


def test_made_and_sent_at_once(shop: Workspace) -> None:
    """--send-to queues the saved pack; --dry-run prints the text and writes nothing."""
    before = shop.segment.read_bytes()
    shown = shop.journal("pack", "make", "1", "--send-to", OPEN, "--dry-run")
    assert "write the price list" in shown.out
    assert shop.segment.read_bytes() == before
    assert shop.journal("pack", "make", "1", "--send-to", OPEN).code == 0
    assert "write the price list" in shop.hook("UserPromptSubmit", OPEN, prompt="go on")


BAD = {
    "no selector": (("make",), "SELECTOR"),
    "words": (("make", "price", "list"), "no session matches"),
    "slip": (("make", "1-"), "ambiguous"),
    "no such pack": (("send", "abc", OPEN), "no pack"),
    "no such session": (("make", "1", "--send-to", "nobody"), "no session matches"),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD.keys())
def test_bad_input_writes_nothing(shop: Workspace, case: tuple[tuple[str, ...], str]) -> None:
    """It is refused with what to do, and the journal is unchanged."""
    words, part = case
    before = shop.segment.read_bytes()
    result = shop.journal("pack", *words)
    assert result.code == 2
    assert part in result.err
    assert shop.segment.read_bytes() == before


def test_no_pack_yet(shop: Workspace) -> None:
    """An empty list says how to make one."""
    assert "journal pack make" in shop.journal("pack", "list").out
    assert shop.journal("pack", "list", "--json").data == []
