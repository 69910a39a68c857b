"""Replies that are not imported are added up as DuckDB adds up those that are."""

from __future__ import annotations

from typing import Any

import pytest

from tests.journal.history.importer.conftest import SID, Sandbox, sandbox
from tests.journal.history.importer.lines import prompt, reply
from tests.journal.history.usage.test_unread import check, reports

__all__ = ["sandbox"]


def at(time: str, number: int, **usage: Any) -> dict[str, Any]:
    """Return a reply at a time."""
    line = reply(f"m{number}", timestamp=time, uuid=f"u{number}")
    line["message"]["usage"] |= usage
    line["message"]["model"] = "claude-sonnet-4-5-20250929"
    return line


@pytest.mark.parametrize(
    "zone", [pytest.param("UTC", marks=pytest.mark.long), "Asia/Kathmandu", "America/New_York"]
)
def test_at_the_edges_of_periods(sandbox: Sandbox, zone: str, in_zone: Any) -> None:
    """Midnight, the full hour, the change of the clock and the ends of quarters are no exception."""
    in_zone(zone)
    times = [
        f"2026-{day}T{hour}"
        for day in ("10-31", "11-01", "11-02", "11-30")
        for hour in ("00:00:00.000Z", "00:00:00.001Z", "05:00:00.000Z", "05:59:59.999Z", "06:00:00.000Z",
                     "10:00:00.001Z", "18:14:59.999Z", "18:15:00.000Z", "23:59:59.999Z")
    ]  # fmt: skip
    sandbox.write(prompt("hello"), *(at(time, number) for number, time in enumerate(times)))
    assert check(sandbox)["replies"] == len(times)


def test_prices_by_size_mode_and_hour(sandbox: Sandbox) -> None:
    """Long prompts, fast mode and the one-hour cache cost the same before and after an import."""
    long, hour = {"cache_read_input_tokens": 250_000}, {"ephemeral_1h_input_tokens": 400}
    sandbox.write(
        prompt("hello"),
        at("2026-11-20T10:00:00.000Z", 1),
        at("2026-11-20T10:01:00.000Z", 2, **long),
        at("2026-11-20T10:02:00.000Z", 3, speed="fast"),
        at("2026-11-20T10:03:00.000Z", 4, cache_creation_input_tokens=900, cache_creation=hour),
    )  # fmt: skip
    assert check(sandbox)["cost_usd"] > 0.07
    assert reports(sandbox)["session"][0]["session"] == SID
