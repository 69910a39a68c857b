"""Pressure over time, as the page draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.serve.conftest import SID

if TYPE_CHECKING:
    from cli.serve.data.service import Service
    from tests.cli.conftest import Workspace

pytestmark = pytest.mark.page


def test_curves_are_those_of_stats(service: Service, played: Workspace) -> None:
    """The page's curves hold the readings and compactions `journal stats` counts."""
    shown = played.journal("stats", "compactions", "--json").data
    (history,), found = service.pressure()
    assert found == shown != []
    assert history.session == SID
    assert [entry.tokens for entry in history.compactions] == [item["tokens"] for item in shown]
    assert all(0 < share < 200 for _, share in history.points)
    advice = [event for event in played.journal("events", "--json").data
              if event["type"] == "advice.given" and event["what"] == "pressure"]  # fmt: skip
    assert (
        [(item.detail, item.tokens) for item in history.warnings]
        == [(event["level"], event["tokens"]) for event in advice]
        != []
    )
    assert service.pressure("2030-01-01") == ([], [])


def test_a_long_curve_is_thinned_but_all_its_readings_count(
    service: Service, played: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of readings is that of `journal sql`, however few points are drawn."""
    monkeypatch.setattr("cli.serve.data.pressure._POINTS", 4)
    (history,), _ = service.pressure()
    (row,) = played.journal("sql", "select count(*) as n from pressure", "--json").data
    assert len(history.points) <= 4 < history.readings == row["n"]
