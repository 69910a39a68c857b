"""The page in a real browser: finding, choosing, ordering, saving and sending sessions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from .conftest import ready
from .screen import add, chosen, focused, group, row, search, target, titles
from .seed import EDITOR, HOSTILE, SHOP, SILENT, sid

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from .conftest import Served

pytestmark = pytest.mark.page

COUNT = re.compile("^[0-9]+ sessions? found$")
FRESH = "新しい作業を始める <img src=x onerror=\"window.hacked='live'\">"
ROUND, PARQUET = "Round the totals", "Migrate the exporter"


def test_tree_by_project_and_day(opened: Page) -> None:
    """The newest project is open; another opens and closes with a click on it, a day likewise."""
    assert opened.locator(".j-row[aria-level='1'] .j-name").all_inner_texts() == [
        "shop", "エディタ", "market",
    ]  # fmt: skip
    assert row(opened, ROUND).is_visible()
    assert row(opened, "カート").count() == 0
    group(opened, "エディタ").click()
    group(opened, "2026-11-20").last.click()
    row(opened, "カート").wait_for()
    group(opened, "エディタ").click()
    row(opened, "カート").wait_for(state="detached")
    assert row(opened, ROUND).is_visible()


@pytest.mark.parametrize(
    "words, title",
    [
        pytest.param("round totals", "Round the totals of the cart to cents", id="english"),
        pytest.param("索引", "検索の索引を作り直す", id="japanese-two-characters"),
        pytest.param("반올", "장바구니 합계 반올림 오류 수정", id="korean-two-characters"),
        pytest.param("below zero", "Write the discount rules", id="by-decision"),
    ],
)
def test_search_as_one_types(opened: Page, words: str, title: str) -> None:
    """What is typed is looked for at once, in all projects, and the matches are marked."""
    search(opened, words)
    row(opened, title).first.wait_for()
    opened.get_by_text(COUNT).wait_for()
    assert opened.locator(".j-row.is-session mark").first.is_visible()
    opened.get_by_label("Search sessions").fill("")
    row(opened, PARQUET).wait_for()


def test_nothing_found_is_said(opened: Page) -> None:
    """A search without a hit says so in a sentence, and the tree is gone."""
    search(opened, "zebra crossing")
    opened.get_by_text("Nothing is found").wait_for()
    assert titles(opened) == []


def test_status_filter(opened: Page) -> None:
    """Only open sessions, or only completed ones; a search keeps to it."""
    assert row(opened, PARQUET).is_visible()
    opened.get_by_label("Status").click()
    opened.locator(".q-menu .q-item").filter(has_text="Open").click()
    row(opened, PARQUET).wait_for(state="detached")
    assert titles(opened) == ["Write the discount rules", "Read the release notes"]
    search(opened, "cart")
    opened.get_by_text(COUNT).wait_for()
    assert row(opened, ROUND).count() == 0


def test_drag_from_the_tree_and_within(opened: Page) -> None:
    """A session is dragged into the context area, to a place in it, and from place to place."""
    tray = opened.locator(".j-tray")
    row(opened, ROUND).drag_to(tray)
    opened.locator(".j-item").nth(0).wait_for()
    row(opened, PARQUET).drag_to(tray)
    opened.locator(".j-item").nth(1).wait_for()
    row(opened, "Read the release").drag_to(opened.locator(".j-item").nth(1),
                                          target_position={"x": 60, "y": 3})  # fmt: skip
    opened.locator(".j-item").nth(2).wait_for()
    first = [title.split()[0] for title in chosen(opened)]
    assert first == ["Round", "Read", "Migrate"]
    assert row(opened, ROUND).is_visible()
    opened.locator(".j-item").nth(2).drag_to(opened.locator(".j-item").nth(0),
                                           target_position={"x": 60, "y": 3})  # fmt: skip
    opened.locator(".j-item").nth(0).filter(has_text="Migrate").wait_for()
    assert [title.split()[0] for title in chosen(opened)] == ["Migrate", "Round", "Read"]


def test_a_drop_of_something_else_changes_nothing(opened: Page) -> None:
    """A key that was not shown, and text from elsewhere, are no sessions."""
    drop = """(type) => {
      const data = new DataTransfer(); data.setData(type, 'nobody/nothing');
      const tray = document.querySelector('.j-tray');
      for (const name of ['dragover', 'drop'])
        tray.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    opened.evaluate(drop, "text/plain")
    opened.evaluate(drop, "application/x-journal")
    add(opened, ROUND)
    assert len(chosen(opened)) == 1


def test_by_keyboard_alone(opened: Page) -> None:
    """From the top of the page: skip, move in the tree, add, order, remove, without a mouse."""
    opened.keyboard.press("Tab")
    assert focused(opened).startswith("Skip to")
    opened.keyboard.press("Enter")
    opened.keyboard.press("Tab")
    assert opened.evaluate("document.activeElement.type") == "search"
    for _ in range(6):
        opened.keyboard.press("Tab")
        if opened.evaluate("document.activeElement.getAttribute('role')") == "treeitem":
            break
    assert focused(opened) == "shop, 8 sessions"
    for _ in range(3):
        opened.keyboard.press("ArrowDown")
    assert focused(opened).startswith("Read the release notes")
    outline = opened.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    opened.keyboard.press("Enter")
    opened.locator(".j-item").nth(0).wait_for()
    opened.keyboard.press("ArrowUp")
    opened.keyboard.press("Space")
    opened.locator(".j-item").nth(1).wait_for()
    assert focused(opened).startswith("Write the discount rules")
    opened.keyboard.press("ArrowLeft")
    assert focused(opened).startswith("2026-11-21")
    opened.keyboard.press("ArrowLeft")
    row(opened, "Read the release").wait_for(state="detached")
    opened.keyboard.press("ArrowRight")
    row(opened, "Read the release").wait_for()
    opened.locator(".j-item").nth(1).focus()
    opened.keyboard.press("Alt+ArrowUp")
    opened.locator(".j-item").nth(0).filter(has_text="Write").wait_for()
    assert focused(opened) == "1 of 2: Write the discount rules"
    opened.keyboard.press("Delete")
    opened.locator(".j-item").filter(has_text="Write").wait_for(state="detached")
    assert focused(opened) == "1 of 1: Read the release notes"
    opened.keyboard.press("Delete")
    opened.get_by_text("Drag sessions here").wait_for()


def test_buttons_order_and_remove(opened: Page) -> None:
    """Up, down and remove; the focus stays on what was pressed, the ends stay where they are."""
    add(opened, ROUND, PARQUET)
    opened.get_by_role("button", name="Move down: Round").click()
    opened.locator(".j-item").nth(0).filter(has_text="Migrate").wait_for()
    assert focused(opened).startswith("Move down: Round")
    opened.keyboard.press("Enter")  # at the end: stays there
    opened.get_by_role("button", name="Move up: Round").click()
    opened.locator(".j-item").nth(0).filter(has_text="Round").wait_for()
    opened.get_by_role("button", name="Remove: Round").click()
    opened.locator(".j-item").filter(has_text="Round").wait_for(state="detached")
    assert [title.split()[0] for title in chosen(opened)] == ["Migrate"]
    assert row(opened, ROUND).get_attribute("aria-selected") == "false"
    opened.get_by_role("button", name="Clear").click()
    opened.get_by_text("Drag sessions here").wait_for()


def test_preview_in_the_chosen_order(opened: Page) -> None:
    """The preview is the Markdown of what is chosen, in that order."""
    add(opened, ROUND, PARQUET)
    opened.locator("summary").click()
    text = opened.locator(".j-preview pre")
    text.get_by_text(PARQUET).wait_for()
    told = text.inner_text()
    assert told.index(ROUND) < told.index(PARQUET)
    assert "cents are integers" in told


def test_hostile_titles_stay_text(opened: Page) -> None:
    """Markup, script ends and template braces are shown as they are, everywhere, and do nothing."""
    shown = [title for title in titles(opened) if "window.hacked" in title]
    assert len(shown) == len(HOSTILE)
    add(opened, *(title[:20] for title in shown))
    opened.locator("summary").click()
    opened.locator(".j-preview pre").get_by_text("window.hacked").wait_for()
    search(opened, "hacked")
    opened.get_by_text(COUNT).wait_for()
    opened.get_by_role("button", name="Save as a pack").click()
    opened.get_by_text("Saved the pack").wait_for()
    opened.get_by_role("tab", name="Pressure").click()
    opened.get_by_label("Session", exact=True).click()
    opened.locator(".q-menu .q-item").filter(has_text="<img src=x").click()
    opened.get_by_text("4 readings").wait_for()
    assert opened.evaluate("window.hacked") is None
    assert opened.locator("img").count() == 0


def test_copy(opened: Page) -> None:
    """The Markdown is on the clipboard, and the page says so."""
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    add(opened, ROUND)
    opened.get_by_role("button", name="Copy").click()
    opened.get_by_text("Copied the Markdown of 1 session").wait_for()
    copied = opened.evaluate("navigator.clipboard.readText()")
    assert copied == opened.locator(".j-preview pre").text_content()
    assert "Round the totals" in copied


def test_copy_where_the_browser_does_not_let(opened: Page) -> None:
    """Without the clipboard it is copied the old way; without that the page says what to do."""
    add(opened, ROUND)
    opened.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    opened.get_by_role("button", name="Copy").click()
    opened.get_by_text("Copied the Markdown").wait_for()
    opened.evaluate("() => { document.execCommand = () => false; }")
    opened.get_by_role("button", name="Copy").click()
    opened.get_by_text("did not allow copying").wait_for()


def test_meter(opened: Page) -> None:
    """Known, unknown and not chosen are three things, and the weight follows what is chosen."""
    add(opened, ROUND)
    opened.get_by_text("no live session is chosen").wait_for()
    target(opened, "Read the release")
    opened.get_by_text("what the session has left is unknown").wait_for()
    assert opened.get_by_role("meter").get_attribute("aria-valuenow") is None
    target(opened, "Write the discount")
    opened.get_by_text("left before the next compaction").wait_for()
    before = opened.get_by_role("meter").get_attribute("aria-valuetext")
    add(opened, PARQUET)
    opened.wait_for_function(
        "(old) => document.querySelector('[role=meter]').getAttribute('aria-valuetext') !== old",
        arg=before,
    )


def test_save_a_pack(opened: Page, served: Served) -> None:
    """A pack is an event of the journal: its title, its sessions in order, its sources."""
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
    """What will happen is asked first; a no queues nothing, a yes queues one text for that session."""
    add(opened, ROUND)
    sent = opened.get_by_role("button", name="Send to session")
    assert sent.is_disabled()
    target(opened, "Read the release")
    opened.get_by_label("Title of the pack").fill("Rounding")
    before = len(served.events(SHOP, "context.queued"))
    sent.click()
    dialog = opened.get_by_role("dialog")
    dialog.get_by_text("given once to the session “Read the release notes” in shop").wait_for()
    dialog.get_by_text("next prompt, or when it recovers").wait_for()
    opened.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    back = opened.evaluate("document.activeElement.closest('button')?.innerText")
    assert back == "Send to session"
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
    """More than one injection holds can be saved, not sent, and the page says what to do."""
    target(opened, "Read the release")
    search(opened, "weekly report")
    opened.get_by_text(COUNT).wait_for()
    add(opened, "Weekly report 0", "Weekly report 1")
    sent = opened.get_by_role("button", name="Send to session")
    opened.wait_for_function("!document.querySelector('.is-main').disabled")
    assert sent.is_enabled()
    add(opened, *(f"Weekly report {number}" for number in (2, 3, 4)))
    opened.get_by_text("Too long to be sent at once").wait_for()
    assert sent.is_disabled()
    assert opened.get_by_role("button", name="Save as a pack").is_enabled()
    opened.get_by_role("button", name="Remove: Weekly report 0").click()
    opened.get_by_text("Too long to be sent at once").wait_for(state="hidden")
    assert sent.is_enabled()


def test_without_the_token_one_may_look(tab: Callable[..., Page], served: Served) -> None:
    """Everything is shown and can be copied; nothing can be saved or sent, and the page says why."""
    page = tab(served.url)
    page.get_by_text("Read only").wait_for()
    add(page, ROUND)
    target(page, "Write the discount")
    page.get_by_text("left before the next compaction").wait_for()
    assert page.get_by_role("button", name="Save as a pack").is_disabled()
    assert page.get_by_role("button", name="Send to session").is_disabled()
    assert page.get_by_role("button", name="Copy").is_enabled()


def test_the_token_is_kept_by_the_tab_and_not_in_its_address(
    tab: Callable[..., Page], served: Served
) -> None:
    """After the page has opened, the address shows no token; a reload still may write."""
    page = tab(served.address)
    assert page.url == served.url
    page.reload()
    ready(page)
    add(page, ROUND)
    assert page.get_by_role("button", name="Save as a pack").is_enabled()
    assert page.get_by_text("Read only").count() == 0 or page.get_by_text("Read only").is_hidden()


def test_a_session_that_begins_appears(opened: Page, served: Served) -> None:
    """A session that starts while the page is open is in the tree and can be sent to."""
    from journal.log.append import Writer

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
