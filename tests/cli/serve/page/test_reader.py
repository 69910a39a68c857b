"""The reader: one session and its parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from journal.log.append import Writer

from .screen import expect, row
from .seed import LIVE, PARQUET, ROUND, SHOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from .conftest import Served

pytestmark = pytest.mark.page


def test_a_click_opens_a_session(opened: Page) -> None:
    """It has the conversation, calls, compactions, files, decisions, and how to resume.

    Its button adds it to the context area, or removes it from there.
    """
    row(opened, ROUND).click()
    reader = opened.get_by_label("Session", exact=True).locator("visible=true").last
    reader.get_by_text("All 42 tests pass").wait_for()
    expect(row(opened, ROUND)).to_have_attribute("aria-current", "true")
    for part in ("2 prompts, 4 tool calls (1 failed), 1 compaction", "claude --resume 00000005",
                 "Compaction (automatic): 166k → 12k tokens", "Decided: cents are integers"):  # fmt: skip
        expect(reader.get_by_text(part).last).to_be_visible()
    expect(reader.get_by_text("at list prices")).to_be_visible()
    expect(reader.locator(".j-text code")).to_have_text("round()")
    expect(reader.get_by_role("cell", name="<b onmouseover=")).to_be_visible()
    expect(row(opened, ROUND).locator(".j-weight")).to_have_text(
        re.compile(r"509k tokens · \$[0-9.]+")
    )
    reader.locator(".j-call summary").first.click()
    reader.get_by_text("shop/tax.py:18").wait_for()
    reader.locator(".j-part summary").first.click()
    reader.get_by_role("button", name="Compaction (automatic)").click()
    opened.wait_for_function("document.activeElement.classList.contains('j-compaction')")
    assert opened.evaluate("window.hacked") is None
    reader.get_by_role("button", name="Add to context").click()
    opened.locator(".j-item").filter(has_text="Round").wait_for()
    row(opened, PARQUET).click()
    reader.get_by_text("There is no transcript").wait_for()
    expect(reader.get_by_role("button", name="Add to context")).to_be_visible()
    row(opened, ROUND).click()
    reader.get_by_role("button", name="Remove from context").click()
    opened.locator(".j-item").filter(has_text="Round").wait_for(state="detached")
    row(opened, PARQUET).click()
    reader.get_by_text("There is no transcript").wait_for()
    expect(reader.get_by_text("Cannot be resumed: its transcript does not exist")).to_be_visible()


def test_a_compaction_can_be_visited_again(opened: Page) -> None:
    """Each press scrolls to the compaction, in the same session and when it was opened again."""
    reader = opened.get_by_label("Session", exact=True).locator("visible=true").last
    at_compaction = "document.activeElement.classList.contains('j-compaction')"
    for _ in range(2):
        row(opened, PARQUET).click()
        reader.get_by_text("There is no transcript").wait_for()
        row(opened, ROUND).click()
        reader.locator(".j-part summary").filter(has_text="1 compaction").click()
        for _ in range(2):
            reader.get_by_role("button", name="Compaction (automatic)").click()
            opened.wait_for_function(at_compaction)
            row(opened, ROUND).focus()
            opened.wait_for_function("!" + at_compaction)


def test_a_session_opened_again_has_no_call_open(opened: Page) -> None:
    """Its calls are closed, and what one holds is fetched once more."""
    row(opened, ROUND).click()
    reader = opened.get_by_label("Session", exact=True).locator("visible=true").last
    for _ in range(2):
        reader.locator(".j-call summary").first.click()
        reader.get_by_text("shop/tax.py:18").wait_for()
        row(opened, ROUND).click()
        reader.locator(".j-call[open]").wait_for(state="detached")


def test_copy_how_a_session_is_resumed(opened: Page) -> None:
    """The reader copies only the command, or says that it could not."""
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    row(opened, ROUND).click()
    copy = opened.locator(".j-resume").get_by_role("button", name="Copy")
    copy.click()
    opened.get_by_text("Copied.", exact=True).wait_for()
    copied = opened.evaluate("navigator.clipboard.readText()")
    assert copied == opened.locator(".j-resume code").text_content()
    assert "claude --resume 00000005" in copied
    opened.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    opened.evaluate("() => { document.execCommand = () => false; }")
    copy.click()
    opened.get_by_text("did not allow copying").wait_for()


def test_the_address_names_the_open_session(tab: Callable[..., Page], served: Served) -> None:
    """On a phone Back returns to the list; forward, and a reload, open the session again."""
    page = tab(served.address, viewport={"width": 360, "height": 740})
    answer = page.get_by_text("All 42 tests pass")
    row(page, ROUND).click()
    answer.wait_for()
    page.wait_for_url("**/?session=shop-*")
    page.go_back()
    expect(page.locator(".j-list")).to_be_visible()
    assert page.url == served.url
    page.go_forward()
    answer.wait_for()
    page.reload()
    answer.wait_for()
    page.get_by_role("button", name="← Sessions").click()
    page.wait_for_url(served.url)
    page.goto(f"{served.url}?session=nobody%2F0")
    page.get_by_text("no session matches").wait_for()


def test_what_a_live_session_adds_appears(opened: Page, served: Served) -> None:
    """The reader and the list follow an open session; what the person has unfolded stays so."""
    title = "Write the discount rules"
    row(opened, title).click()
    opened.locator(".j-part summary").filter(has_text="2 compactions").click()
    with Writer(str(served.home / SHOP), "2026-11-21T14:50:00.000Z", sync="none") as writer:
        body = {"v": 1, "sid": LIVE, "key": ""}
        writer.append(
            {"type": "tool.finished", **body, "tool": "Edit", "target": "vat.py", "changed": True},
            {"type": "turn.ended", **body, "message": "The fresh answer."},
        )
    opened.locator(".j-reading").get_by_text("The fresh answer.").wait_for()
    expect(row(opened, title).get_by_text("2 files")).to_be_visible()
    expect(opened.locator(".j-part summary").filter(has_text="2 changed files")).to_be_visible()


def test_the_list_stays_beside_a_long_conversation(opened: Page) -> None:
    """However far the person reads, the next session and the context area are in the window."""
    opened.set_viewport_size({"width": 1280, "height": 420})
    row(opened, ROUND).click()
    answer = opened.get_by_text("All 42 tests pass")
    answer.scroll_into_view_if_needed()
    assert opened.evaluate("window.scrollY") > 0
    for pane in (".j-list", ".j-pack"):
        box = opened.locator(pane).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 420
