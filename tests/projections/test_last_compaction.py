"""A compaction counts once, whichever of its hooks report it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from projections.facts.session import KnownFacts, RefusedCall, UserChoice
from projections.fold import Fold
from projections.registry import REGISTRY
from projections.session import Session
from tests.projections.drawn import LINES
from tests.projections.timeline import fed, fields_of, timeline, view
from tests.support.examples import examples

if TYPE_CHECKING:
    Event = dict[str, Any]

COMPACTIONS: dict[str, tuple[str, int, int]] = {
    "attempt": ("09:00 compact auto", 1, 0),
    "both-hooks": ("09:00 compact auto / 09:00 forked s / 09:00 done / 09:00 summary s", 1, 1),
    "post-alone": ("09:00 compact auto / 09:00 summary s", 1, 1),
    "start-alone": ("09:00 compact auto / 09:00 done", 1, 1),
    "nothing-before": ("09:00 done / 09:00 summary s", 1, 1),
    "failed-then-done": ("09:00 compact auto / 09:01 compact auto / 09:01 done", 2, 1),
    "two": ("09:00 compact auto / 09:00 done / 09:00 summary s / 09:01 compact manual / 09:01 done / 09:01 summary t", 2, 2),
    "subagent": ("09:00 prompt x / 09:00 compact auto by x / 09:00 done by x / 09:00 summary s by x", 0, 0),
}  # fmt: skip


@pytest.mark.parametrize("text, attempts, done", COMPACTIONS.values(), ids=COMPACTIONS)
def test_a_compaction_is_counted_once(text: str, attempts: int, done: int) -> None:
    """A compaction counts once, however many hooks report it; an attempt is not a compaction."""
    trail = view("recovery", text).sessions["a"]
    assert (trail.attempts, trail.compactions) == (attempts, done)


@given(LINES)
@examples(60)
def test_the_recovery_counts_as_the_sessions_do(lines: list[str]) -> None:
    """Compactions and attempts of a session are the same in both views."""
    fold = Fold([REGISTRY["sessions"], REGISTRY["recovery"]])
    fold.feed(timeline("\n".join(lines)))
    sessions = fold.states["sessions"].sessions
    for sid, trail in fold.states["recovery"].sessions.items():
        own = sessions.get(sid, Session())
        assert (trail.compactions, trail.attempts) == (own.compactions, own.attempts)


LATE = {"via": "reconciled", "ts": "2026-11-21T09:05:00.000Z"}
LATE_CASES: dict[str, tuple[str, list[Event], int, int]] = {
    "proof": ("09:04 compact auto", [{"type": "compact.finished"}], 1, 1),
    "proof-before-another": (
        "09:04 compact auto / 09:30 compact auto / 09:31 done", [{"type": "compact.finished"}], 2, 2),
    "whole": (
        "09:30 done", [{"type": "compact.started"}, {"type": "compact.finished"}], 2, 2),
    "whole-after-an-attempt": (
        "09:01 compact auto", [{"type": "compact.started"}, {"type": "compact.finished"}], 2, 1),
}  # fmt: skip


@pytest.mark.parametrize("text, late, attempts, done", LATE_CASES.values(), ids=LATE_CASES)
def test_what_is_restored_later_counts_once(
    text: str, late: list[Event], attempts: int, done: int
) -> None:
    """A compaction that the transcript proves later counts once, in the sessions as here."""
    events = [fields_of(line) for line in text.split(" / ")]
    states = fed(*events, *({**LATE, **event, "sid": "a"} for event in late))
    for name in ("recovery", "sessions"):
        own = states[name].sessions["a"]
        assert (own.attempts, own.compactions) == (attempts, done)


@pytest.mark.parametrize("summary", ["nothing", "shop/made.py"])
def test_files_of_commands_that_git_finds_while_the_summary_is_written(summary: str) -> None:
    """They are among the files of the turn that is being compacted, unless the summary has them."""
    written = "09:00 prompt x / 09:00 compact auto / 09:00 written shop/made.py"
    last = view("recovery", f"{written} / 09:00 forked {summary}").sessions["a"].compaction
    assert last.lost == (KnownFacts(["shop/made.py"]) if summary == "nothing" else None)


def test_a_summary_in_parts_that_left_out_nothing() -> None:
    """The parts after one that had everything find nothing left out either."""
    parts = [
        {"type": "compact.summarized", "summary": text, "part": part, "parts": 2}
        for part, text in enumerate(("shop/cart.py changed.", "That is all."), 1)
    ]
    edit = {"type": "tool.finished", "tool": "Edit", "target": "shop/cart.py", "changed": True}
    states = fed(edit, {"type": "compact.started", "trigger": "auto"}, *parts)
    assert states["recovery"].sessions["w"].compaction.lost is None


def test_answers_and_refused_calls_outlive_a_second_compaction() -> None:
    """Only the transcript before the first one has them, and it is not read again."""
    gathered = {"type": "compact.gathered", "choices": [["Drop it?", "yes"]], "calls": ["Bash x"]}
    started = {"type": "compact.started", "trigger": "manual"}
    done = {"type": "compact.finished", "summary": "s", "size": 1}
    prompt = {"type": "prompt.submitted", "text": "Fix the leak"}
    states = fed(prompt, started, gathered, done, prompt, started, done)
    facts = states["recovery"].sessions["w"].compaction.facts
    assert (facts.choices, facts.calls) == (
        [UserChoice("Drop it?", "yes")],
        [RefusedCall("Bash", "x")],
    )
