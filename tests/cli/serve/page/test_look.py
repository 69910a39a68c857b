"""The look of the page: charts, light and dark, small, empty; and its error messages."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from .conftest import Watch, ready, serving
from .screen import add, expect, faint, overflow, row, search, target, wait_dark
from .seed import MARKET, seed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from .conftest import Served

pytestmark = pytest.mark.page


def test_dark_follows_the_system_and_the_switch(tab: Callable[..., Page], served: Served) -> None:
    """Auto follows the system and its changes; a choice overrides it and survives a reload."""
    page = tab(served.address, color_scheme="dark")
    wait_dark(page)
    page.emulate_media(color_scheme="light")
    wait_dark(page, dark=False)
    page.get_by_role("button", name="Theme: system").click()
    page.get_by_role("button", name="Theme: light").click()
    page.get_by_role("button", name="Theme: dark").wait_for()
    wait_dark(page)
    page.reload()
    page.get_by_role("button", name="Theme: dark").wait_for()
    wait_dark(page)


def test_charts_take_the_colours_of_the_theme(tab: Callable[..., Page], served: Served) -> None:
    """A chart's text is light on dark, and dark on light after the system changed."""
    page = tab(served.address, color_scheme="dark")
    page.get_by_role("tab", name="Pressure").click()
    label = page.locator(".j-chart svg text").first
    label.wait_for()
    colour = "(label) => getComputedStyle(label).fill"
    dark = label.evaluate(colour)
    page.emulate_media(color_scheme="light")
    wait_dark(page, dark=False)
    assert (dark, label.evaluate(colour)) == ("rgb(163, 173, 186)", "rgb(87, 96, 108)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(tab: Callable[..., Page], served: Served, scheme: str) -> None:
    """No text that can be used or read has a contrast below 4.5, in any state and theme."""
    page = tab(served.address, color_scheme=scheme)
    wait_dark(page, dark=scheme == "dark")
    add(page, "Round the totals")
    row(page, "Round the totals").click()
    page.get_by_text("All 42 tests pass").wait_for()
    assert faint(page) == []
    search(page, "cart")
    page.locator(".j-snippet mark").first.wait_for()
    assert faint(page) == []
    page.get_by_role("tab", name="Pressure").click()
    page.locator(".j-table tbody tr").first.wait_for()
    assert faint(page) == []


def test_faint_text_is_seen(opened: Page) -> None:
    """Sibling: a text that is hard to read would fail a test; one that cannot be used would not."""
    opened.evaluate("document.querySelector('h1').style.opacity = 0.5")
    assert [text.split(" ", 1)[1] for text in faint(opened)] == ["Journal"]


def test_the_page_speaks_in_words(tmp_path: Path, tab: Callable[..., Page]) -> None:
    """Nothing that the page says by itself looks like a name out of the code."""
    with serving(tmp_path) as empty:
        page = tab(empty.address)
        for name in ("Sessions", "Pressure"):
            page.get_by_role("tab", name=name).click()
            page.locator("h2:visible").first.wait_for()
            text = page.locator("body").inner_text()
            icons = {*page.locator(".q-icon:visible").all_inner_texts()}
            assert {*re.findall(r"\w*[a-z][A-Z]\w*|\w+_\w+", text)} <= icons
        page.close()


def test_text_from_right_to_left_begins_at_the_right(opened: Page) -> None:
    """A title in Hebrew or Arabic has the direction of its first letter, as its readers expect."""
    left_over = """() => {
        const title = document.querySelector('.j-title'), range = document.createRange()
        title.textContent = 'סכום cart.py'
        range.selectNodeContents(title)
        return title.getBoundingClientRect().right - range.getBoundingClientRect().right
    }"""
    assert opened.evaluate(left_over) < 2


def test_no_sideways_scrolling_at_360(tab: Callable[..., Page], served: Served) -> None:
    """At 360 px everything is stacked, and nothing is wider than the window."""
    page = tab(served.address, viewport={"width": 360, "height": 740})
    assert overflow(page) <= 0
    add(page, "A title that goes on", "window.hacked='img'", "Round the totals")
    target(page, "Write the discount")
    page.locator("summary").click()
    page.get_by_text("left until compaction").wait_for()
    assert overflow(page) <= 0
    panes = (page.locator(".j-list"), page.locator(".j-pack"))
    boxes = [pane.bounding_box() for pane in panes]
    expect(page.locator(".j-reader")).to_be_hidden()
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    page.get_by_role("button", name="Send to session").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Send", exact=True)).to_be_focused()
    assert overflow(page) <= 0
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    search(page, "zebra crossing")
    page.get_by_text("No session found").wait_for()
    page.get_by_role("tab", name="Pressure").click()
    page.locator(".j-table tbody tr").first.wait_for()
    page.locator(".j-chart svg text").first.wait_for()
    assert overflow(page) <= 0


def test_a_phone_has_a_list_and_a_reader(tab: Callable[..., Page], served: Served) -> None:
    """A tap opens the session on the whole screen; back is the list; nothing scrolls sideways."""
    page = tab(served.address, viewport={"width": 360, "height": 740})
    row(page, "Round the totals").click()
    page.get_by_text("All 42 tests pass").wait_for()
    expect(page.locator(".j-list")).to_be_hidden()
    assert overflow(page) <= 0
    page.get_by_role("button", name="← Sessions").click()
    expect(page.locator(".j-list")).to_be_visible()
    expect(page.locator(".j-reader")).to_be_hidden()


def test_names_of_what_can_be_used(opened: Page) -> None:
    """Every control has an accessible name; the tree has the roles of a tree."""
    add(opened, "Round the totals")
    nameless = opened.evaluate("""() => [...document.querySelectorAll('button, input, [role=tab], [role=treeitem]')]
      .filter((e) => e.offsetParent && !(e.getAttribute('aria-label') || e.innerText.trim()
        || e.labels?.length || e.closest('label')?.innerText.trim()))
      .map((e) => e.outerHTML.slice(0, 120))""")
    assert nameless == []
    assert opened.evaluate("document.documentElement.lang") == "en-US"
    first = opened.locator("[role=treeitem]").first
    found = [first.get_attribute(f"aria-{name}") for name in ("level", "expanded", "setsize")]
    assert found[:2] == ["1", "true"]
    assert opened.locator("[role=treeitem][tabindex='0']").count() == 1


def test_empty_and_then_broken(chromium: Browser, tab: Callable[..., Page], tmp_path: Path) -> None:
    """Without sessions each pane says what to do; an error is shown where it happened."""
    with serving(tmp_path) as empty:
        page = tab(empty.address)
        page.get_by_text("No session yet").wait_for()
        page.get_by_text("No live session. Start").wait_for()
        sent = page.request.get(empty.address).text()  # as it is until its sessions are read
        assert len(re.findall(r'"disable":\s*true', sent)) == 4, "Send, Save, Copy and Clear"
        page.get_by_role("tab", name="Pressure").click()
        page.get_by_text("No reading of a session's context yet").wait_for()
        page.get_by_text("No compaction in the last twelve weeks").wait_for()
        seed(empty.home)
        page.reload()
        ready(page)
        row(page, "장바구니").wait_for()
        shutil.rmtree(empty.home / MARKET)
        page.wait_for_function(
            "async (gone) => !(await (await fetch('/api/sessions?limit=500')).json())"
            ".items.some((session) => session.project === gone)",
            arg=MARKET,
        )
        page.locator(".j-row").filter(has_text="장바구니").get_by_role("button").click()
        page.get_by_text("no session matches").wait_for()
        page.close()


def test_the_watch_sees(chromium: Browser) -> None:
    """Sibling: a logged error, a thrown error and a request elsewhere would each fail a test."""
    context = chromium.new_context()
    page = context.new_page()
    watch = Watch(page)
    page.goto("about:blank")
    page.evaluate("""async () => {
      console.error('logged');
      setTimeout(() => { throw new Error('thrown'); });
      try { await fetch('http://203.0.113.1:9/', { signal: AbortSignal.timeout(50) }); } catch {}
    }""")
    context.close()
    assert any("logged" in error for error in watch.errors)
    assert any("thrown" in error for error in watch.errors)
    assert watch.elsewhere == ["http://203.0.113.1:9/"]
