"""From the page to the real client: a text sent to a live session is in its next request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.client import new_id
from tests.e2e.conftest import api, client, executable, logbook, tmux
from tests.e2e.terminal import Terminal

from .conftest import serving
from .screen import row, target

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.e2e.api import Api
    from tests.e2e.client import Client
    from tests.e2e.logbook import Logbook

__all__ = ["api", "client", "executable", "logbook", "tmux"]

pytestmark = [pytest.mark.page, pytest.mark.client]

BLOCK = "## Write the PAST-MARK price list ("


@pytest.mark.long
@pytest.mark.usefixtures("tmux")
def test_a_pack_arrives_once(
    client: Client, api: Api, logbook: Logbook, tab: Callable[..., Page]
) -> None:  # fmt: skip
    """A past session chosen in the page is in the next request of the recipient, once."""
    past = new_id()
    client.say("Write the PAST-MARK price list", past)
    with Terminal(client) as terminal:
        terminal.enter("a session of today")
        terminal.wait_for("Done.")
        assert BLOCK not in api.last.text  # an offer may mention that the session exists
        with serving(client.root, home=client.home / ".claude" / "journal", now="") as served:
            page = tab(served.address)
            row(page, "PAST-MARK").get_by_role("button").click()
            target(page, "a session of today")
            page.get_by_label("Title of the pack").fill("From the page")
            page.get_by_role("button", name="Send to session").click()
            page.get_by_role("dialog").get_by_role("button", name="Send").click()
            page.get_by_text("Queued “From the page”").wait_for()
            page.close()
        seen = len(api.talk)
        terminal.enter("go on")
        api.wait_for(seen + 1)
        for part in (BLOCK, "From the page", past):
            assert part in api.talk[seen].text, part
        terminal.wait_until(lambda: logbook.events("context.injected"), "the injection")
        seen = len(api.talk)
        terminal.enter("and on")
        api.wait_for(seen + 1)
        assert api.talk[seen].count(BLOCK) == 1
    (queued,) = logbook.events("context.queued")
    injected = [event for event in logbook.events("context.injected") if event["what"] == "pack"]
    assert [event["reason"] for event in injected] == [str(queued["seq"])]
