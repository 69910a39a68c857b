"""Bars above the page: a running import of past sessions, and damage of the logs."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import ROOT, UNTIL, environment, serving
from .screen import expect, overflow, row
from .seed import MARKET, damage, seed, transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.page

# A phone and a desktop.
SIZES: tuple[dict[str, Any], ...] = (
    {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"}, {}
)  # fmt: skip


def test_a_whole_log_and_no_import_say_nothing(opened: Page) -> None:
    """Without an import and without damage there is no bar."""
    row(opened, "Round the totals").get_by_text("tokens").wait_for()  # this loads last
    assert opened.get_by_role("alert").count() == 0
    assert opened.locator(".j-banner:visible").count() == 0


def test_the_import_is_announced_while_it_runs(tmp_path: Path, tab: Callable[..., Page]) -> None:
    """A bar shows while past sessions are imported; when it goes, they are in the list."""
    transcript(tmp_path / "journal")
    done = tmp_path / "done"
    program = ("-c", UNTIL.format(path=str(done)))
    with serving(tmp_path, program=program, words=()) as served:
        pages = [tab(served.address, **options) for options in SIZES]
        for page in pages:
            bar = page.locator(".j-banner:visible")
            expect(bar).to_have_text(
                "Importing past sessions from Claude Code's transcripts in the background; "
                "they are listed here as they come in."
            )
            assert overflow(page) <= 0
            expect(row(page, "Round the totals")).to_be_visible()
            expect(bar).to_be_visible()
        done.touch()
        for page in pages:
            expect(page.locator(".j-banner:visible")).to_have_count(0)
            expect(row(page, "Round the totals")).to_have_count(1)
            page.close()


def test_damage_is_said_above_everything(tmp_path: Path, tab: Callable[..., Page]) -> None:
    """A corrupt line is named with its project and what to run; after a repair, the loss is."""
    home = tmp_path / "journal"
    seed(home)
    damage(home / MARKET)
    for bar in _bars(tmp_path, tab):
        expect(bar).to_contain_text(
            "The journal is damaged, so this page is not complete: market: "
        )
        expect(bar).to_contain_text("active.jsonl")
        expect(bar).to_contain_text(
            "Run journal verify --project market, then journal repair --project market."
        )
        assert str(tmp_path) not in bar.inner_text()
        assert overflow(bar.page) <= 0
    command = [sys.executable, "-m", "cli", "repair", "--project", MARKET]
    subprocess.run(command, cwd=ROOT, env=environment(tmp_path), check=True, capture_output=True)
    for bar in _bars(tmp_path, tab):
        expect(bar).to_contain_text("Known losses: market: 1 event lost before a repair")
        expect(bar).not_to_contain_text("Damaged")


def _bars(top: Path, tab: Callable[..., Page]) -> Iterator[Locator]:
    """Open the page of a home in each size; yield the bar above it."""
    with serving(top) as served:
        for options in SIZES:
            page = tab(served.address, **options)
            bar = page.get_by_role("alert")
            expect(bar).to_be_visible()
            yield bar
            page.close()
