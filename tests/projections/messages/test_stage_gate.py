"""Laws of the stage gate: it asks only the owner of an open cycle, a limited number of times."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.events.pressure import AdviceGiven, PressureSampled
from journal.events.stage import (
    StageAbandoned,
    StageFinished,
    StageResumed,
    StageStarted,
    StageStopped,
)
from journal.events.turn import PromptSubmitted, TurnEnded
from projections.fold import Fold
from projections.messages import answer
from projections.messages.stage_gate import threshold
from projections.stage import STAGES
from projections.views import HOOK_PROJECTIONS, Views

SETTINGS = {
    "stage.gate": "advise", "stage.max_continuations": 3, "pressure.stale_after": 300,
    "stage.thresholds.sprint": 50, "stage.thresholds.audit": 30, "stage.thresholds.ship": 15,
    "compound.suggest": False,
}  # fmt: skip
TS = "2026-11-21T09:00:00.000Z"
OWNER, OTHER = "owner", "other"

_stages = st.sampled_from(STAGES)
_steps = st.one_of(
    st.builds(lambda stage: ("stage.started", {"cycle": "c", "stage": stage}), _stages),
    st.builds(lambda stage: ("stage.finished", {"cycle": "c", "stage": stage}), _stages),
    st.just(("stage.stopped", {"cycle": "c", "reason": "asked", "skipped": ["audit"]})),
    st.just(("stage.resumed", {"cycle": "c", "stage": "audit"})),
    st.just(("stage.abandoned", {"cycle": "c"})),
)
_KINDS = {
    "stage.started": StageStarted, "stage.finished": StageFinished, "stage.stopped": StageStopped,
    "stage.resumed": StageResumed, "stage.abandoned": StageAbandoned,
    "advice.given": AdviceGiven, "pressure.sampled": PressureSampled,
}  # fmt: skip


def _apply(fold: Fold, kind: str, sid: str, **body: object) -> None:
    fold.apply(_KINDS[kind](seq=fold.seq + 1, ts=TS, sid=sid, **body), kind)


def _stop(fold: Fold, sid: str, settings: dict = SETTINGS, **more: object) -> object:
    """Apply a Stop's record as the hook would."""
    event = TurnEnded(seq=fold.seq + 1, ts=TS, sid=sid, **more)
    said = answer(Views(**fold.states), event, settings)
    for item in said.events if said is not None else ():
        body = {name: value for name, value in item.items() if name != "type"}
        _apply(fold, item["type"], sid, **body)
    return said


def _folded(steps: list, tokens: int) -> Fold:
    fold = Fold(HOOK_PROJECTIONS)
    for sid in (OWNER, OTHER):
        _apply(fold, "pressure.sampled", sid, tokens=tokens, window=200_000, point=167_000, at=TS)
    for kind, body in steps:
        _apply(fold, kind, OWNER, **body)
    return fold


@given(st.lists(_steps, max_size=12), st.integers(0, 200_000))
def test_no_other_session_is_ever_asked(steps: list, tokens: int) -> None:
    """Whatever happened to one session's cycle, another session's turn ends in silence."""
    fold = _folded(steps, tokens)
    assert _stop(fold, OTHER) is None
    assert _stop(fold, "unseen") is None


@given(st.lists(_steps, max_size=12), st.integers(0, 200_000))
def test_a_turn_that_waits_is_never_gated(steps: list, tokens: int) -> None:
    """A turn with waiting tasks and a subagent's turn are not gated; only an open cycle is."""
    fold = _folded(steps, tokens)
    for more in ({"background": 1}, {"agent": "a"}, {"continued": True, "background": 1}):
        assert _stop(fold, OWNER, **more) is None
    cycle = fold.states["stage"].sessions.get(OWNER)
    if cycle is None or cycle.status != "open":
        assert _stop(fold, OWNER) is None
        assert _stop(fold, OWNER, continued=True) is None


@given(st.lists(_steps, max_size=12), st.integers(0, 200_000))
def test_a_continued_turn_is_asked_only_about_what_finished_since(steps: list, tokens: int) -> None:
    """In a continued turn the gate asks only if a stage finished since its last question."""
    fold = _folded(steps, tokens)
    for _ in range(6):
        cycle = fold.states["stage"].sessions.get(OWNER)
        said = _stop(fold, OWNER, continued=True)
        if said is not None and (said.context or said.block):
            assert not cycle.open
            assert cycle.asked == []
    assert _stop(fold, OWNER, continued=True) is None


def _cycle(*steps: tuple[str, str], tokens: int) -> Fold:
    return _folded([(f"stage.{what}", {"cycle": "c", "stage": s}) for what, s in steps], tokens)


