"""The lines of a report."""

from __future__ import annotations

import pytest

from cli.render.text import Style
from cli.stats import reports
from cli.stats.page import page
from cli.stats.report import lines_of
from tests.cli.stats.test_reports import made


@pytest.mark.parametrize(("count", "says"), [(20, ""), (21, "and 1 more; --json lists all")])
def test_a_table_says_what_it_leaves_out(count: int, says: str) -> None:
    """Twenty rows are shown; how many more there are stands below them."""
    found = [made(f"s{at}", (at, "prompt", 0)) for at in range(count)]
    report = reports.sessions(found)
    shown = list(lines_of(report, 80, Style({"NO_COLOR": "1"})))
    assert sum(" 0 s " in line for line in shown) == 20
    assert [line for line in shown if " more" in line] == ([says] if says else [])
    assert len(report.data) == count
    assert ("1 more" in page([report], "", "")) == bool(says)
