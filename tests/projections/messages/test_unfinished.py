"""How old unfinished work is, and what is said of it."""

from __future__ import annotations

import subprocess

import pytest

from journal.config.schema import DEFAULTS
from journal.events.session import SessionStarted
from projections.messages.message import TEXT_LIMIT, Input
from projections.messages.unfinished import age, argument, others, own_progress
from projections.registry import REGISTRY
from projections.views import HOOK_PROJECTIONS, Views
from tests.projections.timeline import views

MINUTE = 60_000


@pytest.mark.parametrize(
    ("minutes", "texts"),
    [
        (-5, ("1 minute", "1分", "1분")),
        (0, ("1 minute", "1分", "1분")),
        (59, ("59 minutes", "59分", "59분")),
        (60, ("1 hour", "1時間", "1시간")),
        (47 * 60 + 59, ("47 hours", "47時間", "47시간")),
        (48 * 60, ("2 days", "2日", "2일")),
    ],
)
def test_an_age_is_never_zero(minutes: int, texts: tuple[str, str, str]) -> None:
    """An age is told in the largest unit that gives a number, in each language."""
    assert tuple(age(minutes * MINUTE, language) for language in ("en", "ja", "ko")) == texts


def start_of(sid: str, text: str) -> Input:
    """Return the start of a session after a timeline, as its messages get it."""
    states = views(text, *(item.name for item in HOOK_PROJECTIONS if item.name in REGISTRY))
    event = SessionStarted(seq=99, ts="2026-11-21T10:00:00.000Z", sid=sid, source="startup")
    return Input(Views(**states), event, DEFAULTS, TEXT_LIMIT)


def test_a_session_that_continues_may_adopt() -> None:
    """The skill that a session left is named to the session that continues it, and to no other."""
    text = "09:00 start / 09:00 progress saved / 09:01 end clear / b 09:01 start clear a"
    (line,) = own_progress(start_of("b", text))
    assert "journal progress adopt a" in line
    assert not list(own_progress(start_of("c", text)))


@pytest.mark.parametrize(("sessions", "more"), [(3, False), (5, True)])
def test_three_of_a_kind_are_listed(sessions: int, *, more: bool) -> None:
    """Beyond three pieces of work of a kind their number is given."""
    ended = "{0} 09:00 start / {0} 09:00 progress saved / {0} 09:01 end"
    text = " / ".join(ended.format(f"s{number}") for number in range(sessions))
    lines = others(start_of("b", text))
    assert len(lines) == 1 + 3 + more
    assert lines[-1].startswith("- 2 more: ") is more


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *(("a-1", "a-1"), ("", '""'), ("a b", '"a b"'), ("a" * 60, "a" * 60)),
        *(("$(id)", '"\\$(id)"'), ("`id`", '"\\`id\\`"'), ('a\\" $b', '"a\\\\\' \\$b"')),
    ],
)
def test_a_name_as_an_argument(text: str, shown: str) -> None:
    """One plain word is an argument as it is; anything else, also nothing, stands in quotes.

    A shell that runs the command expands nothing in it.
    """
    assert argument(text) == shown
    given = subprocess.check_output(["sh", "-c", f"printf %s {shown}"], text=True)
    assert given == text.replace('"', "'")
