"""What the page writes: saved and sent packs, who may do it, and live updates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from journal.log.append import Writer

from .conftest import ready, serving
from .screen import add, expect, row, search, target
from .seed import EDITOR, SHOP, SILENT, seed, sid

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

    from .conftest import Served

pytestmark = pytest.mark.page

COUNT = re.compile("^[0-9]+ sessions? found$")
FRESH = "新しい作業を始める <img src=x onerror=\"window.hacked='live'\">"
ROUND, PARQUET = "Round the totals", "Migrate the exporter"
LATE = """
import os, sys, time
from cli.serve.data import index
from cli.serve.data.service import Service
index._FRESH = 0
sessions, live, listed = Service.sessions, Service.live, []
def list_sessions(self, *words, **named):
    listed.append(1)
    return sessions(self, *words, **named)
def list_live(self):
    while listed and not os.path.exists({path!r}):
        time.sleep(0.01)
    return live(self)
Service.sessions, Service.live = list_sessions, list_live
from cli.app import run
sys.exit(run(sys.argv[1:]))
"""
"""A server that, once it has listed the sessions, reads the live ones only when a file is there."""


def test_save_a_pack(opened: Page, served: Served) -> None:
    """A pack is an event with its title, its sessions in order, and its sources."""
    add(opened, PARQUET, ROUND)
    opened.get_by_label("Title of the pack").fill("For the cart")
    opened.get_by_role("button", name="Save as a pack").click()
    opened.get_by_text("Saved the pack “For the cart” (2 sessions)").wait_for()
    packs = [
        event for event in served.events(SHOP, "pack.saved") if event["title"] == "For the cart"
    ]
    assert [event["sids"] for event in packs] == [[sid(6), sid(5)]]
    assert "cents are integers" in packs[0]["text"]


def test_send_to_a_live_session(opened: Page, served: Served) -> None:
    """The page asks first: no queues nothing, yes queues one text for that session."""
    add(opened, ROUND)
    sent = opened.get_by_role("button", name="Send to session")
    expect(sent).to_be_disabled()
    target(opened, "Read the release")
    opened.get_by_label("Title of the pack").fill("Rounding")
    before = len(served.events(SHOP, "context.queued"))
    sent.click()
    dialog = opened.get_by_role("dialog")
    dialog.get_by_text("given once to the session “Read the release notes” in shop").wait_for()
    dialog.get_by_text("next prompt, or when it recovers").wait_for()
    opened.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    opened.wait_for_function(
        "document.activeElement.closest('button')?.innerText === 'Send to session'"
    )
    sent.click()
    dialog.get_by_role("button", name="Cancel").click()
    dialog.wait_for(state="detached")
    assert len(served.events(SHOP, "context.queued")) == before
    sent.click()
    opened.get_by_role("dialog").get_by_role("button", name="Send").click()
    opened.get_by_text("Queued “Rounding”").wait_for()
    queued = served.events(SHOP, "context.queued")[before:]
    assert [(event["to"], event["title"]) for event in queued] == [(SILENT, "Rounding")]
    assert "cents are integers" in queued[0]["text"]
    assert any(source.startswith(f"{SHOP}#") for source in queued[0]["sources"])


def test_what_is_too_long_is_not_sent(opened: Page) -> None:
    """A pack over the injection limit can be saved, not sent, and the page says what to do."""
    target(opened, "Read the release")
    search(opened, "weekly report")
    opened.get_by_text(COUNT).wait_for()
    add(opened, "Weekly report 0", "Weekly report 1")
    sent = opened.get_by_role("button", name="Send to session")
    opened.wait_for_function("!document.querySelector('.is-main').disabled")
    expect(sent).to_be_enabled()
    add(opened, *(f"Weekly report {number}" for number in (2, 3, 4)))
    opened.get_by_text("Too long to be sent at once").wait_for()
    expect(sent).to_be_disabled()
    expect(opened.get_by_role("button", name="Save as a pack")).to_be_enabled()
    opened.get_by_role("button", name="Remove: Weekly report 0").click()
    opened.get_by_text("Too long to be sent at once").wait_for(state="hidden")
    expect(sent).to_be_enabled()


def test_without_the_token_one_may_look(tab: Callable[..., Page], served: Served) -> None:
    """Everything can be read and copied; nothing can be saved or sent, and the page says why."""
    page = tab(served.url)
    page.get_by_text("Read only").wait_for()
    add(page, ROUND)
    target(page, "Write the discount")
    page.get_by_text("left until compaction").wait_for()
    expect(page.get_by_role("button", name="Save as a pack")).to_be_disabled()
    expect(page.get_by_role("button", name="Send to session")).to_be_disabled()
    expect(page.get_by_role("button", name="Copy")).to_be_enabled()


SAVE = """() => {
  const found = Object.entries(mounted_app.elements);
  const [id, button] = found.find(([, element]) => element.props?.label === 'Save as a pack');
  const { listener_id } = button.events.find((event) => event.type === 'click');
  const message = { id: Number(id), client_id: window.clientId, listener_id, args: [] };
  window.socket.emit('event', message);
}"""
"""A click on the button as the server receives it, even if the browser disables the button."""


@pytest.mark.parametrize("token", [True, False], ids=["with-the-token", "without"])
def test_a_made_up_click_needs_the_token(
    tab: Callable[..., Page], served: Served, token: bool
) -> None:
    """A click sent by a script writes only if the page has the token."""
    page = tab(served.address if token else served.url)
    before = len(served.events(SHOP, "pack.saved"))
    add(page, ROUND)
    page.wait_for_function("!!document.querySelector('.j-preview pre').textContent")
    page.evaluate(SAVE)
    if token:
        page.get_by_text("Saved the pack").wait_for()
    add(page, PARQUET)  # answered after it
    assert len(served.events(SHOP, "pack.saved")) - before == token


def test_the_token_is_kept_by_the_tab_and_not_in_its_address(
    tab: Callable[..., Page], served: Served
) -> None:
    """The address shows no token once the page is open; a reload can still write."""
    page = tab(served.address)
    assert page.url == served.url
    page.reload()
    ready(page)
    add(page, ROUND)
    expect(page.get_by_role("button", name="Save as a pack")).to_be_enabled()
    expect(page.get_by_text("Read only")).to_be_hidden()


def test_a_session_that_begins_appears(opened: Page, served: Served) -> None:
    """A session that starts while the page is open appears and can be sent to."""
    fresh = "f4e50000-b528-49db-9cf4-000000000009"
    with Writer(str(served.home / EDITOR), "2026-11-20T08:00:00.000Z", sync="none") as writer:
        writer.append(
            {"type": "session.started", "v": 1, "sid": fresh, "source": "startup"},
            {"type": "prompt.submitted", "v": 1, "sid": fresh, "text": FRESH},
        )
    opened.get_by_text("18 sessions").wait_for()
    target(opened, "新しい作業")
    opened.locator(".q-field").filter(has_text="新しい作業").wait_for()
    with Writer(str(served.home / EDITOR), "2026-11-20T08:00:00.000Z", sync="none") as writer:
        writer.append({"type": "session.ended", "v": 1, "sid": fresh, "reason": "other"})
    opened.locator(".q-field").filter(has_text="新しい作業").wait_for(state="detached")
    assert opened.evaluate("window.hacked") is None


def test_a_session_that_begins_while_the_page_opens_appears(
    tab: Callable[..., Page], tmp_path: Path
) -> None:
    """A session that starts between the first list and the first look at the live ones is not lost."""
    seed(tmp_path / "journal")
    done = tmp_path / "done"
    with serving(tmp_path, program=("-c", LATE.format(path=str(done)))) as late:
        page = tab(late.address)
        page.get_by_text("17 sessions").wait_for()
        with Writer(str(late.home / EDITOR), "2026-11-20T08:00:00.000Z", sync="none") as writer:
            writer.append({"type": "session.started", "v": 1, "sid": sid(99), "source": "startup"})
        done.touch()
        page.get_by_text("18 sessions").wait_for()
        page.close()


def test_a_closed_group_of_hits_stays_closed_when_the_list_changes(
    opened: Page, served: Served
) -> None:
    """The same search, repeated because a session began, leaves groups as they are; another opens them."""
    opened.get_by_label("Search sessions").fill("round totals")  # typed, it can be two searches
    opened.get_by_text(COUNT).wait_for()
    hits = opened.locator(".j-row.is-session")
    shop = opened.locator(".j-row.is-group").filter(has_text="shop")
    row(opened, ROUND).wait_for()
    shop.click()
    expect(shop).to_have_attribute("aria-expanded", "false")
    with Writer(str(served.home / EDITOR), "2026-11-20T09:00:00.000Z", sync="none") as writer:
        sid = "f4e50000-b528-49db-9cf4-00000000000a"
        writer.append(
            {"type": "session.started", "v": 1, "sid": sid, "source": "startup"},
            {"type": "prompt.submitted", "v": 1, "sid": sid, "text": "Round all totals again"},
        )
    hits.filter(has_text="Round all totals again").wait_for()
    expect(shop).to_have_attribute("aria-expanded", "false")
    search(opened, "totals cents")
    row(opened, ROUND).wait_for()
