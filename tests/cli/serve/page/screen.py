"""A person's actions on the page, as functions the tests can read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def expect(what: Locator) -> Any:
    """Return an expectation with a longer timeout: the page updates over a socket."""
    from playwright.sync_api import expect as waiting

    waiting.set_options(timeout=20_000)
    return waiting(what)


def row(page: Page, title: str) -> Locator:
    """Return the row of a session in the tree."""
    return page.locator(".j-row.is-session").filter(has_text=title)


def group(page: Page, name: str) -> Locator:
    """Return the row of a project or day."""
    return page.locator(".j-row.is-group").filter(has_text=name)


def titles(page: Page) -> list[str]:
    """Return the titles of the sessions in the tree."""
    return page.locator(".j-row.is-session .j-title").all_inner_texts()


def chosen(page: Page) -> list[str]:
    """Return the titles in the context area, in order."""
    return page.locator(".j-item .j-title").all_inner_texts()


def add(page: Page, *wanted: str) -> None:
    """Put sessions into the context area with their buttons, one after another."""
    for title in wanted:
        row(page, title).get_by_role("button").click()
        page.locator(".j-item").filter(has_text=title).wait_for()


def search(page: Page, words: str) -> None:
    """Type into the search box, a key at a time."""
    box = page.get_by_label("Search sessions")
    box.fill("")
    box.press_sequentially(words, delay=5)


def target(page: Page, title: str) -> None:
    """Choose a live session."""
    page.get_by_label("Live session").click()
    page.locator(".q-menu .q-item").filter(has_text=title).click()


def wait_focus(page: Page, beginning: str) -> None:
    """Wait until the accessible name of the focused element begins with a text."""
    script = """(text) => {
      const e = document.activeElement;
      return (e.getAttribute('aria-label') || e.innerText).startsWith(text);
    }"""
    page.wait_for_function(script, arg=beginning)


def overflow(page: Page) -> int:
    """Return how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def wait_dark(page: Page, *, dark: bool = True) -> None:
    """Wait until the background is dark, or light."""
    script = """(dark) => {
      const parts = getComputedStyle(document.body).backgroundColor.slice(4, -1).split(',');
      return (parts.reduce((sum, part) => sum + Number(part), 0) < 200) === dark;
    }"""
    page.wait_for_function(script, arg=dark)
