"""The cost of a hook call, compared with starting the same interpreter in the same run.

Limits: capture ≤ 2.6 and answer ≤ 4.6 times the interpreter start, capture ≤ 49 M and
answer ≤ 124.6 M instructions, the same at a million events as at none.
"""

from __future__ import annotations

import shutil
import statistics
from typing import TYPE_CHECKING

import pytest

from journal.history.current import catch_up
from tests.bench.corpus import write_journal
from tests.bench.stage import FLOOR, NOW, Stage

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.bench

CAPTURE_LIMIT, ANSWER_LIMIT, FLAT_LIMIT = 2.6, 4.6, 1.10
CAPTURE_INSTRUCTIONS, ANSWER_INSTRUCTIONS = 49_000_000, 124_600_000
ROUNDS, TRIES = 25, 4


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Return a stage whose code is compiled and whose journal has a snapshot."""
    made = Stage(tmp_path)
    for _ in range(3):
        made.run(made.answer())
        made.run(made.capture())
    return made


def medians(stage: Stage) -> dict[str, float]:
    """Run floor, capture and answer by turns, so that a slow moment affects all three."""
    seconds: dict[str, list[float]] = {"floor": [], "capture": [], "answer": []}
    for _ in range(ROUNDS):
        seconds["floor"].append(stage.run(b"", FLOOR)[0])
        spent, said = stage.run(stage.capture())
        assert not said
        seconds["capture"].append(spent)
        spent, said = stage.run(stage.answer())
        assert b"additionalContext" in said
        seconds["answer"].append(spent)
    return {name: statistics.median(values) for name, values in seconds.items()}


def test_ratios_to_the_interpreter_floor(stage: Stage, capsys: pytest.CaptureFixture) -> None:
    """Capture and answer cost a small multiple of starting the interpreter."""
    for _ in range(TRIES):  # other load slows the longer process more
        found = medians(stage)
        floor = found["floor"]
        with capsys.disabled():
            print(f"\nhook wall, medians of {ROUNDS}: floor {1000 * floor:.1f} ms, "
                  f"capture {found['capture'] / floor:.2f} x (limit {CAPTURE_LIMIT}), "
                  f"answer {found['answer'] / floor:.2f} x (limit {ANSWER_LIMIT})")  # fmt: skip
        if found["capture"] <= CAPTURE_LIMIT * floor and found["answer"] <= ANSWER_LIMIT * floor:
            return
    pytest.fail("no quiet moment in which both stayed within their limits")


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_instructions(stage: Stage, capsys: pytest.CaptureFixture) -> None:
    """Capture and answer stay within their instruction budgets, on a machine under any load."""
    floor = stage.instructions(b"", FLOOR)
    capture = stage.instructions(stage.capture())
    answer = stage.instructions(stage.answer())
    with capsys.disabled():
        print(f"\nhook instructions: floor {floor / 1e6:.1f} M, capture {capture / 1e6:.1f} M "
              f"(limit 49), answer {answer / 1e6:.1f} M (limit 124.6)")  # fmt: skip
    assert capture <= CAPTURE_INSTRUCTIONS
    assert answer <= ANSWER_INSTRUCTIONS


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
@pytest.mark.parametrize("events", [pytest.param(100_000), pytest.param(1_000_000, marks=pytest.mark.long)])  # fmt: skip
def test_cost_does_not_grow_with_the_journal(
    stage: Stage, events: int, capsys: pytest.CaptureFixture
) -> None:
    """With a million events no hook call costs more than with an empty journal."""
    empty = (stage.instructions(stage.capture()), stage.instructions(stage.answer()))
    (stage.journal / "snapshot").unlink()
    write_journal(stage.journal, events)
    catch_up(str(stage.journal), NOW)  # as the background handler does at a start
    stage.run(stage.answer())
    full = (stage.instructions(stage.capture()), stage.instructions(stage.answer()))
    ratios = [big / small for big, small in zip(full, empty, strict=True)]
    with capsys.disabled():
        print(f"\nhook instructions at {events:,} events / at none: capture {ratios[0]:.3f}, "
              f"answer {ratios[1]:.3f} (limit {FLAT_LIMIT})")  # fmt: skip
    assert max(ratios) <= FLAT_LIMIT


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_cost_does_not_grow_with_the_transcript(
    stage: Stage, capsys: pytest.CaptureFixture
) -> None:
    """With a transcript of 50 MB no hook call costs more than with one of a single line."""
    small = stage.instructions(stage.capture())
    data = stage.capture()
    line = stage.transcript.read_bytes()
    filler = b'{"type":"user","message":{"role":"user","content":"' + b"x" * 900 + b'"}}\n'
    stage.transcript.write_bytes(filler * 55_000 + line)
    large = stage.instructions(data)
    with capsys.disabled():
        print(f"\nhook instructions at a 50 MB transcript / a 300 byte one: {large / small:.3f}")
    assert large <= FLAT_LIMIT * small
