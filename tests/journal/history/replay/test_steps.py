"""Each event, what it changed, and how the answer of today compares to the one in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.config.schema import DEFAULTS
from journal.history.replay.steps import Change, Step, changes, needs, steps
from journal.log.record import frame, type_of
from projections.facts.session import ApprovedPlan, Gathered

if TYPE_CHECKING:
    from typing import Any

    from tests.cases.world import World


def record(seq: int, kind: str, **body: Any) -> tuple[int, bytes]:
    """Return a record of a session."""
    ts = f"2026-11-21T09:00:{seq:02}.000Z"
    return seq, frame(seq, {"ts": ts, "type": kind, "v": 1, "sid": "s", **body})[:-1]


def test_each_event_has_what_it_changed() -> None:
    """Changes are listed by projection; an unknown event and a repeated one change nothing."""
    found = steps(
        [
            record(1, "session.started", source="startup"),
            record(2, "prompt.submitted", key="00000000000000aa", text="go"),
            record(3, "prompt.submitted", key="00000000000000aa", text="go"),
            record(4, "later.thing"),
        ],
        ["sessions"],
        {},
        answers=False,
    )
    begun, asked, repeated, unknown = found
    assert (begun.seq, begun.kind, begun.cite) == (1, "session.started", "1")
    paths = {path: (old, new) for path, old, new in asked.changed["sessions"]}
    assert paths["sessions", "s", "prompts"] == (0, 1)
    assert (repeated.is_repeat, repeated.event, repeated.changed) == (True, None, {})
    assert (unknown.is_repeat, unknown.event, unknown.changed) == (False, None, {})


def test_answers_need_the_views_of_hooks() -> None:
    """A fold for answers has every view that hooks fold, and each projection once."""
    assert needs(["sessions", "sessions"], answers=False) == ["sessions"]
    assert {"pressure", "recovery", "unit"} < set(needs(["pressure"], answers=True))
    assert needs(["pressure"], answers=True).count("pressure") == 1


@pytest.fixture
def warned(inline: World) -> list[tuple[int, bytes]]:
    """Return the records of a session whose second prompt was answered with a warning."""
    inline.start()
    inline.prompt("fix it")
    inline.reading(91)
    inline.prompt("go on")
    return inline.records()


def asked(records: list[tuple[int, bytes]], **settings: Any) -> Step:
    """Return the step of the last prompt."""
    found = steps(records, (), {**DEFAULTS, **settings}, answers=True)
    return [step for step in found if step.kind == "prompt.submitted"][-1]


def test_the_answer_is_compared_with_the_log(warned: list[tuple[int, bytes]]) -> None:
    """The verdict tells whether the hook gave the same answer, another one, or none."""
    same = asked(warned)
    assert (same.verdict, same.recorded != []) == ("same", True)
    assert same.answer is not None
    silent = [
        item for item in warned if type_of(item[1]) not in ("advice.given", "context.injected")
    ]
    assert asked(silent).verdict == "unsaid"
    unasked = asked(
        warned, **{"answers.enabled": False, "pressure.info": 99, "pressure.urgent": 99}
    )
    assert unasked.verdict == "unasked"


def test_what_claude_received_comes_from_the_log() -> None:
    """Texts that a record holds are put together; without them the answer of today stands for it."""
    step = Step(1, record(1, "prompt.submitted")[1])
    assert (step.received_answer, step.is_reconstructed) == (None, False)
    step.recorded = [{"type": "advice.given", "said": {"context": "one "}},
                     {"type": "advice.given", "said": {"context": "two", "message": "m"}}]  # fmt: skip
    received = step.received_answer
    assert received is not None
    assert (received.context, received.message) == ("one two", "m")
    assert not step.is_reconstructed


def test_a_new_value_whose_members_lack_defaults_is_one_change() -> None:
    """An approved plan is such a value; of others only the members that are not empty change."""
    plan = ApprovedPlan("Round once", ["a"])
    assert list(changes(None, plan, ("plan",))) == [Change(("plan",), None, plan)]
    before, after = {}, {"a": Gathered(plan=plan)}
    assert list(changes(before, after)) == [Change(("a", "plan"), None, plan)]
