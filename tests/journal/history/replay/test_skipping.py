"""A long fold that skips what the recovery view forgets."""

from __future__ import annotations

import random
import tempfile
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from journal.history.replay import skipping
from journal.history.replay.run import replay_all
from journal.history.replay.stored import StoredFolds
from journal.log.read import Reader
from projections.fold import Fold
from projections.recovery import PROJECTION
from projections.registry import REGISTRY
from tests.projections.timeline import fields_of
from tests.support.examples import part
from tests.support.journals import Journals

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("recovery", "sessions", "queue")
WORK = ("prompt fix the cart", "tool Edit cart.py", "tool Bash make", "fail Bash make", "stop",
        "compact auto", "done", "decide one more", "checkpoint asked", "written b.py")  # fmt: skip


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip as early as possible."""
    monkeypatch.setattr(skipping, "_LEAST", 0)
    monkeypatch.setattr(skipping, "_WINDOW", 30)


def lines(seed: int, sessions: int) -> Iterator[str]:
    """Yield sessions that overlap, continue others and come back, more or less often."""
    draw = random.Random(seed)
    near, far = draw.choice(((0.0, 0.0), (0.3, 0.0), (0.97, 0.0), (0.3, 0.02), (0.9, 0.1)))
    most = draw.choice((1, 6, 6))
    for number in range(sessions):
        source = draw.choice(("clear", "fork")) if draw.random() < near else "startup"
        back = draw.randint(1, 60) if draw.random() < far else 1
        yield f"s{number} 09:00 start {source} " + (
            f"s{number - back}" if source != "startup" else ""
        )
        for _ in range(draw.randint(0, most)):
            sid = f"s{number - draw.randint(0, 60 if draw.random() < far else 1)}"
            sid = "-" if draw.random() < 0.02 else sid
            key = f" key {draw.randint(0, 30)}" if draw.random() < 0.3 else ""
            yield f"{sid} 09:01 {draw.choice(WORK)}{key}"


def encoded(fold: Fold) -> dict[str, Any]:
    """Return the states of a fold and what else a checkpoint stores of it."""
    states = {name: msgspec.json.encode(fold.states[name]) for name in NAMES}
    return {**states, "keys": fold.recent_keys(), "unknown": fold.unknown}


@pytest.mark.parametrize("seed", part(range(24), 12))
def test_states_are_those_of_a_fold_of_everything(seed: int) -> None:
    """At the end and at each checkpoint, every state is that of folding all records."""
    with tempfile.TemporaryDirectory(prefix="journal-test-") as top:
        made = [fields_of(line) for line in lines(seed, 300)]
        log = str(Journals.of(top).write(made).parent)
        assert encoded(replay_all(log, NAMES).fold) == truth(log)
        folds = StoredFolds(log)
        assert len(folds.seqs()) > 1
        for seq in folds.seqs():
            stored = folds.last(upto=seq)
            assert stored is not None
            again = Fold(
                [REGISTRY[name] for name in NAMES], stored.states([*NAMES]), stored.keys, seq
            )
            assert {**encoded(again), "unknown": stored.unknown} == truth(log, seq)


def truth(log: str, upto: int = 1 << 60) -> dict[str, Any]:
    """Return what a fold of all records up to a seq gives."""
    whole = Fold([REGISTRY[name] for name in NAMES])
    return encoded(whole.feed(item for item in Reader(log) if item[0] <= upto))


def test_a_state_with_room_has_older_sessions(tmp_path: Any) -> None:
    """Sessions that change nothing in the view do not displace the older ones."""
    words = ("prompt fix the cart", *["reading 1000"] * 7)
    made = [fields_of(f"s{number} 09:01 {words[number % 8]}") for number in range(900)]
    log = str(Journals.of(str(tmp_path)).write(made).parent)
    assert encoded(replay_all(log, NAMES).fold) == truth(log)


def test_most_of_a_long_log_is_skipped(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The view is folded from a few records only, if sessions do not depend on earlier ones."""
    made = [fields_of(f"s{number} 09:01 {word}") for number in range(2000) for word in WORK[:4]]
    log = str(Journals.of(str(tmp_path)).write(made).parent)
    calls: list[int] = []
    handler = PROJECTION.handlers["prompt.submitted"]
    prompted = handler.function

    def counted(part: Any, event: Any) -> Any:
        calls.append(event.seq)
        return prompted(part, event)

    monkeypatch.setattr(handler, "function", counted)
    replay_all(log, NAMES)
    assert 24 < len(calls) < 1000