def test_a_continued_turn_goes_on_up_to_the_limit() -> None:
    """Each finished stage leads to the next question, up to the limit since the last prompt."""
    fold = _cycle(("started", "sprint"), ("finished", "sprint"), tokens=10_000)
    assert "audit" in _stop(fold, OWNER).context
    assert _stop(fold, OWNER, continued=True) is None
    asked = []
    for stage, following in (("audit", "ship"), ("ship", "retrospective")):
        for what in ("started", "finished"):
            _apply(fold, f"stage.{what}", OWNER, cycle="c", stage=stage)
        said = _stop(fold, OWNER, continued=True)
        asked.append(following in said.context)
    assert asked == [True, True]
    assert fold.states["stage"].sessions[OWNER].run == 3
    fold.apply(PromptSubmitted(seq=fold.seq + 1, ts=TS, sid=OWNER, text="x"), "prompt.submitted")
    assert fold.states["stage"].sessions[OWNER].run == 0


def test_the_limit_ends_a_continued_turn() -> None:
    """With a limit of one, a stage finished in the continued turn is asked about next turn."""
    settings = {**SETTINGS, "stage.max_continuations": 1}
    fold = _cycle(("started", "sprint"), ("finished", "sprint"), tokens=10_000)
    assert _stop(fold, OWNER, settings=settings).context
    for what in ("started", "finished"):
        _apply(fold, f"stage.{what}", OWNER, cycle="c", stage="audit")
    assert _stop(fold, OWNER, settings=settings, continued=True) is None
    assert "ship" in _stop(fold, OWNER, settings=settings).context


def test_a_stage_that_runs_dry_is_said_once() -> None:
    """If room runs out in a continued turn with an open stage, only the person is told, once."""
    fold = _cycle(("started", "sprint"), tokens=10_000)
    assert _stop(fold, OWNER).context
    _apply(fold, "pressure.sampled", OWNER, tokens=152_000, window=200_000, point=167_000, at=TS)
    said = _stop(fold, OWNER, continued=True)
    assert (said.context, said.block) == ("", "")
    assert "9.0% left until compaction" in said.message
    assert _stop(fold, OWNER, continued=True) is None
    assert _stop(fold, OWNER) is None
    _apply(fold, "stage.finished", OWNER, cycle="c", stage="sprint")
    assert "stops after sprint" in _stop(fold, OWNER, continued=True).message
    assert fold.states["stage"].sessions[OWNER].status == "stopped"


@given(st.lists(_steps, max_size=8), st.integers(0, 200_000))
def test_the_gate_falls_silent(steps: list, tokens: int) -> None:
    """If nothing else happens, a turn is continued fewer times than the client allows."""
    fold = _folded(steps, tokens)
    continued = 0
    for _ in range(12):
        said = _stop(fold, OWNER)
        continued += said is not None and bool(said.context or said.block)
    assert continued <= SETTINGS["stage.max_continuations"] < 8
    assert _stop(fold, OWNER) is None


def test_the_owner_is_asked() -> None:
    """After a finished stage the owner is asked for the next; below the threshold it stops."""
    started = ("stage.started", {"cycle": "c", "stage": "sprint"})
    finished = ("stage.finished", {"cycle": "c", "stage": "sprint"})
    said = _stop(_folded([started, finished], 20_000), OWNER)
    assert "audit" in said.context
    fold = _folded([started, finished], 150_000)
    assert "resume" in _stop(fold, OWNER).message
    assert fold.states["stage"].sessions[OWNER].status == "stopped"


def test_a_long_window_has_a_threshold_of_its_own() -> None:
    """Only beyond 200,000 tokens the threshold for long windows counts, if it is set."""
    settings = {"stage.thresholds.sprint": 50, "stage.thresholds_long.sprint": 5}
    assert threshold("sprint", 200_000, settings) == 50
    assert threshold("sprint", 200_001, settings) == 5
    assert threshold("sprint", 200_001, {**settings, "stage.thresholds_long.sprint": -1}) == 50


@pytest.mark.parametrize(
    ("language", "needed"),
    [("en", "40,000 tokens"), ("ja", "40,000 トークン"), ("ko", "40,000 토큰")],
)
def test_what_a_stage_needs_is_in_the_language_of_the_text(language: str, needed: str) -> None:
    """A threshold in tokens is named in the same language as the sentence around it."""
    fold = _cycle(("started", "sprint"), tokens=160_000)
    settings = {**SETTINGS, "stage.thresholds.sprint": 40_000, "messages.language": language}
    text = _stop(fold, OWNER, settings).message
    assert needed in text
    assert ("tokens" in text) == (language == "en")
