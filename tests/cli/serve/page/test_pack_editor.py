"""The context area: choosing, ordering, copying, cost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.serve.page.seed import PARQUET, ROUND

from .screen import add, chosen, expect, row, search, target, titles, wait_focus
from .seed import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.page

COUNT = re.compile("^[0-9]+ sessions? found$")


def test_the_whole_panel_takes_a_drop(opened: Page) -> None:
    """A session dropped anywhere on the panel is added at the end."""
    row(opened, ROUND).drag_to(opened.get_by_label("Title of the pack"))
    opened.locator(".j-item").nth(0).wait_for()
    row(opened, PARQUET).drag_to(opened.get_by_role("heading", name="Context area"))
    opened.locator(".j-item").nth(1).wait_for()
    assert [title.split()[0] for title in chosen(opened)] == ["Round", "Migrate"]


def test_drag_from_the_tree_and_within(opened: Page) -> None:
    """A session can be dragged into the context area, to a place in it, and moved within it."""
    tray = opened.locator(".j-selection")
    row(opened, ROUND).drag_to(tray)
    opened.locator(".j-item").nth(0).wait_for()
    row(opened, PARQUET).drag_to(opened.get_by_role("heading", name="Context area"))
    opened.locator(".j-item").nth(1).wait_for()
    row(opened, "Read the release").drag_to(opened.locator(".j-item").nth(1),
                                          target_position={"x": 60, "y": 3})  # fmt: skip
    opened.locator(".j-item").nth(2).wait_for()
    first = [title.split()[0] for title in chosen(opened)]
    assert first == ["Round", "Read", "Migrate"]
    expect(row(opened, ROUND)).to_be_visible()
    opened.locator(".j-item").nth(2).drag_to(opened.locator(".j-item").nth(0),
                                           target_position={"x": 60, "y": 3})  # fmt: skip
    opened.locator(".j-item").nth(0).filter(has_text="Migrate").wait_for()
    assert [title.split()[0] for title in chosen(opened)] == ["Migrate", "Round", "Read"]


def test_a_drop_of_something_else_changes_nothing(opened: Page) -> None:
    """An unknown key, and text from elsewhere, are not sessions."""
    drop = """(type) => {
      const data = new DataTransfer(); data.setData(type, 'nobody/nothing');
      const tray = document.querySelector('.j-selection');
      for (const name of ['dragover', 'drop'])
        tray.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    opened.evaluate(drop, "text/plain")
    opened.evaluate(drop, "application/x-journal")
    add(opened, ROUND)
    assert len(chosen(opened)) == 1


def test_by_keyboard_alone(opened: Page) -> None:
    """The whole page works without a mouse: skip, move in the tree, add, order, remove."""
    opened.keyboard.press("Tab")
    wait_focus(opened, "Skip to")
    opened.keyboard.press("Enter")
    opened.keyboard.press("Tab")
    assert opened.evaluate("document.activeElement.type") == "search"
    for _ in range(8):
        opened.keyboard.press("Tab")
        if opened.evaluate("document.activeElement.getAttribute('role')") == "treeitem":
            break
    wait_focus(opened, "Saturday, 2026-11-21, 2 sessions")
    for _ in range(2):
        opened.keyboard.press("ArrowDown")
    wait_focus(opened, "Read the release notes")
    outline = opened.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    opened.keyboard.press("Enter")
    opened.get_by_role("heading", name="Read the release notes").wait_for()
    opened.keyboard.press("Space")
    opened.locator(".j-item").nth(0).wait_for()
    opened.keyboard.press("ArrowUp")
    opened.keyboard.press("Space")
    opened.locator(".j-item").nth(1).wait_for()
    wait_focus(opened, "Write the discount rules")
    opened.keyboard.press("ArrowLeft")
    wait_focus(opened, "Saturday, 2026-11-21")
    opened.keyboard.press("ArrowLeft")
    row(opened, "Read the release").wait_for(state="detached")
    opened.keyboard.press("ArrowRight")
    row(opened, "Read the release").wait_for()
    opened.locator(".j-item").nth(1).focus()
    opened.keyboard.press("Alt+ArrowUp")
    opened.locator(".j-item").nth(0).filter(has_text="Write").wait_for()
    wait_focus(opened, "1 of 2: Write the discount rules")
    opened.keyboard.press("Delete")
    opened.locator(".j-item").filter(has_text="Write").wait_for(state="detached")
    wait_focus(opened, "1 of 1: Read the release notes")
    opened.keyboard.press("Delete")
    opened.get_by_text("Drag sessions here").wait_for()


def test_the_focus_stays_when_keys_outrun_the_server(opened: Page) -> None:
    """Moved and removed before the first answer came: the focus is on what took its place."""
    add(opened, ROUND, PARQUET, "Read the release")
    opened.locator(".j-item").nth(1).focus()
    for key in ("Alt+ArrowDown", "Alt+ArrowUp", "Alt+ArrowUp", "Delete"):
        opened.keyboard.press(key)
    opened.locator(".j-item").filter(has_text="Migrate").wait_for(state="detached")
    opened.get_by_text("2 sessions chosen").wait_for(state="attached")
    wait_focus(opened, "1 of 2: Round")


def test_buttons_order_and_remove(opened: Page) -> None:
    """The focus stays on the pressed button; the first and last session stay at the ends."""
    add(opened, ROUND, PARQUET)
    opened.get_by_role("button", name="Move down: Round").click()
    opened.locator(".j-item").nth(0).filter(has_text="Migrate").wait_for()
    wait_focus(opened, "Move down: Round")
    opened.keyboard.press("Enter")  # at the end: stays there
    opened.get_by_role("button", name="Move up: Round").click()
    opened.locator(".j-item").nth(0).filter(has_text="Round").wait_for()
    opened.get_by_role("button", name="Remove: Round").click()
    opened.locator(".j-item").filter(has_text="Round").wait_for(state="detached")
    assert [title.split()[0] for title in chosen(opened)] == ["Migrate"]
    expect(row(opened, ROUND)).to_have_attribute("aria-selected", "false")
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


def test_what_is_chosen_stays_above_the_preview(opened: Page) -> None:
    """In a low window the context area scrolls; none of its parts covers another."""
    opened.set_viewport_size({"width": 1280, "height": 600})
    add(opened, "Round the totals", "Migrate the exporter")
    opened.locator(".j-preview summary").click()
    opened.locator(".j-preview pre").wait_for()
    ends = "() => ['.j-item:last-child', '.j-preview'].map((one) => document.querySelector(one).getBoundingClientRect())"
    item, preview = opened.evaluate(ends)
    assert item["bottom"] <= preview["top"]


def test_hostile_titles_stay_text(opened: Page) -> None:
    """Markup, script ends and template braces are shown as text everywhere."""
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
    opened.get_by_role("combobox", name="Session", exact=True).click()
    opened.locator(".q-menu .q-item").filter(has_text="<img src=x").click()
    opened.get_by_text("4 readings").wait_for()
    assert opened.evaluate("window.hacked") is None
    assert opened.locator("img").count() == 0


def test_copy(opened: Page) -> None:
    """The Markdown is in the clipboard, and the page says so."""
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    add(opened, ROUND)
    opened.get_by_role("button", name="Copy").click()
    opened.get_by_text("Copied the Markdown of 1 session").wait_for()
    copied = opened.evaluate("navigator.clipboard.readText()")
    assert copied == opened.locator(".j-preview pre").text_content()
    assert "Round the totals" in copied


def test_copy_where_the_browser_does_not_let(opened: Page) -> None:
    """Without the clipboard API the old way is used; if that fails the page says what to do."""
    add(opened, ROUND)
    opened.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    opened.get_by_role("button", name="Copy").click()
    opened.get_by_text("Copied the Markdown").wait_for()
    opened.evaluate("() => { document.execCommand = () => false; }")
    opened.get_by_role("button", name="Copy").click()
    opened.get_by_text("did not allow copying").wait_for()


def test_cost(opened: Page) -> None:
    """Known, unknown and not chosen are distinct, and the size follows the choice."""
    add(opened, ROUND)
    opened.get_by_text("no live session is chosen").wait_for()
    target(opened, "Read the release")
    opened.get_by_text("what the session has left is unknown").wait_for()
    expect(opened.get_by_role("meter")).not_to_have_attribute("aria-valuenow", re.compile(""))
    target(opened, "Write the discount")
    opened.get_by_text("left until compaction").wait_for()
    before = opened.get_by_role("meter").get_attribute("aria-valuetext")
    add(opened, PARQUET)
    opened.wait_for_function(
        "(old) => document.querySelector('[role=meter]').getAttribute('aria-valuetext') !== old",
        arg=before,
    )
