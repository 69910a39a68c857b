"""What Claude gets when a session starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.events.session import SessionStarted
from projections.compound import Compound, CompoundWork, Flow
from projections.views import Views

from .respond import ask

if TYPE_CHECKING:
    from projections.messages.message import Answer


def listed(
    source: str = "startup", *, announced: str = "", **more: Any
) -> tuple[str, Answer | None]:
    """Ask at a start with two entries that are not saved."""
    flow = Flow(entries=2, digests=["1", "2"], headings=["b", "a"], path="progress.md")
    work = {"s": CompoundWork(announced=announced)} if announced else {}
    views = Views(compound=Compound(flow=flow, sessions=work))
    event = SessionStarted(sid="s", seq=9, ts="2026-11-21T09:00:00.000Z", source=source)
    return ask("start_listing", views, event, **more)


def test_a_start_lists_what_is_not_saved() -> None:
    """The head names the event; nothing to list is silence."""
    silent, answer = listed()
    assert silent == ""
    assert answer is not None
    head, line = answer.context.splitlines()
    assert head.startswith("Journal of this project (#9, ")
    assert line.startswith("- 2 work-log entries not saved as learnings yet")
    event = SessionStarted(sid="s", seq=9, source="startup")
    assert ask("start_listing", Views(), event) == ("content", None)


def test_a_resumed_session_reads_only_what_is_new() -> None:
    """The same listing is not given again to a conversation that has it; another start gets it."""
    _, answer = listed("resume")
    assert answer is not None
    digest = answer.events[0]["reason"]
    assert listed("resume", announced=digest) == ("listed before", None)
    assert listed("resume", announced="another")[0] == ""
    assert listed("startup", announced=digest)[0] == ""


def test_it_can_be_switched_off() -> None:
    """The setting silences it."""
    assert listed(**{"start.announce": False}) == ("setting", None)
