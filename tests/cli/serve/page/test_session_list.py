"""The left pane: sessions by day, search, filter."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from cli.serve.page.session_list import entry_of
from cli.serve.schemas import SessionRow
from tests.cli.serve.page.seed import PARQUET, ROUND

from .conftest import COSTS_AFTER, serving
from .screen import expect, group, row, search
from .seed import seed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.page

COUNT = re.compile("^[0-9]+ sessions? found$")


def test_sessions_by_day(opened: Page) -> None:
    """Each day appears once; a click collapses or opens it; a project can be chosen."""
    days = opened.locator(".j-row[aria-level='1'] .j-name").all_inner_texts()
    assert days[:2] == ["Saturday, 2026-11-21", "Friday, 2026-11-20"]
    assert len(days) == len(set(days))
    row(opened, "カート").wait_for()
    group(opened, "2026-11-20").click()
    row(opened, "カート").wait_for(state="detached")
    group(opened, "2026-11-20").click()
    expect(row(opened, PARQUET)).to_be_visible()
    opened.get_by_label("Project").click()
    opened.locator(".q-menu .q-item").filter(has_text="エディタ").click()
    row(opened, PARQUET).wait_for(state="detached")
    expect(row(opened, "カート")).to_be_visible()


def test_a_title_shows_its_control_characters() -> None:
    """Unprintable characters are escaped, as in a terminal: a title cannot reverse what follows."""
    facts = dict.fromkeys(SessionRow.model_fields, "")
    session = SessionRow.model_construct(**facts | {"title": "\x1b[31m \u202egpj.exe"})
    assert entry_of(session, str).label == "\\x1b[31m \\u202egpj.exe"


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"viewport": {"width": 360, "height": 740}}, id="phone"),
        pytest.param({}, id="desktop"),
    ],
)
def test_costs_move_no_row(
    tmp_path: Path, tab: Callable[..., Page], options: dict[str, object]
) -> None:
    """Costs that come after the list change no row's place: a click hits what was aimed at."""
    seed(tmp_path / "journal")
    known = tmp_path / "known"
    with serving(tmp_path, program=("-c", COSTS_AFTER.format(path=str(known)))) as served:
        page = tab(served.address, **options)
        expect(row(page, ROUND)).to_be_visible()
        places = "[...document.querySelectorAll('.j-row')].map((row) => row.offsetTop)"
        before = page.evaluate(places)
        assert page.get_by_text("tokens ·").count() == 0
        known.touch()
        row(page, ROUND).get_by_text("tokens ·").wait_for()
        assert page.evaluate(places) == before
        page.close()


def test_slash_goes_to_the_search(opened: Page) -> None:
    """The key / focuses the search box; inside the box it is a character."""
    row(opened, ROUND).focus()
    opened.keyboard.press("/")
    assert opened.evaluate("document.activeElement.type") == "search"
    opened.keyboard.press("/")
    expect(opened.get_by_label("Search sessions")).to_have_value("/")


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
    """The search runs as the person types, in all projects, and marks the matches."""
    search(opened, words)
    row(opened, title).first.wait_for()
    opened.get_by_text(COUNT).wait_for()
    expect(opened.locator(".j-row.is-session mark").first).to_be_visible()
    opened.get_by_label("Search sessions").fill("")
    row(opened, PARQUET).wait_for()


def test_a_search_begins_at_its_best_hit(opened: Page) -> None:
    """However far down the list is, another list begins at its first row."""
    opened.set_viewport_size({"width": 1200, "height": 200})
    scrolled = "() => { const e = document.querySelector('.j-tree'); e.scrollTop = 9999; return e.scrollTop; }"
    assert opened.evaluate(scrolled) > 0
    search(opened, "round totals")
    at_top = "() => document.querySelector('.j-row mark') && !document.querySelector('.j-tree').scrollTop"
    opened.wait_for_function(at_top)


def test_nothing_found_is_said(opened: Page) -> None:
    """A search without hits says so in a sentence, without a tree."""
    search(opened, "zebra crossing")
    opened.get_by_text("No session found").wait_for()
    expect(opened.locator(".j-row:visible")).to_have_count(0)


def test_status_filter(opened: Page) -> None:
    """Only open sessions, or only completed ones; a search respects the filter."""
    expect(row(opened, PARQUET)).to_be_visible()
    opened.get_by_label("Status").click()
    opened.locator(".q-menu .q-item").filter(has_text="Open").click()
    row(opened, PARQUET).wait_for(state="detached")
    expect(opened.locator(".j-row.is-session .j-title")).to_have_text(
        ["Write the discount rules", "Read the release notes"]
    )
    search(opened, "cart")
    opened.get_by_text(COUNT).wait_for()
    expect(row(opened, ROUND)).to_have_count(0)
