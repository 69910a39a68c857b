"""Which unfinished work a session may take over."""

from __future__ import annotations

from typing import Any

import pytest

from journal.clock import millis
from projections.leftover import leftovers
from projections.registry import REGISTRY
from projections.views import HOOK_PROJECTIONS, Views
from tests.projections.timeline import views
from tests.support.rows import each

NAMES = [item.name for item in HOOK_PROJECTIONS if item.name in REGISTRY]
WORK = "09:00 stage started / 09:00 unit started / 09:00 progress saved"


def left(text: str, sid: str = "b", at: str = "09:05") -> dict[str, list[str]]:
    """Return the owners of what session `sid` may take over, by kind."""
    now = millis(f"2026-11-21T{at}:00.000Z")
    assert now is not None
    states: dict[str, Any] = views(text, *NAMES)
    found = leftovers(Views(**states), sid, now)
    return {kind: [item.sid for item in items] for kind, items in found.items()}


def every(*owners: str) -> dict[str, list[str]]:
    """Return the three kinds of work, each left by these sessions."""
    return {kind: list(owners) for kind in ("cycle", "unit", "skill")}


OFFERED: dict[str, tuple[str, dict[str, list[str]]]] = {
    "it ended": (f"09:00 start / {WORK} / 09:01 end", every("a")),
    "it may be running": (f"09:00 start / {WORK}", every()),
    "one's own": (f"b 09:00 start / b {WORK.replace(' / ', ' / b ')} / b 09:01 end", every()),
    "the newest first": ((f"09:00 start / {WORK} / 09:01 end / c 09:02 start / c 09:02 stage started"
                         " / c 09:02 unit started / c 09:02 progress saved / c 09:03 end"),
                         every("c", "a")),
    "finished or dropped": ((f"09:00 start / {WORK} / 09:01 stage abandoned / 09:01 unit finished"
                            " / 09:01 progress closed / 09:01 end"), every()),
    "it goes on after two /clear": ((f"09:00 start / {WORK} / 09:01 end clear / c 09:01 start clear a"
                                    " / c 09:02 end clear / d 09:02 start clear c"), every()),
    "it goes on after /clear": (f"09:00 start / {WORK} / 09:01 end clear / c 09:01 start clear a",
                                every()),
    "a fork left an older copy": (("09:00 start / 09:00 unit started / 09:00 end / c 09:01 start fork a"
                                  " / c 09:02 end / 09:03 start resume / 09:03 unit checked"
                                  " / 09:04 end"), {"cycle": [], "unit": ["a"], "skill": []}),
    "a fork finished it": (("09:00 start / 09:00 unit started / 09:00 end / c 09:01 start fork a"
                           " / c 09:02 unit finished / c 09:02 end"), every()),
    "it ended after /clear": ((f"09:00 start / {WORK} / 09:01 end clear / c 09:01 start clear a"
                              " / c 09:02 end"), {"cycle": ["c"], "unit": ["c"], "skill": ["a"]}),
}  # fmt: skip


@each("name", OFFERED)
def test_work_is_offered_when_its_chain_is_over(name: str) -> None:
    """Work of a session that may be running, or that another one continues, is not offered."""
    text, found = OFFERED[name]
    assert left(text) == found


@pytest.mark.parametrize(("at", "owners"), [("09:09", []), ("09:10", ["a"])])
def test_a_session_without_a_start_is_over_after_ten_minutes(at: str, owners: list[str]) -> None:
    """If the journal has no start of a session, its silence decides."""
    assert left("09:00 stage started", at=at)["cycle"] == owners
