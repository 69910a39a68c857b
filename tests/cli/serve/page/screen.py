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


def faint(page: Page) -> list[str]:
    """Return the visible texts whose contrast is below 4.5, with it; what cannot be used may be.

    Texts of a chart are not among them: their background is another element.
    """
    return list(page.evaluate(_CONTRAST))


_CONTRAST = """() => {
  const parts = (text) => { const found = text.match(/[\\d.]+/g).map(Number); return found.length < 4 ? [...found, 1] : found; };
  const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3]));
  const light = (colour) => colour.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const above = (one) => one ? [one, ...above(one.parentElement)] : [];
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
    if (!text || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (one.closest('svg, script, style, [disabled], .disabled, [aria-disabled=true]')) continue;
    const styles = above(one).map((each) => getComputedStyle(each));
    const below = styles.map((style) => parts(style.backgroundColor)).reverse().reduce((sum, top) => over(top, sum), [255, 255, 255]);
    const colour = parts(styles[0].color);
    colour[3] *= styles.reduce((product, style) => product * style.opacity, 1);
    const [low, high] = [light(below), light(over(colour, below))].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) found.push(`${contrast.toFixed(2)} ${text.slice(0, 60)}`);
  }
  return found;
}"""


def wait_dark(page: Page, *, dark: bool = True) -> None:
    """Wait until the background is dark, or light."""
    script = """(dark) => {
      const parts = getComputedStyle(document.body).backgroundColor.slice(4, -1).split(',');
      return (parts.reduce((sum, part) => sum + Number(part), 0) < 200) === dark;
    }"""
    page.wait_for_function(script, arg=dark)
