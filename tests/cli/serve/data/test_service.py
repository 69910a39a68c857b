"""Code shared by page and API: sessions, costs, pressure, sending, concurrent requests."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from cli.serve.errors import ConflictError
from cli.serve.schemas import NewObservation
from hooks.status_line.line import show
from journal.history.find_session import NoSessionError
from tests.cli.serve.conftest import OTHER, SID

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.serve.data.service import Service
    from tests.cli.conftest import Workspace

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")


pytestmark = pytest.mark.page


def test_the_cost_uses_the_pressure_view(service: Service, played: Workspace) -> None:
    """Before and after a reading it is the pressure view of that session's journal."""
    name = played.directory.name
    before = service.cost("text", OTHER)
    assert (before.level, before.share) == ("unknown", None)
    reading = {"session_id": OTHER, "cwd": str(played.project), "model": {"id": "claude-opus-4-1"},
               "context_window": {"context_window_size": 200_000, "current_usage": {
                   "input_tokens": 50_000, "cache_creation_input_tokens": 0,
                   "cache_read_input_tokens": 0, "output_tokens": 0}}}  # fmt: skip
    show(json.dumps(reading).encode(), played.env)
    shown = played.journal("view", "pressure", "--project", name, "--session", OTHER).data
    after = service.cost("text", OTHER)
    assert shown["known"]
    assert f"{shown['point'] - shown['tokens']:,} left until compaction" in after.sentence


def test_live_sessions_are_those_not_over(service: Service, played: Workspace) -> None:
    """An ended session is no recipient to choose; a new one is."""
    assert [item.id for item in service.live()] == [OTHER]
    played.hook("SessionEnd", OTHER, reason="other")
    played.hook("SessionStart", "fresh", source="startup")
    service.index.refresh()
    assert [item.id for item in service.live()] == ["fresh"]


def test_a_log_that_grew_is_read_again(service: Service, played: Workspace) -> None:
    """A cached history is not shown once the log has grown."""
    before = len(service.pressure()[1])
    played.hook("PreCompact", SID, trigger="manual", custom_instructions="")
    played.hook("SessionStart", SID, source="compact")
    assert len(service.pressure()[1]) == before + 1


@pytest.mark.parametrize("ref", ["", " ", "/", "../x", "nobody", "shop/nobody"])
def test_what_names_no_session(service: Service, ref: str) -> None:
    """An unknown session is reported as missing."""
    with pytest.raises(NoSessionError):
        service.past(ref)


def test_what_only_a_transcript_told_of_is_not_added_to(
    service: Service, played: Workspace, events: Callable[[], list[bytes]]
) -> None:
    """An exported part has no hooks: nothing can be recorded of it or sent to it."""
    assert played.journal("export-session", "--session", SID, "--pick", "1").code == 0
    service.index.refresh()
    part = next(card for card in service.sessions().items if card.kind == "exported")
    assert part.of == SID
    before = events()
    with pytest.raises(ConflictError):
        service.observe(NewObservation(session=part.id, title="x"))
    with pytest.raises(ConflictError):
        service.send(part.id, service.pack([SID]))
    assert events() == before
    assert service.observations(part.id).items


def test_many_at_once(service: Service, played: Workspace) -> None:
    """With writers and readers in many threads each observation is recorded once, without error."""
    before = len(service.observations(OTHER).items)
    with ThreadPoolExecutor(8) as pool:
        written = [
            pool.submit(service.observe, NewObservation(session=OTHER, title=f"step {n}"))
            for n in range(16)
        ]
        read = [pool.submit(work) for _ in range(4)
                for work in (service.sessions, service.live, service.pressure,
                             lambda: service.cost("x", OTHER), lambda: service.search("total"))]  # fmt: skip
        seqs = {job.result().seq for job in written}
        for job in read:
            job.result()
    found = service.observations(OTHER).items[before:]
    assert len(seqs) == 16
    assert sorted(item.title for item in found) == sorted(f"step {n}" for n in range(16))
    assert played.journal("verify", "--strict").code == 0
