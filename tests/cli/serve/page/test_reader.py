"""The reader: one session and its parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.cli.serve.page.seed import PARQUET, ROUND

from .screen import expect, row

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.page


def test_a_click_opens_a_session(opened: Page) -> None:
    """It has the conversation, calls, compactions, files, decisions, and how to resume."""
    row(opened, ROUND).click()
    reader = opened.get_by_label("Session", exact=True).locator("visible=true").last
    reader.get_by_text("All 42 tests pass").wait_for()
    expect(row(opened, ROUND)).to_have_attribute("aria-current", "true")
    for part in ("2 prompts, 4 tool calls (1 failed), 1 compaction", "claude --resume 00000005",
                 "Compaction (automatic): 166k → 12k tokens", "Decided: cents are integers"):  # fmt: skip
        expect(reader.get_by_text(part).last).to_be_visible()
    expect(reader.get_by_text("at list prices")).to_be_visible()
    expect(reader.locator(".j-text code")).to_have_text("round()")
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
    expect(reader.get_by_text("Cannot be resumed: its transcript is deleted")).to_be_visible()


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
