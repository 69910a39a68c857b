"""Words for what a person does with the page, so that tests read as that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def expect(what: Locator) -> Any:
    """Say what should come to be: the page answers over a socket, in its own time."""
    from playwright.sync_api import expect as waiting

    waiting.set_options(timeout=20_000)
    return waiting(what)


def row(page: Page, title: str) -> Locator:
    """Give the row of a session in the tree."""
    return page.locator(".j-row.is-session").filter(has_text=title)


def group(page: Page, name: str) -> Locator:
    """Give the row of a project or day."""
    return page.locator(".j-row.is-group").filter(has_text=name)


def titles(page: Page) -> list[str]:
    """Titles of the sessions that the tree shows."""
    return page.locator(".j-row.is-session .j-title").all_inner_texts()


def chosen(page: Page) -> list[str]:
    """Titles in the context area, in order."""
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


def focused(page: Page) -> str:
    """Give the accessible name of what has the focus."""
    script = "() => { const e = document.activeElement; return e.getAttribute('aria-label') || e.innerText; }"
    return str(page.evaluate(script))


def overflow(page: Page) -> int:
    """How many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


def is_dark(page: Page) -> bool:
    """Whether the background is dark."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in colour[4:-1].split(",")) < 200
