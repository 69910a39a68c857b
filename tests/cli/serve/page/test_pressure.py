"""The tab on pressure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.page


def test_pressure_is_drawn(opened: Page) -> None:
    """The sawtooth with its marks, the same data as a table, and the bars of the weeks."""
    opened.get_by_role("tab", name="Pressure").click()
    opened.get_by_text("24 readings, at most 99%").wait_for()
    opened.get_by_text("2 compactions, 2 warnings").wait_for()
    opened.locator(".j-chart svg text").first.wait_for()
    rows = opened.locator(".j-table tbody tr").all_inner_texts()
    assert [text.split("\t")[1] for text in rows] == [
        "warning: info", "warning: urgent", "automatic compaction", "automatic compaction",
    ]  # fmt: skip
    shown = opened.locator(".j-chart").all_inner_texts()
    assert all(word in shown[0] for word in ("compaction threshold", "urgent", "info", "100 %"))
    assert "market" in shown[1]
    assert "shop" in shown[1]
