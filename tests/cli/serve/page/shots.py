"""Take a picture of each state of the page: `python -m tests.cli.serve.page.shots DIR [NAME]`.

Invariant: the pictures show a made-up home at a fixed time, whoever makes them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .conftest import UNTIL, USUAL, find_chromium, ready, serving
from .screen import add, group, row, search, target
from .seed import MARKET, damage, seed, transcript

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

WIDE = {"width": 1280, "height": 800}
MEDIUM = {"width": 960, "height": 760}
NARROW = {"width": 360, "height": 740}


def fill(page: Page) -> None:
    """Choose two sessions and a live one."""
    add(page, "Round the totals", "Migrate the exporter")
    target(page, "Write the discount")
    page.get_by_text("left until compaction").wait_for()
    page.mouse.move(0, 0)


def reads(page: Page) -> None:
    """Open a session in the reader."""
    row(page, "Round the totals").click()
    page.locator(".j-reading").get_by_text("All 42 tests pass").wait_for()
    page.mouse.move(0, 0)


def reads_and_packs(page: Page) -> None:
    """Open a session in the reader, with two chosen for a pack."""
    fill(page)
    reads(page)
    page.locator(".j-call summary").first.click()
    page.locator(".j-call pre").first.wait_for()


def of_one_project(page: Page) -> None:
    """Open a session of one project: the picture in the documentation."""
    page.get_by_label("Project").click()
    page.locator(".q-menu .q-item").filter(has_text="shop").click()
    group(page, "2026-11-20").get_by_text("1", exact=True).wait_for()
    reads_and_packs(page)
    page.evaluate("window.scrollTo(0, 0)")


def filled(page: Page) -> None:
    """Fill the context area and open the preview."""
    fill(page)
    page.locator("summary").click()


def confirm_sending(page: Page) -> None:
    """Ask to send."""
    fill(page)
    page.get_by_role("button", name="Send to session").click()
    page.get_by_role("dialog").get_by_role("button", name="Send").wait_for()


def found(page: Page) -> None:
    """Search."""
    search(page, "cart")
    page.get_by_text("sessions found").wait_for()


def lost(page: Page) -> None:
    """Search for something that is not there."""
    search(page, "zebra crossing")
    page.get_by_text("No session found").wait_for()


def pressure(page: Page) -> None:
    """Open the second tab."""
    page.get_by_role("tab", name="Pressure").click()
    page.locator(".j-chart svg text").first.wait_for()
    page.mouse.move(0, 0)


def nothing(_page: Page) -> None:
    """Leave the page as it opens."""


def is_damaged(page: Page) -> None:
    """Wait for the bar that names the damage."""
    page.get_by_role("alert").get_by_text("journal repair").wait_for()


def is_importing(page: Page) -> None:
    """Wait for the bar and the session that has come in."""
    page.get_by_text("Importing past sessions").wait_for()
    row(page, "Round the totals").wait_for()


STATES: dict[str, tuple[Callable[[Page], None], dict[str, Any], str]] = {
    "opens": (nothing, {}, ""),
    "documentation": (of_one_project, {}, ""),
    "sessions": (reads_and_packs, {}, "full"),
    "reading-dark": (reads, {"color_scheme": "dark"}, "full"),
    "medium": (reads_and_packs, {"viewport": MEDIUM}, "full"),
    "narrow-reading": (reads, {"viewport": NARROW}, "full"),
    "narrow-reading-dark": (reads, {"viewport": NARROW, "color_scheme": "dark"}, "full"),
    "sessions-dark": (filled, {"color_scheme": "dark"}, "full"),
    "ask": (confirm_sending, {}, ""),
    "search": (found, {}, "full"),
    "nothing-found": (lost, {}, ""),
    "pressure": (pressure, {}, "full"),
    "pressure-dark": (pressure, {"color_scheme": "dark"}, "full"),
    "narrow": (filled, {"viewport": NARROW}, "full"),
    "narrow-search-dark": (found, {"viewport": NARROW, "color_scheme": "dark"}, "full"),
    "narrow-pressure": (pressure, {"viewport": NARROW}, "full"),
}

# States of the whole page, each in every size and in both colours: name -> what to do, which home.
WHOLE: dict[str, tuple[Callable[[Page], None], str]] = {
    "empty": (nothing, "empty"),
    "read-only": (nothing, "no-token"),
    "damaged": (is_damaged, "damaged"),
    "importing": (is_importing, "importing"),
}
STATES |= {
    f"{name}{size}{colour}": (act, {"viewport": viewport, "color_scheme": colour[1:] or "light"}, how)
    for name, (act, how) in WHOLE.items()
    for size, viewport in (("", WIDE), ("-narrow", NARROW))
    for colour in ("", "-dark")
}  # fmt: skip


def shoot(browser: Browser, folder: Path, name: str, address: str, act: Callable[[Page], None],
          options: dict[str, Any], *, full: bool) -> None:  # fmt: skip
    """Open the page, do something, take the picture."""
    context = browser.new_context(**{**USUAL, "viewport": WIDE, **options})
    page = context.new_page()
    page.goto(address)
    ready(page)
    act(page)
    page.wait_for_timeout(600)  # transitions of the toolkit
    page.screenshot(path=folder / f"{name}.png", full_page=full)
    context.close()


def main(folder: Path, wanted: str = "") -> None:
    """Take the pictures whose names begin with `wanted`."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    sandbox = ["--no-sandbox"] if os.getuid() == 0 else []
    with ExitStack() as stack:
        whole, empty, damaged, importing = (
            Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in range(4)
        )
        seed(whole / "journal", hostile=False)
        seed(damaged / "journal", hostile=False)
        damage(damaged / "journal" / MARKET)
        transcript(importing / "journal")
        program = ("-c", UNTIL.format(path=str(importing / "done")))
        homes = {
            "": stack.enter_context(serving(whole)),
            "empty": stack.enter_context(serving(empty)),
            "damaged": stack.enter_context(serving(damaged)),
            "importing": stack.enter_context(serving(importing, program=program, words=())),
        }
        driver = stack.enter_context(sync_playwright())
        browser = driver.chromium.launch(executable_path=find_chromium(), args=sandbox)
        for name, (act, options, how) in STATES.items():
            if not name.startswith(wanted):
                continue
            served = homes.get(how, homes[""])
            address = served.url if how == "no-token" else served.address
            shoot(browser, folder, name, address, act, options, full=how == "full")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
