"""Pressure over time, as the page draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")

from cli.serve.data.pressure import curve_of
from tests.cli.serve.conftest import SID

if TYPE_CHECKING:
    from cli.serve.data.service import Service
    from tests.cli.conftest import Workspace

pytestmark = pytest.mark.page


def test_curves_are_those_of_stats(service: Service, played: Workspace) -> None:
    """The page's curves hold the readings and compactions `journal stats` counts."""
    shown = played.journal("stats", "compactions", "--json").data
    found = service.pressure()
    (session,) = found.sessions
    assert found.compactions == shown != []
    assert session.sid == SID
    assert [entry.tokens for entry in session.compactions] == [item["tokens"] for item in shown]
    shares = [share for _, share in curve_of(session)]
    assert all(0 < share < 200 for share in shares)
    listed = played.journal("stats", "sessions", "--json").data
    assert [row["most_percent"] for row in listed if row["session"] == SID] == [round(max(shares))]
    (row,) = played.journal("sql", "select count(*) as n from pressure", "--json").data
    assert session.count("reading") == row["n"]
    advice = [event for event in played.journal("events", "--json").data
              if event["type"] == "advice.given" and event["what"] == "pressure"]  # fmt: skip
    assert (
        [(item.detail, item.tokens) for item in session.of("told")]
        == [(event["level"], event["tokens"]) for event in advice]
        != []
    )
    assert service.pressure("2030-01-01")[:2] == ([], [])
